import KinKeeper
import KinModel
import KinStore

/// The sources of news, as admins name them, and the results of reading them.
extension News {
    private static let result = Shape.object([.required("source", StoredSource.shape)])

    static let sources = Method.query(
        "news.sources", "The sources of news that the caller sees; for admins all of them, with address and audience.",
        access: .signedIn,
        result: .object([
            .required("sources", .list(StoredSource.shape, max: Int(Limits.newsSourcesMax)), "As they were added."),
            .required("outside", .bool, "Whether an admin allows that news are read outside."),
        ]),
        route: Route("GET", "/api/news-sources"),
        apply: { (act, _) throws(Rejection) in
            let all = try act.isAdministrator ? StoredSource.all(act) : StoredSource.seen(by: try act.member.id, act)
            return .done([
                "sources": .array(all.map { $0.json(act) }), "outside": .bool(try isAllowed(act)),
            ])
        }
    ).listing()

    static let subscribe = Method.command(
        "news.subscribe", "Adds a source of news, which is read outside at the address of a feed, again and again.",
        access: .admins,
        note: """
            Once an admin allowed it (news.allowOutside). Only admins see the address. It is read within \
            \(Limits.newsFirstSeconds) s; news.refresh reads it at once, and says what came of it.
            """,
        [
            .required(
                "address", .text(max: OutsideAddress.bytesMax),
                "Of an Atom or RSS feed; begins with https:// or feed://. A machine of the house is asked only where an admin allowed it (outside.allow)."
            ),
            .optional("name", NewsSource.nameForm.shape, "As it calls itself, if left out."),
            .optional("audience", SharedWith.shape, "Who sees its news: \(forWhom) everyone if left out."),
        ],
        result: result, route: Route("POST", "/api/news-sources", status: 201), events: [NewsSource.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            try requireOutside(act)
            let address = try read(try params.string("address"), act)
            let known = try StoredSource.all(act)
            guard !known.contains(where: { $0.address.hasSameBytes(as: address) }) else {
                throw Rejection(.invalid, "News are read at this address already.", field: "address")
            }
            guard known.count < Int(Limits.newsSourcesMax) else {
                throw Rejection(
                    .tooLarge, "A family has \(Limits.newsSourcesMax) sources of news at most; remove one first.")
            }
            var sharedWith = SharedWith.everyone
            if let given = params["audience"] {
                sharedWith = try SharedWith(given, household: act.ownHousehold, act)
            }
            var source = StoredSource(
                act.newIdentifier(), address: address, name: params.optionalString("name"), sharedWith: sharedWith,
                now: act.now)
            try source.add(act)
            return .done(["source": source.json(act)], ids: [source.id])
        })

    static let update = Method.command(
        "news.update", "Names a source of news, changes who sees its news, or has it read at another address.",
        access: .admins,
        [
            .required("source", .id),
            .optional("name", .nullable(NewsSource.nameForm.shape), "null: as it calls itself."),
            .optional("audience", SharedWith.shape, "Who sees its news: \(forWhom)"),
            .optional("address", .text(max: OutsideAddress.bytesMax), "Its news stay until that answered."),
        ],
        result: result, route: Route("PATCH", "/api/news-sources/{source}"),
        events: [NewsSource.added, NewsSource.changed, NewsSource.hidden],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var source = try StoredSource.named(try params.id("source"), act)
            let (before, sharedBefore) = (source.wire, source.sharedWith)
            if let given = params["name"] { source.name = given.string }
            if let given = params.optionalString("address") {
                let address = try read(given, act)
                guard
                    try !StoredSource.all(act).contains(where: {
                        $0.id != source.id && $0.address.hasSameBytes(as: address)
                    })
                else { throw Rejection(.invalid, "News are read at this address already.", field: "address") }
                if !address.hasSameBytes(as: source.address) {
                    let wasTold = source.isTold
                    source.move(to: address, act)
                    if wasTold { try act.settle(stopped, about: source.about) }
                }
            }
            try source.save(toldBefore: before, act)
            if let given = params["audience"] {
                source.sharedWith = try SharedWith(given, household: act.ownHousehold, act)
                if source.sharedWith != sharedBefore { try source.share(act) }
            }
            return .done(["source": source.json(act)], ids: [source.id])
        })

    static let remove = Method.command(
        "news.remove", "Removes a source with its news, from the log too.", access: .admins,
        [.required("source", .id)], result: .nothing, route: Route("DELETE", "/api/news-sources/{source}"),
        events: [NewsSource.removed],
        apply: { (act, params) throws(Rejection) in
            try StoredSource.named(try params.id("source"), act).remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let refresh = Method.command(
        "news.refresh", "Reads a source of news now, and says what came of it.", access: .admins,
        [.required("source", .id)], result: result, route: Route("POST", "/api/news-sources/{source}/refresh"),
        events: [NewsSource.changed, NewsSource.read], isSlow: true,
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("source")
            var source = try StoredSource.named(id, act)
            if let work = act.work {
                // A refusal takes back the changes of this turn. That the source is read again soon was stored when the
                // reading began.
                guard let made = work.made(NewsWork.Made.self), !made.isCrowded else {
                    throw Rejection(.unavailable, "Too much is asked outside at once.", retryAfter: 30)
                }
                try take(made, act)
                return .done(["source": try StoredSource.named(id, act).json(act)], ids: [id])
            }
            try requireOutside(act)
            if let asked = source.asked {
                let wait = Limits.newsAskedSeconds - act.now.milliseconds(since: asked) / 1000
                if (1...Limits.newsAskedSeconds).contains(wait) {
                    throw Rejection(
                        .slowDown, "It was read a moment ago. Wait \(wait) s.", retryAfter: Int(wait))
                }
            }
            try source.begin(act)
            return .later(NewsWork(source))
        })

    static let allowOutside = Method.command(
        "news.allowOutside", "Allows that news are read outside, or forbids it.", access: .admins,
        note: "While it is forbidden, news that were read stay.",
        [.required("on", .bool, "Servers outside learn that this house reads a feed, and when; not who reads what.")],
        result: .object([.required("on", .bool)]), route: Route("PUT", "/api/news-outside"), events: [],
        again: { (act, _) throws(Rejection) in ["on": .bool(try isAllowed(act))] },
        apply: { (act, params) throws(Rejection) in
            let isOn = params["on"]?.bool ?? false
            try act.run("DELETE FROM news_outside")
            try act.run("INSERT INTO news_outside (is_on) VALUES (?)", .bool(isOn))
            try planNext(act)
            return .done(["on": .bool(isOn)])
        })

    /// The daemon calls this itself, again and again as long as something is due.
    static let readOutside = Method.command(
        "news.readOutside", "Reads the sources of news that are due, and notes what came of it.", access: .machine,
        note: "the daemon itself", [], result: .nothing, route: nil,
        events: [NewsSource.changed, NewsSource.read, NewsSource.stopped],
        apply: { (act, _) throws(Rejection) in
            if let made = act.work?.made(NewsWork.Made.self) { try take(made, act) }
            guard try isAllowed(act), act.work?.isCrowdedOut != true, var next = try StoredSource.due(act) else {
                try planNext(act)
                return .done([:])
            }
            try next.begin(act)
            return .later(NewsWork(next))
        }
    ).forGateways()

    // MARK: Inside

    private static let forWhom =
        "everyone (every non-guest), household (the caller's own, without guests), or members."

    private static func requireOutside(_ act: Act) throws(Rejection) {
        try act.require(
            try isAllowed(act), "News are not read outside in this family; an admin can allow it.",
            asking: try act.admins)
    }

    private static func read(_ address: String, _ act: Act) throws(Rejection) -> String {
        try OutsideAddress.read(
            address, secure: ["feed"],
            wrong: "A feed's address begins with https:// or feed://; copy it whole from where it is offered.", act)
    }

    /// The answer to a repeated command: the present state.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return ["source": try StoredSource.named(id, act).json(act)]
    }

    /// Stores the result of a reading.
    private static func take(_ made: NewsWork.Made, _ act: Act) throws(Rejection) {
        guard var source = try StoredSource.find(made.id, act), made.address.hasSameBytes(as: source.address) else {
            return
        }
        let (before, wasTold) = (source.wire, source.isTold)
        switch made.outcome {
        case .crowded: source.next = act.now.adding(seconds: Limits.newsAskedSeconds)
        case .failed(let trouble, let seconds):
            if source.failed(trouble, retryAfter: seconds, act) {
                try act.emit(
                    NewsSource.stopped, .init(source: source.id, trouble: trouble), about: source.about,
                    to: try act.roster.admins, isHeard: true, title: source.wire.name)
            }
        case .same:
            source.validators = made.validators
            source.succeeded(act)
        case .file(let file, let digest, let fresh):
            let wanted = file.everySeconds ?? fresh ?? Limits.newsSeconds
            source.everySeconds = min(max(wanted, Limits.newsSecondsMin), Limits.newsSecondsMax)
            source.title = file.title
            source.wire.site = file.site
            (source.validators, source.digest) = (made.validators, digest)
            source.succeeded(act)
            let (added, changed) = try StoredNews.take(file.items, of: source, act)
            if added + changed > 0 {
                try act.emit(
                    NewsSource.read,
                    .init(source: source.id, name: source.wire.name, added: added, changed: changed),
                    about: source.about, to: try source.seers(act), key: source.about + "/read")
            }
        }
        if wasTold, !source.isTold { try act.settle(stopped, about: source.about) }
        try source.save(toldBefore: before, act)
    }
}
