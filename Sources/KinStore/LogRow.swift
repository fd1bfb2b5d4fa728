public import KinModel

/// One event as the log keeps it.
public struct LogRow: Sendable, Equatable {
    /// Its place in the one order; ascending, with gaps where something was superseded or deleted.
    public let position: Int64
    /// The moment at which it was written. It is before an earlier row's only where a wrong clock was put right in
    /// between.
    public let at: Instant
    /// What happened: `meeting.voted`.
    public let type: String
    /// The member who did it; `nil` for the daemon.
    public let by: Identifier?
    /// The thing it is about: `meeting/0198…`. Deleting the thing erases every row that names it here.
    public let about: String
    /// For latest-only events: the newest row of a key is the only one.
    public let key: String?
    /// Who may see it, as it was when it was written.
    public let audience: Audience
    /// Random bits, once per event, that go into its cursor.
    public let salt: UInt64
    /// The event's `data`, encoded once.
    public let payload: [UInt8]

    /// A row of the log.
    public init(
        position: Int64, at: Instant, type: String, by: Identifier?, about: String, key: String?, audience: Audience,
        salt: UInt64, payload: [UInt8]
    ) {
        self.position = position
        self.at = at
        self.type = type
        self.by = by
        self.about = about
        self.key = key
        self.audience = audience
        self.salt = salt
        self.payload = payload
    }

    /// The row with a smaller audience.
    public func narrowed(to audience: Audience) -> LogRow {
        LogRow(
            position: position, at: at, type: type, by: by, about: about, key: key, audience: audience, salt: salt,
            payload: payload)
    }
}
