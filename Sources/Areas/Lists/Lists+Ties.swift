import KinKeeper
import KinModel
import KinStore

/// The tie of a list to one entry, meal or meeting. Only a member who sees both is told of it. The audience of the thing may
/// change without the list, so the tie stands in no snapshot and in no event: each answer says what is so then.
extension Lists {
    private static let kinds: Set = ["entry", "meal", "meeting"]

    static let tied = Field.optional(
        "about", .nullable(Message.aboutForm.shape),
        "The entry, meal or meeting that it belongs to, such as meal/ with its identifier; the caller sees it.")

    /// Ties a list to the thing that was given, or removes the tie.
    static func tie(_ list: StoredList, _ params: Params, _ act: Act) throws(Rejection) {
        guard params["about"] != nil else { return }
        let (before, now) = (try tie(of: list, act), params.optionalString("about"))
        guard before != now else { return }
        if let now {
            guard isTied(to: now) else {
                throw Rejection(.invalid, "A list belongs to an entry, a meal or a meeting.", field: "about")
            }
            try act.requireSeen(now, field: "about")
            try act.run(
                "INSERT OR REPLACE INTO list_ties (list, about) VALUES (?, ?)", .int(list.number), .text(now))
        } else {
            try act.run("DELETE FROM list_ties WHERE list = ?", .int(list.number))
        }
        var told: [Int32] = []
        for reader in try act.roster.entries(in: try shared.seers(of: list.number, act)) {
            for about in [before, now].compactMap(\.self) where told.last != reader.number {
                if try act.sees(about, reader) { told.append(reader.number) }
            }
        }
        try act.emit(SharedList.tied, .init(list: list.wire.id), about: about(list.wire.id), to: Audience(told))
    }

    /// With whom a new list is shared where nobody says so. Its name tells what it belongs to, so nobody sees it who does not
    /// see that.
    static func sharedAtFirst(_ params: Params, _ act: Act) throws(Rejection) -> SharedWith {
        guard params["audience"] == nil, let about = params.optionalString("about"), isTied(to: about) else {
            return .everyone
        }
        try act.requireSeen(about, field: "about")
        return try act.sharedAs(about)
    }

    private static func isTied(to about: String) -> Bool { kinds.contains(String(about.prefix { $0 != "/" })) }

    /// The thing that a list belongs to, where the caller sees it.
    static func seenTie(of list: StoredList, _ act: Act) throws(Rejection) -> String? {
        guard let about = try tie(of: list, act), let reader = try act.roster[try act.member.id],
            try act.sees(about, reader)
        else { return nil }
        return about
    }

    /// The thing to which lists belonged is gone. An entry that can be brought back keeps its list meanwhile, but
    /// nobody sees that.
    static func untie(_ about: String, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM list_ties WHERE about = ?", .text(about))
    }

    private static func tie(of list: StoredList, _ act: Act) throws(Rejection) -> String? {
        try act.first("SELECT about FROM list_ties WHERE list = ?", .int(list.number)) { row in row.text(0) }
    }
}
