import KinModel

extension Voice {
    /// Where somebody is, and who sees it.
    func map() -> String? {
        switch event.type {
        case Position.seen.name: return position
        case Position.hidden.name: return hidden(event[Position.hidden])
        case Position.deleted.name: return hidden(event[Position.deleted])
        case Sharing.changed.name: return sharing
        // Types that the area declares for itself.
        case "position.silent": return said("phoneSilent", ["last": data["last"], "cause": data["cause"]])
        case "position.asked": return said("positionAsked", ["by": event.by.map { .id($0) }])
        case "sharing.asked":
            return said(
                "sharingAsked",
                ["by": data["viewer"], "group": data["group"], "precision": data["precision"]], about: whose)
        case "sharing.toConfirm": return said("sharingToConfirm", ["until": data["until"]], about: whose)
        case "sharing.child":
            return said("childSharing", ["by": event.by.map { .id($0) }, "hold": data["what"]], about: whose)
        case let type where type.hasPrefix("place."): return places()
        default: return nil
        }
    }

    private var position: String? {
        switch event[Position.seen] {
        case .position(let position):
            phrase("event.position", ["member": member(position.member), "place": names.whereabouts(position, reader)])
        case .presence(let presence):
            phrase("event.presence", ["member": member(presence.member), "place": reader.place(presence)])
        case nil: nil
        }
    }

    private func hidden(_ data: Member.Named?) -> String {
        phrase("event.position.hidden", ["member": member(data?.member)])
    }

    private var sharing: String? {
        guard let data = event[Sharing.changed] else { return nil }
        if !data.sharing.isOn, event.by == nil { return phrase("sharing.ended") }
        // What somebody else did, or what was done besides switching.
        if self.data["changes"] != nil, data.changes != [.state] || event.by != names.me {
            return said(
                "sharingChanged",
                [
                    "by": event.by.map { .id($0) }, "state": .string(data.sharing.isOn ? "on" : "off"),
                    "changes": .array(data.changes.map { .string($0.rawValue) }),
                ])
        }
        return reader.state(of: data.sharing, now: now)
    }

    /// As the same in the inbox says it.
    private func said(_ kind: String, _ values: KeyValuePairs<String, JSON?>, about: String = "member/") -> String {
        var line: JSON = ["kind": .string(kind)]
        for (name, value) in values { if let value { line[name] = value } }
        return inbox.sentence(line, of: .mine(event.at, about: about))
    }

    private var whose: String { "position/\(data["member"]?.string ?? "")" }
}
