import KinKeeper
import KinModel
import KinStore

/// From a child to an adult, and back.
extension Members {
    /// Due work for a child whom nobody has answered.
    static let grownDue = "grown"

    static let askGrown = Method.command(
        "member.askGrown",
        "A child asks to count as an adult; if nobody answers for \(Limits.grownDays) days, it does.",
        access: .signedIn, note: "children for themselves", result: .object([.required("ends", .time)]),
        route: Route("POST", "/api/grown", status: 201), events: [Grown.asked],
        again: { (act, _) throws(Rejection) in
            let asked = try Wish.find(try act.member.id, act)?.askedAt ?? act.now
            return ["ends": .time(asked.adding(days: Limits.grownDays))]
        },
        apply: { (act, _) throws(Rejection) in
            let child = try act.member(try act.member.id)
            guard child.kind == .child else {
                throw Rejection(.conflict, "You count as an adult already.")
            }
            let wish = try Wish.find(child.id, act)
            if let wish, wish.refusedAt == nil {
                return .done(["ends": .time(wish.askedAt.adding(days: Limits.grownDays))])
            }
            if let again = wish?.refusedAt?.adding(days: Limits.grownDays), again > act.now {
                throw Rejection(
                    .conflict,
                    "You were refused less than \(Limits.grownDays) days ago; ask again from "
                        + "\(again.description.prefix(10)) on.")
            }
            try act.run(
                "INSERT OR REPLACE INTO grown (child, asked_at) VALUES (?, ?)", .id(child.id), .time(act.now))
            let ends = act.now.adding(days: Limits.grownDays)
            try act.plan(grownDue, about: about(child.id), at: ends)
            try act.emit(
                Grown.asked, .init(member: child.id, ends: ends), about: about(child.id),
                to: try concerned(child, act))
            return .done(["ends": .time(ends)])
        }
    ).forOwnWord()

    static let answerGrown = Method.command(
        "member.answerGrown", "Says that a child is grown, whether it asked or not; or that it is not yet.",
        access: [.family, .machine],
        note: "parents and holder; where there are none, who brought the child in, else the heads of its household",
        [
            .required("member", .id, "The child."),
            .required("grown", .bool, "False: the child asked, and is no adult yet."),
        ],
        result: .memberResult, route: Route("PUT", "/api/members/{member}/grown"),
        events: [Member.updated, Grown.answered],
        again: { (act, ids) throws(Rejection) in try act.show(ids[0]) },
        apply: { (act, params) throws(Rejection) in
            let child = try act.member(try params.id("member"))
            guard child.kind == .child else {
                throw Rejection(.conflict, "This member counts as an adult already.", field: "member")
            }
            try mayDeclareGrown(child, act)
            if params["grown"]?.bool == true {
                try becomeGrown(child, act)
                return .done(try act.show(child.id), ids: [child.id])
            }
            guard let wish = try Wish.find(child.id, act), wish.refusedAt == nil else {
                throw Rejection(.conflict, "This child does not ask to count as an adult.", field: "grown")
            }
            try act.run("UPDATE grown SET refused_at = ? WHERE child = ?", .time(act.now), .id(child.id))
            try forgetDue(child.id, act)
            try tellGrown(child, false, act)
            return .done(try act.show(child.id), ids: [child.id])
        }
    ).forOwnWord { $0["grown"]?.bool == true }

    /// A child's request to count as an adult.
    struct Wish {
        let child: Identifier
        let askedAt: Instant
        /// When somebody refused; `nil` while it waits.
        let refusedAt: Instant?

        static func find(_ child: Identifier, _ act: Act) throws(Rejection) -> Wish? {
            try act.first(columns + " WHERE child = ?", .id(child), map: read)
        }

        /// Those that wait for an answer.
        static func open(_ act: Act) throws(Rejection) -> [Wish] {
            try act.rows(columns + " WHERE refused_at IS NULL ORDER BY child", map: read)
        }

        private static let columns = "SELECT child, asked_at, refused_at FROM grown"

        private static func read(_ row: borrowing Row) throws(StoreFailure) -> Wish {
            Wish(
                child: row.identifier("child"), askedAt: row.instant("asked_at"),
                refusedAt: row.optionalInstant("refused_at"))
        }
    }

    // MARK: For the rest of the area

    /// Only the member concerned can make an adult a child: it takes away what only an adult decides.
    static func mayBecomeChild(_ member: Member, _ act: Act) throws(Rejection) {
        try act.require(
            act.isOneself(member.id) || act.isAtMachine, "Only the member can say that they do not count as an adult.")
    }

    /// Refuses unless the caller may say that a child is grown.
    static func mayDeclareGrown(_ child: Member, _ act: Act) throws(Rejection) {
        if act.isAtMachine { return }
        try act.require(
            act.isOne(of: try declarers(of: child, act)),
            act.isOneself(child.id)
                ? "Ask to count as an adult: a parent answers, or it is so after \(Limits.grownDays) days."
                : "A child's parents and who holds its sharing say that it is grown; where there are none, whoever brought "
                    + "it in, else the heads of its household.")
    }

    /// The kind of a member changed: a question is settled, and a child that is grown is told who said so.
    static func settleGrown(
        _ member: Member, before: Member, isUnanswered: Bool = false, _ act: Act
    ) throws(Rejection) {
        try act.run("DELETE FROM grown WHERE child = ?", .id(member.id))
        try forgetDue(member.id, act)
        if member.kind == .adult { try tellGrown(before, true, isUnanswered: isUnanswered, act) }
    }

    /// Nobody answered for so long that the child now counts as an adult.
    static func becameGrown(_ about: String, _ act: Act) throws(Rejection) {
        guard let id = Identifier(about.drop { $0 != "/" }.dropFirst()), let wish = try Wish.find(id, act),
            wish.refusedAt == nil, wish.askedAt.adding(days: Limits.grownDays) <= act.now,
            let child = try act.ask({ (database) throws(StoreFailure) in try People.member(id, database) }),
            child.kind == .child
        else { return }
        try becomeGrown(child, isUnanswered: true, act)
    }

    private static func becomeGrown(_ child: Member, isUnanswered: Bool = false, _ act: Act) throws(Rejection) {
        var grown = child
        grown.kind = .adult
        try act.run("UPDATE members SET kind = 'adult' WHERE id = ?", .id(child.id))
        try tell(Member.updated, child.id, act, changed: ["kind"])
        try settleGrown(grown, before: child, isUnanswered: isUnanswered, act)
    }

    private static func tellGrown(
        _ child: Member, _ isGrown: Bool, isUnanswered: Bool = false, _ act: Act
    ) throws(Rejection) {
        try act.emit(
            Grown.answered, .init(member: child.id, grown: isGrown, unanswered: isUnanswered ? true : nil),
            about: about(child.id), to: try concerned(child, act))
    }

    private static func concerned(_ child: Member, _ act: Act) throws(Rejection) -> Audience {
        try act.roster.only(try declarers(of: child, act) + [child.id])
    }

    private static func forgetDue(_ child: Identifier, _ act: Act) throws(Rejection) {
        try act.unplan(grownDue, about: about(child))
    }
}

/// A child asks to count as an adult.
enum Grown {
    static let asked = EventType(
        "member.grownAsked", "A child asks to count as an adult; the child and those who can answer.", Asked.self)
    static let answered = EventType(
        "member.grownAnswered",
        "A child counts as an adult, or is told that it does not yet; the child and those who can say so.",
        Answered.self)

    /// The child who asks, and how long the question waits.
    struct Asked: WireRecord {
        let member: Identifier
        let ends: Instant

        static let fields = Fields(
            nil, Asked.init(member:ends:),
            .required("member", \.member, .id),
            .required("ends", \.ends, .time, "From when on it is so without an answer."))
    }

    /// The answer to the question.
    struct Answered: WireRecord {
        let member: Identifier
        let grown: Bool
        let unanswered: Bool?

        static let fields = Fields(
            nil, Answered.init(member:grown:unanswered:),
            .required("member", \.member, .id),
            .required("grown", \.grown, .bool),
            .optional("unanswered", \.unanswered, .bool, "True: nobody answered, so it is so."))

        /// The same in the inbox.
        var word: String { !grown ? "notYet" : unanswered == true ? "unanswered" : "grown" }
    }
}
