import KinModel

extension Voice {
    /// What happened in the own inbox.
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
        case "activity.announced":
            return phrase(
                "event.activity.announced", ["by": by ?? "Kinwire", "text": Plain.line(data["text"]?.string ?? "")])
        case "activity.deleted": return phrase("event.activity.deleted")
        default: return nil
        }
    }
}
