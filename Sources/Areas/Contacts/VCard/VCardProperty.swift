import KinModel

/// One property of a vCard: `item1.TEL;TYPE=work:+49 …`.
package struct VCardProperty {
    /// Its group, in lower case; `nil` for most.
    package let group: String?
    /// In upper case.
    package let name: String
    /// Names in upper case; a word that stands alone is a TYPE, as vCard 2.1 has it.
    package let parameters: [(name: String, value: String)]
    /// As it stands there, with its escapes.
    package let value: String
    /// It was in no UTF-8, and was read as Latin-1.
    package let isLatin: Bool

    /// Reads a line; `nil` for what is no property.
    package init?(_ line: [UInt8]) {
        var colon: Int?
        var isQuoted = false
        for (index, byte) in line.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ":"), !isQuoted {
                colon = index
                break
            }
        }
        // A quotation mark that is never closed is text.
        guard let colon = colon ?? line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let head = VCardText.text(Array(line[..<colon])).text
        var parts = Self.split(head, at: ";")
        let names = parts.removeFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard let name = names.last, names.count <= 2, !name.isEmpty,
            names.allSatisfy({ $0.utf8.allSatisfy(Self.isNameByte) })
        else { return nil }
        self.name = name.uppercased()
        group = names.count == 2 ? names[0].lowercased() : nil
        var parameters: [(name: String, value: String)] = []
        for part in parts where !part.isEmpty {
            guard let equals = part.firstIndex(of: "=") else {
                parameters.append((part.uppercased() == "QUOTED-PRINTABLE" ? "ENCODING" : "TYPE", part))
                continue
            }
            let name = part[..<equals].uppercased()
            for value in Self.split(String(part[part.index(after: equals)...]), at: ",") {
                parameters.append((name, Self.unquoted(value)))
            }
        }
        self.parameters = parameters
        var bytes = Array(line[(colon + 1)...])
        if Self.value(of: "ENCODING", in: parameters)?.uppercased() == "QUOTED-PRINTABLE" {
            bytes = VCardText.quotedPrintable(bytes)
        }
        let charset = Self.value(of: "CHARSET", in: parameters)
        (value, isLatin) = VCardText.text(bytes, charset: charset)
    }

    /// The first value of a parameter.
    package subscript(parameter: String) -> String? { Self.value(of: parameter, in: parameters) }

    /// Its types, as they are written.
    package var types: [String] {
        parameters.filter { $0.name == "TYPE" }.flatMap { $0.value.split(separator: ",") }.map {
            VCardText.line(String($0))
        }
    }

    /// How usual it is: 1 is the most (RFC 6350, 5.3; RFC 2426 has TYPE=pref).
    var preference: Int {
        if let number = self["PREF"].flatMap({ Int($0) }), (1...100).contains(number) { return number }
        return types.contains { $0.lowercased() == "pref" } ? 1 : 101
    }

    /// The value without escapes.
    package var text: String { Self.unescaped(value) }

    /// The components of a value that has several, without escapes.
    var components: [String] { Self.split(value, at: ";", isEscaped: true).map(Self.unescaped) }

    /// The items of a list, without escapes.
    var list: [String] { Self.split(value, at: ",", isEscaped: true).map(Self.unescaped) }

    private static func value(of name: String, in parameters: [(name: String, value: String)]) -> String? {
        parameters.first { $0.name == name }?.value
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Splits a text at a separator outside of quotation marks; or, where the text `isEscaped`, not behind a backslash.
    private static func split(_ text: String, at separator: Unicode.Scalar, isEscaped: Bool = false) -> [String] {
        var parts: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
        var isQuoted = false
        var isBehindBackslash = false
        for scalar in text.unicodeScalars {
            if scalar == separator, isEscaped ? !isBehindBackslash : !isQuoted {
                parts.append(String.UnicodeScalarView())
            } else {
                if scalar == "\"" { isQuoted.toggle() }
                parts[parts.count - 1].append(scalar)
            }
            isBehindBackslash = scalar == "\\" && !isBehindBackslash
        }
        return parts.map { String($0) }
    }

    /// A parameter's value without its quotation marks, and with what RFC 6868 has for those.
    private static func unquoted(_ text: String) -> String {
        var text = text[...]
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        guard text.contains("^") else { return String(text) }
        var out = ""
        var isBehindCaret = false
        for character in text {
            if isBehindCaret {
                switch character {
                case "n": out += "\n"
                case "^": out += "^"
                case "'": out += "\""
                default: out += "^" + String(character)
                }
                isBehindCaret = false
            } else if character == "^" {
                isBehindCaret = true
            } else {
                out.append(character)
            }
        }
        return out + (isBehindCaret ? "^" : "")
    }

    /// RFC 6350, 3.4. A backslash before anything else goes too, as many write them before a colon.
    private static func unescaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var isBehindBackslash = false
        for scalar in text.unicodeScalars {
            if isBehindBackslash {
                out.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isBehindBackslash = false
            } else if scalar == "\\" {
                isBehindBackslash = true
            } else {
                out.append(scalar)
            }
        }
        return String(out)
    }
}
