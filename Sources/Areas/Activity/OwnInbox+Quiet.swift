import KinKeeper
import KinModel
import KinStore

/// Quiet hours: what comes in them is held back, and summed up when they end.
extension OwnInbox {
    /// Due work: the quiet hours of a member end.
    static let quietDue = "inbox.quiet"

    private var about: String { "inbox/\(owner.id)" }

    /// Looks again when the quiet hours end.
    func hold(until: Instant) throws(Rejection) {
        try act.plan(Self.quietDue, about: about, at: until)
    }

    /// The quiet hours of a member may be over.
    static func fellDue(_ about: String, _ act: Act) throws(Rejection) {
        guard let id = Identifier(about.dropFirst("inbox/".count)), let owner = try act.roster[id] else { return }
        try OwnInbox(owner, act).release()
    }

    /// Shows what was held back: one entry as it is, several as one digest. Does nothing while it is quiet.
    func release() throws(Rejection) {
        if let until = try InboxSettings.of(owner.id, act)?.quietUntil(act.now) { return try hold(until: until) }
        let held = try act.rows("SELECT id FROM inbox WHERE member = ? AND state = 1", .id(owner.id)) { row in
            row.identifier(0)
        }
        guard let first = held.first else { return }
        if held.count == 1 {
            try act.run("UPDATE inbox SET state = 0, at = ? WHERE id = ?", .time(act.now), .id(first))
            try show(first)
        } else if let digest = try sumUp(held) {
            try show(digest)
        }
    }

    private func show(_ id: Identifier) throws(Rejection) {
        guard let entry = try ask({ (query) throws(StoreFailure) in try query.entry(id) }) else { return }
        try emit(entry, unread: try unread())
    }
}
