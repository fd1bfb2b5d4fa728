/// The texts of one message file by key.
///
/// A line is `key = text`; lines that begin with a blank go on with the text before, after one blank; `\n` in a text is
/// a line's end; lines that begin with `#` are for the reader of the file.
struct Phrases: Sendable {
    private var texts: [String: Phrase] = [:]
    /// In the order of the file, for the tests: a key that stands twice is here twice.
    private(set) var keys: [String] = []

    subscript(key: String) -> Phrase? { texts[key] }

    init(_ bytes: [UInt8]) {
        var key = ""
        var text = ""
        func close(_ phrases: inout Phrases) {
            guard !key.isEmpty else { return }
            phrases.texts[key] = Phrase(text.replacing(#"\n"#, with: "\n"))
            phrases.keys.append(key)
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix(" ") {
                text += " " + line.drop { $0 == " " }
            } else if let equals = line.firstRange(of: " = ") {
                close(&self)
                key = String(line[..<equals.lowerBound])
                text = String(line[equals.upperBound...])
            }
        }
        close(&self)
    }
}

/// One text with its placeholders: `{name}` is the value, `{n|one|many}` the first form when the value is 1.
struct Phrase: Sendable {
    private enum Part {
        case text(String)
        case value(String)
        case form(String, one: String, other: String)
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            let inside = rest[rest.index(after: open)..<close]
            let forms = inside.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
            parts.append(forms.count == 3 ? .form(forms[0], one: forms[1], other: forms[2]) : .value(String(inside)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
    }

    /// The names of what is to be filled in.
    var placeholders: Set<String> {
        Set(
            parts.compactMap { part in
                switch part {
                case .text: nil
                case .value(let name), .form(let name, _, _): name
                }
            })
    }

    /// With the values in their places; one that is missing leaves its name.
    func filled(_ values: KeyValuePairs<String, any CustomStringConvertible>) -> String {
        func value(_ name: String) -> String { values.first { $0.key == name }?.value.description ?? name }
        return parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .value(let name): text += value(name)
            case .form(let name, let one, let other): text += value(name) == "1" ? one : other
            }
        }
    }
}
