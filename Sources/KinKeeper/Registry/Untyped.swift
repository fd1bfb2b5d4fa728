package import KinModel

/// An event's data that no type of its own declares yet.
package struct Untyped: WireValue {
    package let json: JSON
    package init(_ json: JSON) { self.json = json }
    package static let shape = Shape.any
}

extension EventType where Data == Untyped {
    /// A type of event whose data no type of its own declares yet.
    package init(
        _ name: String, _ summary: String, data: Shape, isLatestOnly: Bool = false, sight: SightChange = .keeps,
        isInEveryView: Bool = false, abouts: (@Sendable (Untyped) -> [String])? = nil
    ) {
        self = EventType(
            name, summary, Untyped.self, isLatestOnly: isLatestOnly, sight: sight, isInEveryView: isInEveryView,
            clears: abouts
        ).shaped(data)
    }
}
