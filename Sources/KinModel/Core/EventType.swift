/// A type of event with its data, declared once: what emits it and what reads it name this value, never a string.
///
/// It is declared in an extension of what it tells of. Where that is a value on the wire, the type stands in KinModel
/// beside the value, for clients hold the value and fold or list it. Where it is something that no client holds, such as
/// a question, an invite, a sign-in or a stay, the type stands in the area beside what emits it. Clients cannot import
/// areas: they know such a type by its name, and read its data as JSON. `EventNameTests` holds both to this.
public struct EventType<Data: WireValue>: EventDeclaration {
    /// Its name, such as `member.joined`.
    public let name: String
    /// One sentence: what happened and who is told.
    public let summary: String
    /// The shape of its `data`.
    public private(set) var data: Shape
    /// Whether a newer one of the same key supersedes it.
    public let isLatestOnly: Bool
    /// Its effect on the sight of the thing that it is about.
    public let sight: SightChange
    /// Whether it belongs to every view, not only to its area's: it happens to the family itself.
    public let isInEveryView: Bool
    private let clears: (@Sendable (Data) -> [String])?

    /// A type of event. `clears`: the lines of inboxes about the same thing, as patterns of LIKE. It is given where the
    /// event takes or ends sight and these lines are not only about what the event itself is about.
    public init(
        _ name: String, _ summary: String, _: Data.Type, isLatestOnly: Bool = false,
        sight: SightChange = .keeps, isInEveryView: Bool = false, clears: (@Sendable (Data) -> [String])? = nil
    ) {
        precondition(clears == nil || sight == .takes || sight == .ends, "\(name) clears inboxes of what is still seen")
        self.name = name
        self.summary = summary
        self.data = Data.shape
        self.isLatestOnly = isLatestOnly
        self.sight = sight
        self.isInEveryView = isInEveryView
        self.clears = clears
    }

    /// A type of event that has no data.
    public init(
        _ name: String, _ summary: String, sight: SightChange = .keeps, isInEveryView: Bool = false
    ) where Data == Nothing {
        self.init(name, summary, Nothing.self, sight: sight, isInEveryView: isInEveryView)
    }

    /// The same type with another shape of its data, which has a bound more than its fields.
    public func shaped(_ shape: Shape) -> EventType {
        var copy = self
        copy.data = shape
        return copy
    }

    /// The inbox lines about the same thing, as patterns of LIKE; `nil`: those about the event's own thing.
    public func cleared(by data: any WireValue) -> [String]? { (data as? Data).flatMap { clears?($0) } }
}

/// A type of event, whatever data it has: as a registry lists it.
public protocol EventDeclaration: Sendable {
    /// Its name.
    var name: String { get }
    /// One sentence: what happened and who is told.
    var summary: String { get }
    /// The shape of its `data`.
    var data: Shape { get }
    /// Whether a newer one of the same key supersedes it.
    var isLatestOnly: Bool { get }
    /// Its effect on the sight of the thing that it is about.
    var sight: SightChange { get }
    /// Whether it belongs to every view.
    var isInEveryView: Bool { get }
    /// The inbox lines about the same thing, as patterns of LIKE; `nil`: those about the event's own thing.
    func cleared(by data: any WireValue) -> [String]?
}

extension Event {
    /// The event's data, where it is of a type and can be read.
    public subscript<Data>(type: EventType<Data>) -> Data? {
        self.type.hasSameBytes(as: type.name) ? Data(data) : nil
    }
}

/// The effect of an event on its audience's sight of a thing. It ensures that nothing about the thing stays where it
/// may no longer be known.
public enum SightChange: Sendable {
    /// Nothing is seen from here on that was not, and the other way round.
    case keeps
    /// Its audience sees the thing from here on, and gets all of it.
    case gives
    /// Its audience sees the thing no longer.
    case takes
    /// The thing is gone, for everybody.
    case ends
}
