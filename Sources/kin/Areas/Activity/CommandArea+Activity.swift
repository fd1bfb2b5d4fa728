import KinModel
import KinWords

extension CommandArea {
    /// Announcements, and each member's inbox.
    static let activity = CommandArea(
        name: "Activity", group: .messages, commands: [.inbox, .say, .announce],
        file: "activity",
        word: { $0 == "KIND" ? .typed(Inboxes.kinds) : nil }, inboxKinds: ["said"],
        notice: { (event, names, notices) in
            if let data = event[Inbox.added] {
                if data.again != true { notices.heard(data.entry, me: names.me, now: LocalTime.now) }
            } else if let data = event[Inbox.digested] {
                notices.heard(data.entry, me: names.me, now: LocalTime.now)
            } else if let data = event[Inbox.announced] {
                guard let id = Identifier(event.about.drop { $0 != "/" }.dropFirst()) else { return }
                let entry = InboxEntry.announcement(id, at: event.at, by: event.by, text: data.text)
                notices.heard(entry, me: names.me, now: LocalTime.now)
            } else if let data = event[Inbox.read] {
                notices.read(upTo: data.upTo)
            } else if let data = event[Inbox.dismissed] {
                notices.forget(data.id)
            }
        })
}
