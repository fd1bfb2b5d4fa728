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
    public let isAtMachine: Bool
    /// Who sees the event.
    public let audience: Audience
    /// The event's data; see the subscript.
    let value: any WireValue
    /// The same as it is written.
    let data: JSON
    /// The text of what it is about, where people gave it one: handed along, since nobody else reads it up.
    public let title: String?
    /// Whose thing it is, where that is somebody: handed along too.
    public let owner: Identifier?

    /// An event of a type.
    package init<Data>(
        _ type: EventType<Data>, _ data: Data, json: JSON? = nil, at: Instant, about: String, by: Identifier?,
        isAtMachine: Bool = false, audience: Audience, title: String? = nil, owner: Identifier? = nil
    ) {
        self.type = type.name
        self.at = at
        self.about = about
        self.by = by
        self.isAtMachine = isAtMachine
        self.audience = audience
        value = data
        self.data = json ?? data.json
        self.title = title
        self.owner = owner
    }

    /// The event's data, where it is of a type.
    public subscript<Data>(type: EventType<Data>) -> Data? {
        self.type.hasSameBytes(as: type.name) ? value as? Data : nil
    }

    /// What in inboxes is about the same thing as the event, which is of a type that takes or ends sight.
    package func cleared(by type: any EventDeclaration) -> [String] { type.cleared(by: value) ?? [about] }

    /// The member the event is about, where it is about one.
    public var subject: Identifier? { data["member"].flatMap { $0.identifier ?? $0["id"]?.identifier } }
}
