import KinModel

extension Voice {
    /// What happened in the own inbox.
    func activity() -> String? {
        switch event.type {
        case Inbox.added.name: entered(event[Inbox.added]?.entry)
        case Inbox.digested.name: entered(event[Inbox.digested]?.entry)
        case Inbox.read.name: phrase("event.activity.read", ["n": event[Inbox.read]?.unread ?? 0])
        case Inbox.dismissed.name: phrase("event.activity.dismissed", ["n": event[Inbox.dismissed]?.unread ?? 0])
        case Inbox.removed.name: phrase("event.activity.dismissed", ["n": event[Inbox.removed]?.unread ?? 0])
        case Inbox.announced.name:
            phrase(
                "event.activity.announced",
                ["by": by ?? "Kinwire", "text": Plain.line(event[Inbox.announced]?.text ?? "")])
        case Inbox.announcementDeleted.name: phrase("event.activity.deleted")
        default: nil
        }
    }

    private func entered(_ entry: InboxEntry?) -> String {
        phrase("event.activity.added", ["text": entry.map { inbox.whole($0) } ?? "?"])
    }
}
