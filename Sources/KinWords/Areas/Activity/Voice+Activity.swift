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
        case Inbox.announced.name: spoken(Inbox.announced, "event.activity.announced")
        case Inbox.said.name: spoken(Inbox.said, "event.activity.announced")
        case Inbox.corrected.name: spoken(Inbox.corrected, "event.activity.corrected")
        case Inbox.announcementDeleted.name: phrase("event.activity.deleted")
        default: nil
        }
    }

    private func spoken(_ type: EventType<Inbox.Announced>, _ key: String) -> String {
        phrase(key, ["by": by ?? "Kinwire", "text": Plain.line(event[type]?.text ?? "")])
    }

    private func entered(_ entry: InboxEntry?) -> String {
        phrase("event.activity.added", ["text": entry.map { inbox.whole($0) } ?? "?"])
    }
}
