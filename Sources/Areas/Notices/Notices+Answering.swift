import KinKeeper
import KinModel
import KinStore
import KinWords

/// A button below a notice is pressed. The gateway asks what the secret permits, and has that done in the member's
/// name. It reports the result here, in the same turn; a refusal too.
extension Notices {
    private static let secret = Field.required("secret", .token(max: 64), "What the button shows.")

    /// The answer that a button permits now.
    static let answer = Method.query(
        "notice.answer", "What a button below a notice does, by its secret.", access: .everybody,
        note: "For the daemon's own gateway; a button's secret is the credential.", [secret],
        result: .object([
            .optional("method", .token(max: 64), "What to call, with which parameters; absent: nothing any more."),
            .optional("params", .any), .optional("text", .text(max: 500), "Why nothing is done any more."),
            .optional("isOpen", .bool, "No button of the notice was pressed before, so it should say that, too."),
        ]),
        apply: { (act, params) throws(Rejection) in
            let (offer, name) = try found(try params.string("secret"), act)
            guard let answer = try offer.answer(name, act) else {
                let reader = try Spoken.reader(of: offer.member, act)
                return .done([
                    "text": .string(reader.noticeOver(isUsed: offer.isUsed)), "isOpen": .bool(!offer.isUsed),
                ])
            }
            var given = answer.params
            if let spoken = answer.spoken {
                given[spoken] = .string(try Spoken.reader(of: offer.member, act).button(answer.name))
            }
            return .done(["method": .string(answer.method), "params": .object(given)])
        }
    ).forGateways()

    /// An act was done or refused. Its button is no longer valid, and the notice tells the result.
    static let answered = Method.command(
        "notice.answered", "A button's act was done, or refused.", access: .signedIn, note: "the gateway, for a button",
        [
            secret, .optional("why", .text(max: 1000), "Why it was refused, in English."),
            .optional("over", .bool, "Nothing was done, because nothing is asked any more."),
        ],
        result: .object([.required("text", .text(max: 2000))]), route: nil, events: [NoticeDevice.rang],
        apply: { (act, params) throws(Rejection) in
            let (offer, name) = try found(try params.string("secret"), act)
            let reader = try Spoken.reader(of: offer.member, act)
            let label = reader.button(String(name.prefix { $0 != "." }))
            let bell = try act.roster[offer.member].flatMap { (owner) throws(Rejection) in try Bell(owner, act) }
            if params["over"]?.bool ?? false {
                let text = reader.noticeOver(isUsed: false)
                try bell?.ringOver(offer, text)
                return .done(["text": .string(text)])
            }
            let why = params.optionalString("why").map { reader.refusal($0) }
            let text = why.map { reader.noticeNotAnswered($0) } ?? reader.noticeAnswered(label)
            try offer.use(name, act)
            try bell?.ringAnswered(offer, text)
            return .done(["text": .string(text)])
        }
    ).forGateways()

    /// The offer and button of a secret. Guessing is slowed, as for topics.
    private static func found(_ secret: String, _ act: Act) throws(Rejection) -> (offer: Offer, name: String) {
        if let found = try Offer.find(secret, act), try act.roster[found.offer.member] != nil { return found }
        if let wait = act.memory(Guesses<Notices>.self).wrong(from: act.origin.addressKey, now: act.uptime) {
            throw Rejection(
                .slowDown, "Too many buttons that there are not. Wait \(wait) s and try again.", retryAfter: wait)
        }
        throw Rejection(.forbidden, "There is no such button.")
    }

    /// The member who answers, for the one method that the button permits.
    static let answerer: @Sendable (Act, String, Method) throws(Rejection) -> Area.Answerer? = {
        (act, secret, method) throws(Rejection) in
        guard let (offer, name) = try Offer.find(secret, act), !offer.isUsed else { return nil }
        if method.name != answered.name {
            guard try offer.answer(name, act)?.method == method.name else { return nil }
        }
        return Area.Answerer(member: offer.member, secret: offer.id)
    }

    // MARK: Later

    /// Due work: an entry rings again.
    static let snoozeDue = "notice.snoozed"

    static let snooze = Method.command(
        "notice.snooze", "Has an unread entry of the caller's inbox ring again later; until then it is silent.",
        access: .signedIn, note: "oneself",
        [
            .required("entry", .id, "The entry of the inbox."),
            .optional("minutes", .integer(Limits.noticeSnoozeMinutes), "In how many minutes; else 60."),
        ],
        result: .object([.required("at", .time, "When it rings again.")]), route: Route("POST", "/api/notices/snooze"),
        events: [NoticeDevice.rang],
        apply: { (act, params) throws(Rejection) in
            let id = try params.id("entry")
            guard let owner = try act.roster[try act.member.id], let bell = try Bell(owner, act) else {
                throw Rejection(.conflict, "You have no device that rings; add one first.")
            }
            guard let entry = try bell.unread(id) else { throw .notFound("entry", id.description, field: "entry") }
            guard try !act.insists(about: entry.about, on: owner) else {
                throw Rejection(.conflict, "This cannot wait: somebody needs your answer.", field: "entry")
            }
            let at = act.now.adding(seconds: 60 * (params.optionalInt("minutes") ?? 60))
            try bell.snooze(entry)
            try act.plan(snoozeDue, about: "notice/\(owner.id)/\(id)", at: at)
            return .done(["at": .time(at)], ids: [id])
        })

    /// The time of an entry that was put off is over. It rings again if it is still unread.
    static func wake(_ about: String, _ act: Act) throws(Rejection) {
        let parts = about.split(separator: "/")
        guard parts.count == 3, let member = Identifier(parts[1]), let id = Identifier(parts[2]),
            let owner = try act.roster[member]
        else { return }
        try Bell(owner, act)?.wake(id)
    }
}
