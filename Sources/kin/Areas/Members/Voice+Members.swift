import KinModel

extension Voice {
    /// What happened among members, households and on the daemon.
    func family() -> String? {
        let voice = InboxVoice(names: names, now: now)
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
        case "permission.changed":
            let line: JSON = .object(leavingOut: [
                "kind": "permissionChanged", "what": data["what"], "device": data["device"],
            ])
            return voice.sentence(line, of: .mine(event.at))
        case "account.changed":
            let line: JSON = .object(leavingOut: [
                "kind": "accountChanged", "what": data["what"], "device": data["device"], "until": data["until"],
                "by": (event.by ?? data["setBy"]?.identifier).map { .id($0) },
            ])
            return voice.sentence(line, of: .about("member/\(data["member"]?.string ?? "")", event.at))
        case "household.asked": return asked("moveAsked", voice)
        case "household.answered": return asked("moveAnswered", voice)
        case "member.grownAsked": return asked("grownAsked", voice)
        case "member.grownAnswered":
            guard data["member"]?.identifier == names.me || data["unanswered"]?.bool == true else {
                let key = data["grown"]?.bool == true ? "event.member.grown" : "event.member.not-grown"
                return phrase(key, ["by": admin, "member": names.member(data["member"]?.identifier)])
            }
            return asked("grownAnswered", voice)
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

    /// What is asked and answered about a member, as its inbox would say it.
    private func asked(_ kind: String, _ voice: InboxVoice) -> String {
        var answer = data["answer"]
        if let isGrown = data["grown"]?.bool {
            answer = data["unanswered"]?.bool == true ? "unanswered" : isGrown ? "grown" : "notYet"
        }
        let line: JSON = .object(leavingOut: [
            "kind": .string(kind), "by": event.by.map { .id($0) }, "answer": answer, "household": data["household"],
        ])
        let member = data["member"]?.identifier.map { "member/\($0)" }
        return voice.sentence(line, of: .about(member ?? event.about, event.at))
    }
}
