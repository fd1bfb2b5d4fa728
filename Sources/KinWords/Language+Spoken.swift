extension Language {
    /// Every phrase for the family's page, by key: all but those of the pages that the daemon makes, and of
    /// what `kin tail` says of events.
    package var spoken: [(key: String, text: String)] {
        phrases.keys.filter { key in
            !["page.", "event."].contains { key.hasPrefix($0) }
                || Self.toldInPages.contains { key.hasPrefix($0) }
        }
        .compactMap { key in phrases[key].map { (key, $0.template) } }
    }

    /// Sentences about events that the page says too.
    private static let toldInPages = [
        "event.activity.announced", "event.alarm.", "event.meeting.cancelled", "event.session.opened",
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
