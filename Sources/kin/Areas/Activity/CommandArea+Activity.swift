import KinModel

extension CommandArea {
    /// Announcements, and each member's inbox.
    static let activity = CommandArea(
        name: "Activity", commands: [.inbox, .announce],
        messages: { $0 == .german ? PackageResources.activity_de_messages : PackageResources.activity_en_messages },
        word: { $0 == "KIND" ? .typed(Inboxes.kinds) : nil },
        sentence: { $0.inbox() },
        isEcho: { voice in
            guard voice.event.type == "activity.added" else { return false }
            let kind = voice.data["entry"].flatMap(InboxEntry.init)?.lines.last?["kind"]?.string
            let untold = CommandArea.all.reduce(into: Set<String>()) { $0.formUnion($1.untoldKinds) }
            return kind.map { !untold.contains($0) } ?? false
        },
        line: { $0.inbox($1, $2) }, untoldKinds: ["digest"],
        notice: { (event, names, notices) in
            switch event.type {
            case "activity.added", "activity.digested":
                guard event.data["again"]?.bool != true, let entry = event.data["entry"].flatMap(InboxEntry.init) else {
                    return
                }
                notices.heard(entry, me: names.me, now: LocalTime.now)
            case "activity.announced":
                guard let id = Identifier(event.about.drop { $0 != "/" }.dropFirst()) else { return }
                let entry = InboxEntry.announcement(
                    id, at: event.at, by: event.by, text: event.data["text"]?.string ?? "")
                notices.heard(entry, me: names.me, now: LocalTime.now)
            case "activity.read": if let upTo = event.data["upTo"]?.instant { notices.read(upTo: upTo) }
            case "activity.dismissed": if let id = event.data["id"]?.identifier { notices.forget(id) }
            default: break
            }
        })
}
