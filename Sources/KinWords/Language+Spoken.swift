extension Language {
    /// Every phrase for the family's page, by key: all but those of the pages that the daemon makes, of what `kin tail`
    /// says of events, of notices, and what else only `kin` and the daemon say.
    package var spoken: [(key: String, text: String)] {
        phrases.keys.filter { key in
            !Self.untold.contains { key.hasPrefix($0) } || Self.toldInPages.contains { key.hasPrefix($0) }
        }
        .compactMap { key in phrases[key].map { (key, $0.template) } }
    }

    /// What the page never says, by the beginning of its keys. Digests, which say what kinds are called, sum up nothing
    /// official.
    private static let untold = [
        "page.", "event.", "alarm.overdue.come", "alarm.overdue.sos", "by.admin", "inbox.about-you",
        "inbox.alarm-overdue.come", "inbox.alarm-overdue.sos", "kinds.alarm", "message.documents",
        "names.a-list", "names.a-meal", "names.a-place", "names.a-time", "names.an-item", "names.news",
        "names.nobody-cooks", "names.picture", "names.post", "names.some-news", "notice.a", "notice.discreet",
        "notice.more", "notice.not-", "notice.over", "notice.used", "position.coarse", "position.numbers",
        "reach.home", "role.set-event", "several.or", "sharing.on-until", "tally.",
    ]

    /// Sentences about events that the page says too.
    private static let toldInPages = [
        "event.activity.announced", "event.alarm.allWell", "event.alarm.cannot", "event.alarm.coming",
        "event.alarm.seen", "event.meeting.cancelled", "event.session.opened",
    ]

    /// What the family's page is, in one sentence.
    package var webAbout: String { phrases["web.about"]?.template ?? "" }

    /// What refusals are called in this language, by the English sentence; empty for English.
    package var refusals: [(key: String, text: String)] {
        switch self {
        case .english: []
        case .german:
            Refusals.german.phrases.keys.compactMap { key in
                Refusals.german.phrases[key].map { (key, $0.template) }
            }
        }
    }
}

extension Phrase {
    /// As it is written in its file, on one line.
    var template: String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .value(let name): text += "{\(name)}"
            case .form(let name, let one, let other): text += "{\(name)|\(one)|\(other)}"
            }
        }
    }
}
