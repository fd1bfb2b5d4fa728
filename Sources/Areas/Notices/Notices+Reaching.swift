import KinKeeper
import KinModel
import KinStore

/// The reach of a ring: devices that received it, and members whom nothing reaches.
extension Notices {
    /// The daemon calls this itself: listening devices were handed a ring, and the member who called wants to know.
    static let taken = Method.command(
        "notice.taken", "Notes whose devices were handed a ring as it came.", access: .machine,
        note: "the daemon itself",
        [
            .required("entry", .id, "The entry that rang."),
            .required("devices", .list(.id, max: Limits.noticeDevicesMax), "Those that listened."),
        ],
        result: .nothing, route: nil, events: [],
        apply: { (act, params) throws(Rejection) in
            let entry = try params.id("entry")
            for device in (params["devices"]?.array ?? []).compactMap(\.identifier) {
                let owner = try act.first("SELECT member FROM notice_devices WHERE id = ?", .id(device)) { row in
                    row.identifier(0)
                }
                guard let owner else { continue }
                try act.run("UPDATE notice_devices SET taken = ? WHERE id = ?", .time(act.now), .id(device))
                try Bell.noteTaken(entry, by: owner, act)
            }
            return .done([:])
        }
    ).forGateways()

    static let unreached = Method.query(
        "notice.unreached", "Members whom nothing reaches while no page of theirs is open.", access: .admins,
        note: "none of whose devices came for anything in \(Limits.noticeReachDays) days; nothing more is told of them",
        result: .object([.required("members", .list(.id, max: Limits.membersMax))]),
        route: Route("GET", "/api/notices/unreached"),
        apply: { (act, _) throws(Rejection) in
            let reached = Set(
                try act.rows(
                    "SELECT DISTINCT member FROM notice_devices WHERE taken >= ?",
                    .time(act.now.adding(days: -Limits.noticeReachDays))
                ) { row in row.identifier(0) })
            let missing = try act.roster.entries.map(\.id).filter { !reached.contains($0) }.sorted()
            return .done(["members": .array(missing.map { .id($0) })])
        })
}

extension Bell {
    /// A device of a member received the ring of an entry. The area that the entry is about may want to know.
    static func noteTaken(_ entry: Identifier, by member: Identifier, _ act: Act) throws(Rejection) {
        let about = try act.first(
            "SELECT about FROM notice_rings WHERE member = ? AND entry = ? AND act = 'ring'", .id(member), .id(entry)
        ) { row in row.text(0) }
        guard let about else { return }
        for hook in act.hooks.took { try hook(act, about, member) }
    }
}
