import KinModel

/// A contact as a vCard for clients that write it back (CardDAV): the lines that a client wrote, with the changes
/// since.
enum CardText {
    /// The card, whole.
    static func bytes(of stored: StoredContact, _ kept: KeptCard?, as version: CardVersion) -> [UInt8] {
        var writer = VCardWriter()
        writer.line("BEGIN:VCARD")
        writer.line("VERSION:" + version.rawValue)
        var lines = kept?.lines ?? []
        if lines.isEmpty {
            writer.line("UID:" + VCardWriter.escaped(stored.uidOut))
            writer.writeNames(stored.contact)
            writer.writeRest(stored.contact, as: version)
        } else {
            let was = CardVersion(of: lines) ?? version
            lines.removeAll { name(of: $0) == "VERSION" }
            if !lines.contains(where: { name(of: $0) == "UID" }) {
                writer.line("UID:" + VCardWriter.escaped(stored.uidOut))
            }
            if kept?.change != stored.changed { write(changed: stored.contact, &lines, was, to: &writer, version) }
            for line in lines { writer.line(was == version ? line : CardConversion.line(line, to: version)) }
        }
        writer.line("END:VCARD")
        return writer.bytes
    }

    /// Removes the lines that contradict the contact, and writes what the contact says instead.
    private static func write(
        changed contact: Contact, _ lines: inout [String], _ version: CardVersion, to writer: inout VCardWriter,
        _ written: CardVersion
    ) {
        func read(_ lines: [String]) -> Contact? {
            let text = ["BEGIN:VCARD", "VERSION:" + version.rawValue] + lines + ["END:VCARD"]
            return VCardFile(Array(text.joined(separator: "\r\n").utf8), entriesMax: 1).entries.first?.contact
        }
        guard let said = read(lines) else {
            lines = []
            writer.writeNames(contact)
            return writer.writeRest(contact, as: written)
        }
        func drop(_ names: Set<String>) { lines.removeAll { names.contains(name(of: $0)) } }
        drop(["REV"])
        let isNamedSo =
            said.firstName == contact.firstName && said.lastName == contact.lastName && said.title == contact.title
        if !isNamedSo || said.shownName != contact.shownName {
            drop(said.title == nil || isNamedSo ? ["N", "FN"] : ["N", "FN", "TITLE"])
            writer.writeNames(contact)
        }
        var rest = Contact(id: contact.id)
        if said.company != contact.company {
            drop(["ORG"])
            rest.company = contact.company
        }
        if said.category != contact.category {
            drop(["CATEGORIES"])
            rest.category = contact.category
        }
        if said.birthday != contact.birthday {
            drop(["BDAY"])
            rest.birthday = contact.birthday
        }
        if said.note != contact.note {
            drop(["NOTE"])
            rest.note = contact.note
        }
        // Of several numbers, those that are still there stay as they were written.
        func ways(_ name: String, _ part: (Contact) -> [Contact.Way]) -> [Contact.Way] {
            guard part(said) != part(contact) else { return [] }
            var left = part(contact)
            let own = lines.filter { Self.name(of: $0) == name }
            for line in own {
                let group = group(of: line)
                let mates = lines.filter { $0 != line && group != nil && Self.group(of: $0) == group }
                let way = read(["FN:x", line] + mates).map(part)?.first
                if let way, let index = left.firstIndex(of: way) {
                    left.remove(at: index)
                } else {
                    lines.removeAll { $0 == line || mates.contains($0) }
                }
            }
            return left
        }
        rest.phones = ways("TEL", \.phones)
        rest.emails = ways("EMAIL", \.emails)
        rest.addresses = ways("ADR", \.addresses)
        // A number that no group has yet.
        let used = lines.compactMap { group(of: $0).flatMap { Int($0.drop { !$0.isNumber }) } }.filter { $0 < 1 << 20 }
        writer.writeRest(rest, groupsFrom: 1 + (used.max() ?? 0), as: written)
    }

    /// The name that a line begins with, in upper case, without its group.
    static func name(of line: String) -> String {
        head(of: line).split(separator: ".", omittingEmptySubsequences: false).last.map { $0.uppercased() } ?? ""
    }

    /// The group of a line, in lower case.
    private static func group(of line: String) -> String? {
        let parts = head(of: line).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[0].lowercased() : nil
    }

    private static func head(of line: String) -> Substring { line.prefix { $0 != ":" && $0 != ";" } }
}

/// Converts lines from one version to the other.
enum CardConversion {
    /// A line as the other version has it. Lines that both versions have stay as they are.
    static func line(_ line: String, to version: CardVersion) -> String {
        guard let property = VCardProperty(Array(line.utf8)) else { return line }
        switch property.name {
        case "PHOTO", "LOGO", "SOUND", "KEY": return picture(line, property, to: version)
        case "BDAY": return birthday(line, property, to: version)
        default: return preference(line, property, to: version)
        }
    }

    private static func head(_ property: VCardProperty) -> String {
        (property.group.map { $0 + "." } ?? "") + property.name
    }

    private static func value(_ line: String) -> Substring {
        line.firstIndex(of: ":").map { line[line.index(after: $0)...] } ?? ""
    }

    /// 3.0 has the bytes in base64 with an encoding, 4.0 as a `data:` address (RFC 6350, 6.2.4).
    private static func picture(_ line: String, _ property: VCardProperty, to version: CardVersion) -> String {
        switch version {
        case .four:
            guard let encoding = property["ENCODING"]?.uppercased(), encoding == "B" || encoding == "BASE64" else {
                return property["VALUE"]?.lowercased() == "uri" ? head(property) + ":" + property.value : line
            }
            let type = property.types.first { $0.lowercased() != "pref" }?.lowercased() ?? "jpeg"
            let kind = ["SOUND": "audio/", "KEY": "application/"][property.name] ?? "image/"
            return head(property) + ":data:" + (type.contains("/") ? type : kind + type) + ";base64,"
                + property.value.filter { !$0.isWhitespace }
        case .three:
            guard property.value.lowercased().hasPrefix("data:"), let comma = property.value.firstIndex(of: ",") else {
                return head(property) + ";VALUE=uri:" + property.value
            }
            let media = property.value[property.value.index(property.value.startIndex, offsetBy: 5)..<comma]
            let type = media.prefix { $0 != ";" }.split(separator: "/").last.map { $0.uppercased() } ?? "JPEG"
            return head(property) + ";ENCODING=b;TYPE=" + type + ":"
                + property.value[property.value.index(after: comma)...]
        }
    }

    /// A whole date, or one without a year; what says more stays as it is.
    private static func birthday(_ line: String, _ property: VCardProperty, to version: CardVersion) -> String {
        let isDate = property.value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        guard isDate, let day = ContactBirthdays.day(of: property) else { return line }
        return (property.group.map { $0 + "." } ?? "") + day.line(as: version)
    }

    /// The usual one is `TYPE=pref` in 3.0 and `PREF=1` in 4.0.
    private static func preference(_ line: String, _ property: VCardProperty, to version: CardVersion) -> String {
        let isPreferred: Bool
        switch version {
        case .four: isPreferred = property.types.contains { $0.lowercased() == "pref" }
        case .three: isPreferred = property["PREF"] != nil
        }
        guard isPreferred, ["TEL", "EMAIL", "ADR", "IMPP", "URL", "ORG", "NOTE"].contains(property.name),
            !property.parameters.contains(where: { $0.value.contains { "\",;:^".contains($0) } })
        else { return line }
        var out = head(property)
        for parameter in property.parameters {
            if parameter.name == "PREF" || parameter.name == "TYPE" && parameter.value.lowercased() == "pref" {
                continue
            }
            out += ";\(parameter.name)=\(parameter.value)"
        }
        return out + (version == .four ? ";PREF=1:" : ";TYPE=pref:") + value(line)
    }
}
