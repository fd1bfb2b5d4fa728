import KinModel
import KinStore

/// A child's settings in the hands of an adult of its household. The child sees that; its own switch does nothing while
/// it is so.
extension Consent {
    /// Whose settings a caller means, and may see or change: the own unless somebody holds them, and those it holds.
    static func settings(
        of asked: Identifier?, toChange: Bool, _ act: Act
    ) throws(Rejection) -> Identifier {
        let caller = try act.member.id
        let member = asked ?? caller
        if member != caller { _ = try act.member(member) }
        let holder = try act.ask { (database) throws(StoreFailure) in try find(database, member) }?.holder
        if member == caller {
            guard toChange, holder != nil else { return member }
            throw Rejection(.forbidden, "An adult of your household holds your sharing; ask them.")
        }
        guard holder == caller else {
            throw Rejection(
                .forbidden, "You do not hold this member's sharing; an adult can for a child of the household.",
                field: "member")
        }
        return member
    }

    /// Takes or gives back a child's settings. Links that the child made end with its own hand.
    mutating func hold(by holder: Identifier?, _ act: Act) throws(Rejection) {
        guard holder != self.holder else { return }
        self.holder = holder
        try save(act)
        if holder != nil { try GuestLinks.endAll(of: track, act) }
        try tell(act)
    }

    /// Somebody moved, left, grew up or has another role: settings that nobody may hold any more are the member's own.
    static func checkHolders(_ act: Act) throws(Rejection) {
        for var consent in try all(act) {
            guard let holder = consent.holder else { continue }
            let (child, adult) = try act.ask { (database) throws(StoreFailure) in
                (try Members.member(consent.member, database), try Members.member(holder, database))
            }
            guard let child, let adult, mayHold(adult, child) else {
                try consent.hold(by: nil, act)
                continue
            }
        }
    }

    /// Whether somebody may hold a member's settings.
    static func mayHold(_ adult: Member, _ child: Member) -> Bool {
        adult.kind == .adult && adult.role != .guest && child.kind == .child && adult.household == child.household
    }
}

extension Map {
    static let holdSharing = Method.command(
        "sharing.hold", "Takes a child's sharing settings into an adult's hands, or gives them back.",
        access: .family, note: "adults, for children of their household",
        [
            .required("member", .id, "The child."),
            .required("hold", .bool, "True: the caller holds them from now on. False: they are the child's own again."),
        ],
        result: .object([.required("sharing", ownSharing)]),
        route: Route("PUT", "/api/members/{member}/sharing/holder"), events: ["sharing.changed"],
        again: { (act, ids) throws(Rejection) in
            try shownSharing(of: try Consent.settings(of: ids.first, toChange: false, act), act)
        },
        apply: { (act, params) throws(Rejection) in
            let child = try act.member(try params.id("member"))
            let adult = try act.member(try act.member.id)
            try act.require(
                Consent.mayHold(adult, child), "Only an adult holds the sharing of a child of the same household.")
            var consent = try Consent.of(child.id, act)
            guard params["hold"]?.bool == true else {
                try consent.hold(by: nil, act)
                return .done(try shownSharing(of: child.id, act))
            }
            try consent.hold(by: adult.id, act)
            return .done(try shownSharing(of: child.id, act), ids: [child.id])
        }
    ).forOwnWord()
}
