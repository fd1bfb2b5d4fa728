package import KinModel

/// One event being told to a reader: names, never ids. One sentence for each type of event, in the message files.
package struct Voice {
    package let event: Event
    package let names: Names
    package let reader: Reader
    package let now: Instant

    package init(_ event: Event, _ names: Names, _ reader: Reader, now: Instant) {
        self.event = event
        self.names = names
        self.reader = reader
        self.now = now
    }

    /// What the event says, whatever it is: an unknown type by its name.
    package var text: String {
        let by = by ?? phrase("by.daemon")
        let text = sentence ?? phrase("event.other", ["by": by, "type": Plain.line(event.type)])
        // A line of the inbox says it by itself.
        let isSaid = inbox.saysMachine(event.data["entry"]?["lines"]?.array?.last)
        return event.isAtMachine && !isSaid ? phrase("by.at-machine", ["text": text, "name": by]) : text
    }

    /// What happened; `nil` for what is not known here.
    package var sentence: String? {
        for area in AreaWords.all { if let sentence = area.sentence(self) { return sentence } }
        switch event.type {
        case "reset": return phrase("event.reset")
        case "quota.near":
            return inbox.sentence(["kind": "quotaNear", "what": data["what"] ?? .null], of: .mine(event.at))
        default: return nil
        }
    }

    /// Whether the event only repeats another event to the same member. An inbox is made from events, and a follower
    /// has seen those.
    package var isEcho: Bool { AreaWords.all.contains { $0.isEcho(self) } }

    // MARK: For the areas

    package var data: JSON { event.data }
    /// Who did it; `nil` when the daemon did.
    package var by: String? { event.by.map { member($0) } }
    /// Who did it, where only those who may do such things did.
    package var admin: String { by ?? phrase("by.admin") }
    /// The same reader's inbox.
    package var inbox: InboxVoice { InboxVoice(names, reader, now: now) }
    package func member(_ id: Identifier?) -> String { names.member(id, reader) }
    package func near(_ instant: Instant?) -> String { instant.map { reader.near($0, now: now) } ?? "?" }

    package func phrase(
        _ key: String, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
    ) -> String { reader.phrase(key, values) }
}
