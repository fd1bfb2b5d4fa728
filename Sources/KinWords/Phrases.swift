/// The texts of message files by their keys.
///
/// A line is `key = text`; lines that begin with a blank go on with the text before, after one blank; `\n` in a text is
/// a line's end; lines that begin with `#` are for the reader of the file.
///
/// The files are static data of the program. Beside them only the places of the keys are kept, 16 bytes each: a text is
/// taken apart when it is said.
package struct Phrases: Sendable {
    private struct Place: Sendable {
        let file: UInt16
        let keyBytes: UInt16
        let key: UInt32
        let text: UInt32
        let end: UInt32
    }

    private let files: [MessageFile]
    /// By key.
    private let places: [Place]

    package init(_ files: MessageFile...) { self.init(files) }

    package init(_ files: [MessageFile]) {
        self.files = files
        var places: [Place] = []
        for (index, file) in files.enumerated() { Self.read(file, UInt16(index), &places) }
        self.places = places.sorted { Self.key($0, files).lexicographicallyPrecedes(Self.key($1, files)) }
    }

    /// Every key, in order; one that stands twice is here twice.
    package var keys: [String] { places.map { String(decoding: Self.key($0, files), as: UTF8.self) } }

    /// The text under a key.
    package subscript(key: String) -> Phrase? {
        let key = Array(key.utf8)
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.key(places[middle], files).lexicographicallyPrecedes(key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < places.count, Self.key(places[low], files).elementsEqual(key) else { return nil }
        let place = places[low]
        return Phrase(folded: files[Int(place.file)][Int(place.text)..<Int(place.end)])
    }

    private static func key(_ place: Place, _ files: [MessageFile]) -> Slice<MessageFile> {
        files[Int(place.file)][Int(place.key)..<(Int(place.key) + Int(place.keyBytes))]
    }

    private static func read(_ bytes: MessageFile, _ file: UInt16, _ places: inout [Place]) {
        var at = 0
        while at < bytes.count {
            let start = at
            var end = bytes[at...].firstIndex(of: newline) ?? bytes.count
            at = end + 1
            guard bytes[start] != UInt8(ascii: "#"), bytes[start] != blank,
                let equals = Self.equals(bytes[start..<end]), equals - start <= UInt16.max
            else { continue }
            while at < bytes.count, bytes[at] == blank {
                end = bytes[at...].firstIndex(of: newline) ?? bytes.count
                at = end + 1
            }
            places.append(
                Place(
                    file: file, keyBytes: UInt16(equals - start), key: UInt32(start), text: UInt32(equals + 3),
                    end: UInt32(end)))
        }
    }

    /// Where ` = ` stands.
    private static func equals(_ line: Slice<MessageFile>) -> Int? {
        line.indices.dropLast(2).first {
            line[$0] == blank && line[$0 + 1] == UInt8(ascii: "=") && line[$0 + 2] == blank
        }
    }

    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let blank = UInt8(ascii: " ")
}

/// One text with its placeholders: `{name}` is the value, `{n|one|other}` one of two forms, by the value of `n`.
package struct Phrase: Sendable {
    package enum Part: Sendable {
        case text(String)
        case value(String)
        case form(String, one: String, other: String)
    }

    package let parts: [Part]

    package init(_ text: String) { parts = Self.parts(Array(text.utf8)) }

    /// A text as it stands in its file, over one line or several.
    fileprivate init(folded: Slice<MessageFile>) {
        var text: [UInt8] = []
        text.reserveCapacity(folded.count)
        var at = folded.startIndex
        while at < folded.endIndex {
            let byte = folded[at]
            at += 1
            if byte == Phrases.newline {
                text.append(Phrases.blank)
                while at < folded.endIndex, folded[at] == Phrases.blank { at += 1 }
            } else if byte == UInt8(ascii: "\\"), at < folded.endIndex, folded[at] == UInt8(ascii: "n") {
                text.append(Phrases.newline)
                at += 1
            } else {
                text.append(byte)
            }
        }
        parts = Self.parts(text)
    }

    private static func parts(_ text: [UInt8]) -> [Part] {
        func string(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            if open > rest.startIndex { parts.append(.text(string(rest[..<open]))) }
            let inside = rest[(open + 1)..<close]
            let forms = inside.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map { string($0) }
            parts.append(forms.count == 3 ? .form(forms[0], one: forms[1], other: forms[2]) : .value(string(inside)))
            rest = rest[(close + 1)...]
        }
        if !rest.isEmpty { parts.append(.text(string(rest))) }
        return parts
    }

    /// The names of what is to be filled in.
    package var placeholders: Set<String> {
        Set(
            parts.compactMap { part in
                switch part {
                case .text: nil
                case .value(let name), .form(let name, _, _): name
                }
            })
    }

    /// With the values in their places; one that is missing leaves its name.
    package func filled(
        _ values: KeyValuePairs<String, any CustomStringConvertible>, in language: Language
    ) -> String {
        func value(_ name: String) -> String { values.first { $0.key == name }?.value.description ?? name }
        return parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .value(let name): text += value(name)
            case .form(let name, let one, let other): text += language.form(of: value(name)) == .one ? one : other
            }
        }
    }
}
