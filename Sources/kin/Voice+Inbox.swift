import KinModel

extension Voice {
    /// What happened in the own inbox, and what concerns the own account.
    func inbox() -> String? {
        let voice = InboxVoice(names: names, now: now)
        let unread = data["unread"]?.int ?? 0
        let whose = "position/\(data["member"]?.string ?? "")"
        switch event.type {
        case "activity.added":
            return phrase(
                "event.activity.added", ["text": data["entry"].flatMap(InboxEntry.init).map { voice.whole($0) } ?? "?"])
        case "activity.digested":
            return phrase(
                "event.activity.added", ["text": data["entry"].flatMap(InboxEntry.init).map { voice.whole($0) } ?? "?"])
        case "activity.read": return phrase("event.activity.read", ["n": unread])
        case "activity.dismissed", "activity.removed": return phrase("event.activity.dismissed", ["n": unread])
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
        case "position.silent":
            let line: JSON = .object(leavingOut: [
                "kind": "phoneSilent", "last": data["last"], "cause": data["cause"],
            ])
            return voice.sentence(line, of: .mine(event.at))
        case "position.asked":
            let line: JSON = .object(leavingOut: ["kind": "positionAsked", "by": event.by.map { .id($0) }])
            return voice.sentence(line, of: .mine(event.at))
        case "household.asked": return asked("moveAsked", voice)
        case "household.answered": return asked("moveAnswered", voice)
        case "member.grownAsked": return asked("grownAsked", voice)
        case "member.grownAnswered":
            guard data["member"]?.identifier == names.me || data["unanswered"]?.bool == true else {
                let key = data["grown"]?.bool == true ? "event.member.grown" : "event.member.not-grown"
                return phrase(key, ["by": admin, "member": names.member(data["member"]?.identifier)])
            }
            return asked("grownAnswered", voice)
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
        case "quota.near":
            return voice.sentence(["kind": "quotaNear", "what": data["what"] ?? .null], of: .mine(event.at))
        default: return nil
        }
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

    /// Whether the event only says once more what another event has said to the same member: an inbox is made from
    /// events, and whoever follows has seen those.
    var isEcho: Bool {
        guard event.type == "activity.added" else { return false }
        let kind = data["entry"].flatMap(InboxEntry.init)?.lines.last?["kind"]?.string
        return kind.map { !["allReplied", "digest"].contains($0) } ?? false
    }
}

extension InboxEntry {
    /// About a thing.
    fileprivate static func about(_ about: String, _ at: Instant) -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }

    /// About the member who looks.
    static func mine(_ at: Instant, about: String = "member/") -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }
}
