public import KinModel
public import KinStore

/// An event that an act emitted, as areas are told of it within the act's own savepoint (``Area/told``): what they make
/// of it is on disk with the event or not at all.
public struct Told: Sendable {
    /// What happened, such as `member.joined`.
    public let type: String
    /// When, as its audience is told: rounded for those who may not know better.
    public let at: Instant
    /// What it is about.
    public let about: String
    /// Who did it; `nil` for the daemon and the machine.
    public let by: Identifier?
    /// Whether it was at the machine, in that member's name.
    public var isAtMachine = false
    /// Who sees the event.
    public let audience: Audience
    /// The event's data.
    public let data: JSON
}
