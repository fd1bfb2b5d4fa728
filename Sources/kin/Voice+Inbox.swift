import KinModel

extension Voice {
    /// What happened in the own inbox, and what concerns the own account.
    func inbox() -> String? {
        let voice = InboxVoice(names: names, now: now)
        let unread = data["unread"]?.int ?? 0
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
        default: return nil
        }
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
    /// About the member who looks.
    fileprivate static func mine(_ at: Instant) -> InboxEntry { about("member/", at) }

    fileprivate static func about(_ about: String, _ at: Instant) -> InboxEntry {
        InboxEntry(id: Identifier(high: 0, low: 0), about: about, isOfficial: false, at: at, title: nil, lines: [])
    }
}
