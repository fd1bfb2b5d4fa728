import KinModel

extension Voice {
    /// Where somebody is.
    func map() -> String? {
        let voice = InboxVoice(names: names, now: now)
        let whose = "position/\(data["member"]?.string ?? "")"
        switch event.type {
        case "position":
            if let position = Position(data) {
                let member = names.member(position.member)
                return phrase("event.position", ["member": member, "place": Sentence.place(position)])
            }
            return Presence(data).map {
                phrase("event.presence", ["member": names.member($0.member), "place": Sentence.place($0)])
            }
        case "position.hidden", "position.deleted":
            return phrase("event.position.hidden", ["member": names.member(data["member"]?.identifier)])
        case "sharing.changed":
            guard let sharing = data["sharing"].flatMap(Sharing.init) else { return nil }
            if !sharing.isOn, event.by == nil { return phrase("sharing.ended") }
            // What somebody else did, or what was done besides switching.
            if let changes = data["changes"]?.array, changes != ["state"] || event.by != names.me {
                let line: JSON = .object(leavingOut: [
                    "kind": "sharingChanged", "by": event.by.map { .id($0) },
                    "state": .string(sharing.isOn ? "on" : "off"),
                    "changes": .array(changes),
                ])
                return voice.sentence(line, of: .mine(event.at))
            }
            return Sentence.state(of: sharing, now: now)
        case "position.silent":
            let line: JSON = .object(leavingOut: [
                "kind": "phoneSilent", "last": data["last"], "cause": data["cause"],
            ])
            return voice.sentence(line, of: .mine(event.at))
        case "position.asked":
            let line: JSON = .object(leavingOut: ["kind": "positionAsked", "by": event.by.map { .id($0) }])
            return voice.sentence(line, of: .mine(event.at))
        case "sharing.asked":
            let line: JSON = .object(leavingOut: [
                "kind": "sharingAsked", "by": data["viewer"], "group": data["group"], "precision": data["precision"],
            ])
            return voice.sentence(line, of: .mine(event.at, about: whose))
        case "sharing.toConfirm":
            let line: JSON = .object(leavingOut: ["kind": "sharingToConfirm", "until": data["until"]])
            return voice.sentence(line, of: .mine(event.at, about: whose))
        case "sharing.child":
            let line: JSON = .object(leavingOut: [
                "kind": "childSharing", "by": event.by.map { .id($0) }, "hold": data["what"],
            ])
            return voice.sentence(line, of: .mine(event.at, about: whose))
        case let type where type.hasPrefix("place."): return places()
        default: return nil
        }
    }
}
