import KinKeeper
import KinModel
import KinStore

/// The methods by which everybody may speak. ``Activity/Sayings`` tells what members said, ``Announcements`` what an
/// admin announced; both are shown, corrected and withdrawn the same way.
extension Sayings {
    static let methods = [say, show, own, correct, withdraw]

    private static let text = Field.required(
        "text", .text(max: Limits.announcementCharactersMax), "What to say; passed through unchanged.")
    private static let result = Shape.object([.required("saying", StoredSaying.Told.shape)])

    private static let say = Method.command(
        "activity.say", "Tells the family, households or members something.", access: .signedIn,
        note: "guests: their household and its people",
        [
            text,
            .optional(
                "to", .list(.id, max: Limits.saidToMax),
                "Households and members; else everyone who is no guest, or a guest's household."),
        ],
        result: result, route: Route("POST", "/api/activity/sayings", status: 201), events: [Inbox.said],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let text = try checked(params)
            let to = params["to"]?.array.map { $0.compactMap(\.identifier) }
            let id = try Sayings.say(text, to: to, act)
            return .done(try rendered(id, act), ids: [id])
        })

    private static let show = Method.query(
        "activity.show", "The whole text of what was announced or said to the caller, or by the caller.",
        access: .signedIn, note: "whoever was told, and the author", [.required("id", .id)], result: result,
        route: Route("GET", "/api/activity/sayings/{id}"),
        apply: { (act, params) throws(Rejection) in .done(try rendered(try params.id("id"), act)) })

    private static let own = Method.query(
        "activity.own", "What the caller announced and said, newest first.", access: .signedIn,
        note: "oneself; kept for \(Limits.inboxUnreadDays) days",
        [
            .optional("before", .id, "Only what was said before this one of the caller's own."),
            .optional("limit", .integer(1...Int64(Limits.sayingsPerAnswerMax)), "How many; else 20."),
        ],
        result: .object([
            .required("sayings", .list(StoredSaying.Told.shape, max: Limits.sayingsPerAnswerMax)),
            .optional("next", .id, "To be given as before; there while there are more."),
        ]),
        route: Route("GET", "/api/activity/sayings"),
        apply: { (act, params) throws(Rejection) in
            let limit = Int(params.optionalInt("limit") ?? 20)
            let before = params.optionalID("before")
            if let before { try StoredSaying.requireOwn(before, act) }
            let found = try StoredSaying.all(
                of: try act.member.id, before: before, count: limit + 1, act)
            let page = found.prefix(limit)
            var sayings: [JSON] = []
            for saying in page { sayings.append(try saying.json(act)) }
            return .done(
                .object(leavingOut: [
                    "sayings": .array(sayings), "next": found.count > limit ? page.last.map { .id($0.id) } : nil,
                ]))
        })

    private static let correct = Method.command(
        "activity.correct", "Gives what one announced or said another text; it is marked as corrected.",
        access: .signedIn, note: "the author; an announcement's as long as an admin", [.required("id", .id), text],
        result: result, route: Route("PATCH", "/api/activity/sayings/{id}"), events: [Inbox.corrected, Inbox.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let saying = try StoredSaying.own(try params.id("id"), act)
            let text = try checked(params)
            if saying.isOfficial {
                try act.require(
                    act.isAdministrator, "Only an admin can correct an announcement; it can be withdrawn.",
                    asking: try act.admins)
            }
            if text != saying.text {
                try spend(act)
                try saying.correct(text, act)
            }
            return .done(try rendered(saying.id, act), ids: [saying.id])
        })

    private static let withdraw = Method.command(
        "activity.withdraw", "Takes back what one announced or said: out of every inbox, the database and the log.",
        access: .signedIn, note: "the author", [.required("id", .id)], result: .nothing,
        route: Route("DELETE", "/api/activity/sayings/{id}"),
        events: [Inbox.announcementDeleted, Inbox.removed, Inbox.added],
        apply: { (act, params) throws(Rejection) in
            try StoredSaying.own(try params.id("id"), act).withdraw(act)
            return .done([:])
        }
    ).freeingRoom()

    private static func checked(_ params: Params) throws(Rejection) -> String {
        let text = try params.string("text")
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Rejection(.invalid, "text is empty; say something.", field: "text")
        }
        return text
    }

    private static func rendered(_ id: Identifier, _ act: Act) throws(Rejection) -> JSON {
        ["saying": try StoredSaying.seen(id, act).json(act)]
    }

    /// The answer to a repeat: what is so now.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return try rendered(id, act)
    }
}
