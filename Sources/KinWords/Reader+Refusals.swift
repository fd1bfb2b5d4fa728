package import KinModel

extension Reader {
    /// Why the daemon refused, in the reader's language. The daemon says it in English; what has no other words here stays
    /// as it said it.
    package func refusal(_ rejection: Rejection) -> String { refusal(rejection.message) }

    /// The same of the sentence by itself.
    package func refusal(_ sentence: String) -> String {
        switch language {
        case .english: sentence
        case .german: Refusals.german.said(sentence) ?? sentence
        }
    }

    /// Why nothing came of a connection, in the reader's language: the client library says it in English.
    package func failure(_ sentence: String) -> String {
        switch language {
        case .english: sentence
        case .german: Refusals.connections.said(sentence) ?? sentence
        }
    }
}

/// The daemon's refusals in another language: a file whose keys are the English sentences. So each English sentence is
/// written in one place, where the refusal is made; a test compares the two.
struct Refusals: Sendable {
    static let german = Refusals(Phrases(.named("refusals.de")), .german)
    /// The same for connections and the files of a sign-in: said by the client library, and only by `kin`.
    static let connections = Refusals(Phrases(.named("connections.de")), .german)

    let phrases: Phrases
    private let language: Language

    init(_ phrases: Phrases, _ language: Language) {
        self.phrases = phrases
        self.language = language
    }

    /// The sentence in the other language; `nil` when none fits. Refusals are rare: no table is kept for this.
    func said(_ sentence: String) -> String? {
        if let phrase = phrases[sentence] { return phrase.filled([:], in: language) }
        var best: (key: String, values: [String: String], bytes: Int)?
        for key in phrases.keys {
            let pattern = Phrase(key)
            let bytes = pattern.parts.reduce(0) { if case .text(let text) = $1 { $0 + text.utf8.count } else { $0 } }
            // Of several that fit, the one that says most by itself.
            guard bytes > best?.bytes ?? 0, let values = Self.values(in: sentence, by: pattern) else { continue }
            best = (key, values, bytes)
        }
        guard let best, let phrase = phrases[best.key] else { return nil }
        return phrase.parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .value(let name), .form(let name, _, _):
                let value = best.values[name] ?? name
                // A value may be a sentence of its own, such as advice; or a word of the library, which is a whole key
                // here.
                text += value.hasSuffix(".") || phrases[value] != nil ? said(value) ?? value : value
            }
        }
    }

    /// What stands in the places of a pattern; `nil` when the sentence is not of that form.
    private static func values(in sentence: String, by pattern: Phrase) -> [String: String]? {
        var rest = Array(sentence.utf8)[...]
        var values: [String: String] = [:]
        var open: String?
        for (index, part) in pattern.parts.enumerated() {
            switch part {
            case .value(let name), .form(let name, _, _): open = name
            case .text(let text):
                let bytes = Array(text.utf8)
                let isLast = index == pattern.parts.count - 1
                guard let start = open == nil ? rest.startIndex : place(of: bytes, in: rest, isLast: isLast),
                    rest[start...].starts(with: bytes)
                else { return nil }
                if let name = open {
                    guard start > rest.startIndex else { return nil }
                    values[name] = String(decoding: rest[..<start], as: UTF8.self)
                }
                open = nil
                rest = rest[(start + bytes.count)...]
            }
        }
        guard let name = open else { return rest.isEmpty ? values : nil }
        guard !rest.isEmpty else { return nil }
        values[name] = String(decoding: rest, as: UTF8.self)
        return values
    }

    /// Where a text stands next, or at the end.
    private static func place(of text: [UInt8], in rest: ArraySlice<UInt8>, isLast: Bool) -> Int? {
        let last = rest.endIndex - text.count
        guard last >= rest.startIndex else { return nil }
        return isLast ? last : (rest.startIndex...last).first { rest[$0...].starts(with: text) }
    }
}
