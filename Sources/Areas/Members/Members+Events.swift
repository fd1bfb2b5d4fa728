import KinKeeper
import KinModel
import KinStore

extension Members {
    static let events = [
        EventType(
            "family.founded", "The family was founded.", data: .object([.required("family", .family)]),
            isInEveryView: true),
        EventType("household.founded", "A household was founded; everyone.", data: .householdResult),
        EventType(
            "household.renamed", "A household has another name; everyone, and its guests.", data: .householdResult),
        EventType(
            "household.removed", "A household nobody lives in any more is gone; everyone.",
            data: .object([.required("household", .id)]), sight: .ends),
        EventType(
            "member.added", "An admin or head added a member; everyone, and guests of the household.",
            data: .memberResult),
        EventType(
            "member.joined", "A member joined with a code; everyone, and guests of the household.",
            data: .memberResult),
        EventType(
            "member.updated", "Something others see of a member changed; everyone, and guests of the household.",
            data: memberChanged),
        EventType("member.moved", "A member lives in another household; everyone.", data: memberChanged),
        EventType(
            "household.asked", "A member asks to move in; the member, whoever asked, and those who can answer.",
            data: .object([.required("member", .id), .required("household", .id)])),
        EventType(
            "household.answered",
            "A question to move in is answered or over, or somebody is admitted; the member, whoever asked, and those who "
                + "can answer.",
            data: .object([
                .required("member", .id), .required("household", .id),
                .required("answer", .oneOf(Move.Answer.allCases.map(\.rawValue))),
                .optional("askedBy", .id, "Absent where somebody was admitted without asking."),
            ])),
        EventType(
            "member.grownAsked", "A child asks to count as an adult; the child and those who can answer.",
            data: .object([
                .required("member", .id), .required("ends", .time, "From when on it is so without an answer."),
            ])),
        EventType(
            "member.grownAnswered",
            "A child counts as an adult, or is told that it does not yet; the child and those who can say so.",
            data: .object([
                .required("member", .id), .required("grown", .bool),
                .optional("unanswered", .bool, "True: nobody answered, so it is so."),
            ])),
        EventType(
            "member.removed", "A member is gone; everyone, and guests of the household.",
            data: .object([.required("member", .id)]), sight: .ends),
        EventType(
            "invite.created", "An invite was made; admins and heads of the household.",
            data: .object([.required("invite", .invite)])),
        EventType(
            "invite.revoked", "An invite is no longer good; admins and heads of the household.",
            data: .object([.required("invite", .id)])),
        EventType(
            "session.opened", "Somebody signed in as the member; the member.",
            data: .object([.required("session", .id), .required("device", .name)])),
        EventType(
            "permission.changed", "What opens the member's account changed; the member.",
            data: .object([
                .required("what", .oneOf(Permission.allCases.map(\.rawValue))),
                .optional("device", .name, "The app password's device."),
                .optional("scope", .scope, "What the app password is good for."),
            ])),
        Sessions.accountChanged,
    ]

    private static let memberChanged = Shape.object([
        .required("member", .member),
        .required("changed", .list(.token(max: 64), max: 16), "The member's fields that are not as they were."),
    ])

    /// What the log's rows about a member are about.
    static func about(_ member: Identifier) -> String { "member/\(member)" }

    /// What the log's rows about a household are about.
    static func about(household: Identifier) -> String { "household/\(household)" }

    /// Writes a member as it is now to everybody who sees it, except to some who get a fresh view: everything to
    /// everyone, to guests of the household what guests see. `isSeenByGuests` is false when nothing of that changed;
    /// `changed` names the member's fields that did, for the types of events that say so.
    static func tell(
        _ type: String, _ id: Identifier, _ act: Act, changed: [String]? = nil, except: Audience = Audience(),
        isSeenByGuests: Bool = true
    ) throws(Rejection) {
        guard let member = try act.ask({ (database) throws(StoreFailure) in try People.member(id, database) }) else {
            return
        }
        let roster = try act.roster
        func data(_ member: Member, _ changed: [String]?) -> JSON {
            .object(leavingOut: [
                "member": member.json, "changed": changed.map { .array($0.map { .string($0) }) },
            ])
        }
        try act.emit(
            type, about: about(id), to: roster.everyone.subtracting(except), data: data(member, changed),
            title: type == "member.updated" || type == "member.moved" ? nil : member.displayName)
        guard isSeenByGuests else { return }
        try act.emit(
            type, about: about(id), to: roster.guests(of: member.household).subtracting(except),
            data: data(member.asGuestsSee, changed?.filter { !["username", "parents", "partners"].contains($0) }),
            title: type == "member.updated" || type == "member.moved" ? nil : member.displayName)
    }

    /// Tells a member what opens their account from now on, or no longer does.
    static func tell(
        _ what: Permission, of id: Identifier, _ act: Act, device: String? = nil, scope: String? = nil
    ) throws(Rejection) {
        try act.emit(
            "permission.changed", about: about(id), to: try act.roster.only(id),
            data: .object(leavingOut: [
                "what": .string(what.rawValue), "device": device.map { .string($0) },
                "scope": scope.map { .string($0) },
            ]))
    }
}

extension Roster {
    /// Who deals with a household's invites: admins and the household's heads.
    func leaders(of household: Identifier) -> Audience {
        Audience(
            entries.filter { $0.role == .admin || ($0.role == .head && $0.household == household) }.map(\.number))
    }
}
