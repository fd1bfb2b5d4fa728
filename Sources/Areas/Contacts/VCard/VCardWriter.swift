import KinModel

/// Writes vCard 4.0 (RFC 6350).
struct VCardWriter {
    private(set) var bytes: [UInt8] = []

    /// One contact, whole.
    mutating func write(_ contact: Contact, uid: String) {
        line("BEGIN:VCARD")
        line("VERSION:4.0")
        line("UID:" + Self.escaped(uid))
        line("FN:" + Self.escaped(contact.shownName))
        if [contact.lastName, contact.firstName, contact.title].contains(where: { $0 != nil }) {
            let parts = [contact.lastName, contact.firstName, nil, contact.title, nil]
            line("N:" + parts.map { Self.escaped($0 ?? "") }.joined(separator: ";"))
        }
        if let company = contact.company { line("ORG:" + Self.escaped(company)) }
        if let category = contact.category { line("CATEGORIES:" + Self.escaped(category)) }
        var group = 1
        func writeWays(_ ways: [Contact.Way], _ name: String, _ value: (String) -> String) {
            for way in ways {
                let text = value(Self.escaped(way.value))
                guard let label = way.label, !Self.isReadAsType(label) else {
                    line(name + Self.type(way.label) + ":" + text)
                    continue
                }
                line("item\(group).\(name):" + text)
                line("item\(group).X-ABLabel:" + Self.escaped(label))
                group += 1
            }
        }
        writeWays(contact.phones, "TEL") { $0 }
        writeWays(contact.emails, "EMAIL") { $0 }
        // The whole address stands where the street would, as it is one line here (RFC 6350, 6.3.1).
        writeWays(contact.addresses, "ADR") { ";;" + $0 + ";;;;" }
        if let birthday = contact.birthday { line(birthday.line(as: .four)) }
        if let note = contact.note { line("NOTE:" + Self.escaped(note)) }
        line("END:VCARD")
    }

    // MARK: For clients that write it back

    /// Writes FN and N; version 3.0 requires both properties.
    mutating func writeNames(_ contact: Contact) {
        line("FN:" + Self.escaped(contact.shownName))
        let parts = [contact.lastName, contact.firstName, nil, contact.title, nil]
        line("N:" + parts.map { Self.escaped($0 ?? "") }.joined(separator: ";"))
    }

    /// Everything else. A label that is no TYPE of the standard stands beside its number, as phones write it: in a group,
    /// the first of which has this number.
    mutating func writeRest(_ contact: Contact, groupsFrom first: Int = 1, as version: CardVersion) {
        var group = first
        if let company = contact.company { line("ORG:" + Self.escaped(company)) }
        if let category = contact.category { line("CATEGORIES:" + Self.escaped(category)) }
        func write(_ ways: [Contact.Way], _ name: String, _ value: (String) -> String) {
            for way in ways {
                let text = value(Self.escaped(way.value))
                switch way.label {
                case nil: line(name + ":" + text)
                case let label? where Self.types[label] != nil: line("\(name);TYPE=\(Self.types[label] ?? ""):" + text)
                case let label?:
                    line("item\(group).\(name):" + text)
                    line("item\(group).X-ABLabel:" + Self.escaped(label))
                    group += 1
                }
            }
        }
        write(contact.phones, "TEL") { $0 }
        write(contact.emails, "EMAIL") { $0 }
        write(contact.addresses, "ADR") { ";;" + $0 + ";;;;" }
        if let birthday = contact.birthday { line(birthday.line(as: version)) }
        if let note = contact.note { line("NOTE:" + Self.escaped(note)) }
    }

    private static let types = ["home": "HOME", "work": "WORK", "mobile": "CELL", "fax": "FAX", "pager": "PAGER"]

    /// RFC 6350, 3.4; a semicolon is escaped wherever it stands, which every reader understands.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case ",": out += "\\,"
            case ";": out += "\\;"
            case "\n": out += "\\n"
            case "\r": break
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Whether a label stays as it is when it is read as TYPE. `pref`, `Home` or a label with a comma would not, and
    /// so stand in a line of their own.
    private static func isReadAsType(_ label: String) -> Bool {
        guard let property = VCardProperty(Array(("TEL" + type(label) + ":").utf8)) else { return false }
        return VCardEntry.label(property) == label
    }

    /// A label as TYPE, in quotes; what may not stand there is written as RFC 6868 has it.
    private static func type(_ label: String?) -> String {
        guard let label else { return "" }
        var text = ""
        for character in label {
            switch character {
            case "^": text += "^^"
            case "\"": text += "^'"
            case "\n": text += "^n"
            default: text.append(character)
            }
        }
        return ";TYPE=\"" + text + "\""
    }

    /// One line, folded where it is longer than 75 bytes, never within a character (RFC 6350, 3.2).
    mutating func line(_ text: String) {
        var used = 0
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            if used + width > 75 {
                bytes += [0x0D, 0x0A, 0x20]
                used = 1
            }
            bytes += Array(String(scalar).utf8)
            used += width
        }
        bytes += [0x0D, 0x0A]
    }
}
