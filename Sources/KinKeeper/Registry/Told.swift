public import KinModel
public import KinStore

/// An event that an act emitted, as areas are told of it (``Area/told``). They are told within the act's own savepoint, so
/// that their answers are on disk together with the event, or not at all.
public struct Told: Sendable {
    /// Its type, such as `member.joined`.
    public let type: String
    /// The time that its audience is told: rounded for members who may not know it better.
    public let at: Instant
    /// The thing that it is about, such as `member/0198…`.
    public let about: String
    /// The member who did it; `nil` for the daemon and the machine.
    public let by: Identifier?
    /// Whether the machine did it, in that member's name.
    public let isAtMachine: Bool
    /// The members who see the event.
    public let audience: Audience
    /// The event's data; see the subscript.
    let value: any WireValue
    /// The data as JSON, as it is written.
    let data: JSON
    /// The title of the thing, where people gave it one. It is handed along, so that nobody has to read it again.
    public let title: String?
    /// The owner of the thing, where it has one. It is handed along, too.
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

    /// The lines of inboxes about the same thing, as patterns of LIKE, for an event that takes or ends sight.
    package func cleared(by type: any EventDeclaration) -> [String] { type.cleared(by: value) ?? [about] }

    /// The member the event is about, where it is about one.
    public var subject: Identifier? { data["member"].flatMap { $0.identifier ?? $0["id"]?.identifier } }
}
