import KinModel

/// One event being told: what its sentences are made of.
struct Voice {
    let event: Event
    let names: Names
    let now: Instant

    init(_ event: Event, _ names: Names, now: Instant) {
        self.event = event
        self.names = names
        self.now = now
    }

    var data: JSON { event.data }
    /// Who did it; `nil` when the daemon did.
    var by: String? { event.by.map { names.member($0) } }
    /// Who did it, where only those who may do such things did.
    var admin: String { by ?? phrase("by.admin") }

    /// What happened; `nil` for what this kin does not know.
    var sentence: String? {
        for area in CommandArea.all { if let sentence = area.sentence(self) { return sentence } }
        switch event.type {
        case "reset": return phrase("event.reset")
        case "quota.near":
            let voice = InboxVoice(names: names, now: now)
            return voice.sentence(["kind": "quotaNear", "what": data["what"] ?? .null], of: .mine(event.at))
        default: return nil
        }
    }

    /// Whether the event only says once more what another event has said to the same member: an inbox is made from
    /// events, and whoever follows has seen those.
    var isEcho: Bool { CommandArea.all.contains { $0.isEcho(self) } }
}
