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

    /// What happened among members, households and on the daemon.
    func family() -> String? {
        switch event.type {
        case "family.founded": return phrase("event.family.founded", ["family": name(data["family"])])
        case "family.renamed": return phrase("event.family.renamed", ["family": name(data["family"])])
        case "household.founded":
            let household = name(data["household"])
            guard let by else { return phrase("event.household.founded-by-nobody", ["household": household]) }
            return phrase("event.household.founded", ["by": by, "household": household])
        case "household.renamed":
            return phrase("event.household.renamed", ["by": admin, "household": name(data["household"])])
        case "household.removed":
            return phrase("event.household.removed", ["household": names.household(data["household"]?.identifier)])
        case "member.joined": return phrase("event.member.joined", ["member": member, "household": home])
        case "member.added":
            return phrase("event.member.added", ["by": admin, "member": member, "household": home])
        case "member.updated": return updated
        case "member.moved": return phrase("event.member.moved", ["member": member, "household": home])
        case "member.removed":
            return phrase("event.member.removed", ["member": names.member(data["member"]?.identifier)])
        case "invite.created": return invite
        case "invite.revoked": return phrase("event.invite.revoked", ["by": admin])
        case "session.opened":
            let device = data["device"]?.string.map { Plain.line($0) }
            return phrase("event.session.opened", ["device": device ?? phrase("device.another")])
        case "activity.announced":
            return phrase(
                "event.activity.announced", ["by": by ?? "Kinwire", "text": Plain.line(data["text"]?.string ?? "")])
        case "activity.deleted": return phrase("event.activity.deleted")
        case "reset": return phrase("event.reset")
        default: return nil
        }
    }

    /// Where somebody is.
    func map() -> String? {
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
                return InboxVoice(names: names, now: now).sentence(line, of: .mine(event.at))
            }
            return Sentence.state(of: sharing, now: now)
        case let type where type.hasPrefix("place."): return places()
        default: return nil
        }
    }

    /// What is not as it was, when it is one thing that has a name.
    private var updated: String {
        let role = phrase("rank.\(data["member"]?["role"]?.string ?? "member")")
        switch (data["changed"]?.array ?? []).compactMap(\.string) {
        case ["role"]: return phrase("role.set-event", ["member": member, "role": role])
        case ["picture"]: return phrase("event.member.picture", ["member": member])
        default: return phrase("event.member.updated", ["member": member])
        }
    }

    private var invite: String {
        let invite = data["invite"]
        let household = names.household(invite?["household"]?.identifier)
        guard let expires = invite?["expires"]?.instant else {
            return phrase("event.invite.created", ["by": admin, "household": household])
        }
        return phrase(
            "event.invite.created-until",
            ["by": admin, "household": household, "time": LocalTime.short(expires, now: now)])
    }

    private func name(_ json: JSON?) -> String { Plain.line(json?["name"]?.string ?? "") }
    private var member: String {
        let member = data["member"].flatMap(Member.init)
        // Told apart from others by those who are known; else as the event has it.
        if let member, names.knows(member) { return names.member(member.id) }
        return Plain.line(data["member"]?["displayName"]?.string ?? phrase("names.somebody"))
    }
    private var home: String {
        data["household"].flatMap(Household.init).map { Plain.line($0.name) }
            ?? names.household(data["member"]?["household"]?.identifier)
    }
}
