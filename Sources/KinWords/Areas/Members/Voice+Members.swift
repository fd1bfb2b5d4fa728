import KinModel

extension Voice {
    /// What happened among members, households and on the daemon.
    func family() -> String? {
        switch event.type {
        case Family.founded.name:
            return phrase("event.family.founded", ["family": name(event[Family.founded]?.family.name)])
        case Family.renamed.name:
            return phrase("event.family.renamed", ["family": name(event[Family.renamed]?.family.name)])
        case Household.founded.name:
            let household = name(event[Household.founded]?.household.name)
            guard let by else { return phrase("event.household.founded-by-nobody", ["household": household]) }
            return phrase("event.household.founded", ["by": by, "household": household])
        case Household.renamed.name:
            let household = name(event[Household.renamed]?.household.name)
            return phrase("event.household.renamed", ["by": admin, "household": household])
        case Household.removed.name:
            return phrase("event.household.removed", ["household": home(event[Household.removed]?.household)])
        case Member.joined.name:
            let new = event[Member.joined]?.member
            return phrase("event.member.joined", ["member": name(new), "household": home(new?.household)])
        case Member.added.name:
            let new = event[Member.added]?.member
            return phrase(
                "event.member.added", ["by": admin, "member": name(new), "household": home(new?.household)])
        case Member.updated.name: return updated
        case Member.moved.name:
            let moved = event[Member.moved]?.member
            return phrase("event.member.moved", ["member": name(moved), "household": home(moved?.household)])
        case Member.removed.name:
            return phrase("event.member.removed", ["member": member(event[Member.removed]?.member)])
        default: return account()
        }
    }

    /// Of the types that the area declares for itself.
    private func account() -> String? {
        switch event.type {
        case "invite.created": return invite
        case "invite.revoked": return phrase("event.invite.revoked", ["by": admin])
        case "session.opened":
            let device = data["device"]?.string.map { Plain.line($0) }
            return phrase("event.session.opened", ["device": device ?? phrase("device.another")])
        case "permission.changed":
            let line: JSON = .object(leavingOut: [
                "kind": "permissionChanged", "what": data["what"], "device": data["device"],
            ])
            return inbox.sentence(line, of: .mine(event.at))
        case "account.changed":
            let line: JSON = .object(leavingOut: [
                "kind": "accountChanged", "what": data["what"], "device": data["device"], "until": data["until"],
                "by": (event.by ?? data["setBy"]?.identifier).map { .id($0) },
            ])
            return inbox.sentence(line, of: .about("member/\(data["member"]?.string ?? "")", event.at))
        case "household.asked": return asked("moveAsked")
        case "household.answered": return asked("moveAnswered")
        case "member.grownAsked": return asked("grownAsked")
        case "member.grownAnswered":
            guard data["member"]?.identifier == names.me || data["unanswered"]?.bool == true else {
                let key = data["grown"]?.bool == true ? "event.member.grown" : "event.member.not-grown"
                return phrase(key, ["by": admin, "member": member(data["member"]?.identifier)])
            }
            return asked("grownAnswered")
        default: return nil
        }
    }

    /// What is not as it was, when it is one thing that has a name.
    private var updated: String {
        let data = event[Member.updated]
        let member = name(data?.member)
        switch data?.changed ?? [] {
        case ["role"]:
            let role = phrase("rank.\((data?.member.role ?? .member).rawValue)")
            return phrase("role.set-event", ["member": member, "role": role])
        case ["picture"]: return phrase("event.member.picture", ["member": member])
        default: return phrase("event.member.updated", ["member": member])
        }
    }

    private var invite: String {
        let invite = data["invite"]
        let household = home(invite?["household"]?.identifier)
        guard let expires = invite?["expires"]?.instant else {
            return phrase("event.invite.created", ["by": admin, "household": household])
        }
        return phrase(
            "event.invite.created-until",
            ["by": admin, "household": household, "time": reader.short(expires, now: now)])
    }

    private func name(_ text: String?) -> String { Plain.line(text ?? "") }
    private func name(_ member: Member?) -> String {
        guard let member else { return phrase("names.somebody") }
        // Told apart from others by those who are known; else as the event has it.
        return names.knows(member) ? self.member(member.id) : Plain.line(member.displayName)
    }
    private func home(_ id: Identifier?) -> String { names.household(id, reader) }

    /// What is asked and answered about a member, as its inbox would say it.
    private func asked(_ kind: String) -> String {
        var answer = data["answer"]
        if let isGrown = data["grown"]?.bool {
            answer = data["unanswered"]?.bool == true ? "unanswered" : isGrown ? "grown" : "notYet"
        }
        let line: JSON = .object(leavingOut: [
            "kind": .string(kind), "by": event.by.map { .id($0) }, "answer": answer, "household": data["household"],
        ])
        let member = data["member"]?.identifier.map { "member/\($0)" }
        return inbox.sentence(line, of: .about(member ?? event.about, event.at))
    }
}
