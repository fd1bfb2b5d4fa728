import KinKeeper
import KinModel
import KinStore

/// Lines of inboxes about lists. There are none unless a member asked to be told of a list. All that happens on a list
/// is one entry, about the list, and a burst is told once.
extension Lists {
    private static let listed = InboxKind("listed")

    static let inboxKinds = [listed]

    static let inboxRules = [
        InboxRule(
            ListItem.put, listed,
            .seers { (act, told) throws(Rejection) in try hearers(of: told[ListItem.put]?.item.list, told, act) },
            about: whole),
        InboxRule(
            ListItem.removed, listed,
            .seers { (act, told) throws(Rejection) in try hearers(of: told[ListItem.removed]?.list, told, act) },
            about: whole),
    ]

    /// The members who asked to be told, without those who were told a moment ago. An item that comes into sight
    /// together with its list is no news; it is told without a title.
    private static func hearers(
        of list: Identifier?, _ told: Told, _ act: Act
    ) throws(Rejection) -> Set<Identifier> {
        guard let list, told.title != nil else { return [] }
        return Set(
            try act.rows(
                """
                UPDATE list_asked SET told_at = ?2 WHERE list = (SELECT number FROM lists WHERE id = ?1)
                AND member IS NOT ?4 AND (told_at IS NULL OR told_at <= ?3) RETURNING member
                """, .id(list), .time(act.now), .time(act.now.adding(seconds: -Limits.listQuietSeconds)),
                Value(told.by)
            ) { row in row.identifier(0) })
    }

    /// The list to which an item belongs.
    private static let whole: @Sendable (String) -> String = { about in
        about.split(separator: "/").prefix(2).joined(separator: "/")
    }

    static let notify = Method.command(
        "list.notify", "Says whether the caller is told in the inbox when others change what stands on a list.",
        access: .signedIn, note: "who sees it, for oneself; nobody is told at first",
        [.required("list", .id), .required("on", .bool)], result: listResult,
        route: Route("PUT", "/api/lists/{list}/notify"), events: [],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let list = try StoredList.visible(act, try params.id("list"))
            let member = try act.member.id
            if params["on"]?.bool == true {
                try act.run(
                    "INSERT OR IGNORE INTO list_asked (list, member) VALUES (?, ?)", .int(list.number), .id(member))
            } else {
                try act.run("DELETE FROM list_asked WHERE list = ? AND member = ?", .int(list.number), .id(member))
            }
            return .done(try rendered(list, act), ids: [list.wire.id])
        })
}
