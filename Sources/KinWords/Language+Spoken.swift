extension Language {
    /// Every phrase for clients that make their own sentences, by key: all but those of the pages that the daemon makes.
    package var spoken: [(key: String, text: String)] {
        phrases.keys.filter { !$0.hasPrefix("page.") }.compactMap { key in
            phrases[key].map { (key, $0.template) }
        }
    }

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
