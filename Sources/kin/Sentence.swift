import KinModel
import KinWords

/// The sentence about an event, for the member at this terminal.
enum Sentence {
    static func of(_ event: Event, _ names: Names, now: Instant = LocalTime.now) -> String {
        Voice(event, names, now: now).text
    }
}

extension Voice {
    /// The sentence for the person at this terminal.
    init(_ event: Event, _ names: Names, now: Instant) { self.init(event, names, .here, now: now) }
}

extension InboxVoice {
    /// The voice for the person at this terminal.
    init(names: Names, now: Instant) { self.init(names, .here, now: now) }
}

/// The names that ids stand for, for the member at this terminal.
extension Names {
    func member(_ id: Identifier?) -> String { member(id, .here) }
    func household(_ id: Identifier?) -> String { household(id, .here) }
    func place(_ id: Identifier?) -> String { place(id, .here) }
    func title(_ id: Identifier?) -> String { title(id, .here) }
}
