import KinKeeper
import KinModel

/// One entry of a file of vCards, and what a contact takes of it.
package struct VCardEntry: ImportedItem {
    /// Its place in the file, from 1.
    package let number: Int
    /// Its own name.
    package private(set) var name = ""
    /// Its UID, by which it is recognised.
    private(set) var uid: String?
    /// The contact that was made of it; `nil` where nothing could be taken.
    private(set) var contact: Contact?
    /// The parts that were not taken as they are, each with the reason: a sentence each.
    package private(set) var remarks: [String] = []

    /// A contact gets its identifier when it is taken.
    private static let nobody = Identifier(high: 0, low: 0)

    /// An entry that is not taken.
    init(number: Int, refused sentence: String, name: String = "") {
        self.number = number
        self.name = name
        remarks = [sentence]
    }

    /// Takes of an entry's properties what a contact has a place for.
    init(number: Int, _ properties: [VCardProperty], remarks: [String], untaken: [String]) {
        self.number = number
        for remark in remarks { note(remark) }
        take(properties, untaken)
    }

    private mutating func take(_ properties: [VCardProperty], _ passedOver: [String]) {
        var untaken = passedOver
        func first(_ name: String) -> VCardProperty? {
            properties.filter { $0.name == name }.min { $0.preference < $1.preference }
        }
        let fullName = VCardText.line(first("FN")?.text ?? "")
        name = Text.quoted(fullName)
        let version = first("VERSION").map { VCardText.line($0.text) } ?? "3.0"
        guard ["2.1", "3.0", "4.0"].contains(version) else {
            return note("It is vCard \(Text.quoted(version)); 2.1, 3.0 and 4.0 are read.")
        }
        let kind = (first("KIND") ?? first("X-ADDRESSBOOKSERVER-KIND"))?.text.lowercased() ?? ""
        guard kind != "group" else { return note("It is a list of others, and no contact.") }
        if version == "2.1" { note("It is vCard 2.1, an old form; look whether all of it came over well.") }
        if properties.contains(where: \.isLatin) { note("It is in no UTF-8; it was read as Windows-1252.") }

        var contact = Contact(id: Self.nobody)
        let parts = (first("N")?.components ?? []).map { VCardText.line($0) } + Array(repeating: "", count: 5)
        contact.lastName = line(Self.joined([parts[0], parts[4]]), "the last name", Limits.contactNameCharactersMax)
        contact.firstName = line(Self.joined([parts[1], parts[2]]), "the first name", Limits.contactNameCharactersMax)
        let job = first("TITLE").map { VCardText.line($0.text) } ?? ""
        contact.title = line(parts[3].isEmpty ? job : parts[3], "the title", Limits.contactTitleCharactersMax)
        if !parts[3].isEmpty, !job.isEmpty { untaken.append("TITLE") }
        let company = (first("ORG")?.components ?? []).map { VCardText.line($0) }.filter { !$0.isEmpty }
        contact.company = line(company.joined(separator: ", "), "the company", Limits.contactNameCharactersMax)
        let categories = properties.filter { $0.name == "CATEGORIES" }.flatMap(\.list).map { VCardText.line($0) }
            .filter { !$0.isEmpty }
        contact.category = line(categories.first ?? "", "the category", Limits.contactNameCharactersMax)
        if categories.count > 1 { note("It has \(categories.count) categories; the first was taken.") }
        takeNote(properties, &contact)
        let labels = Dictionary(
            properties.filter { $0.name == "X-ABLABEL" && $0.group != nil }.map { ($0.group ?? "", $0.text) },
            uniquingKeysWith: { first, _ in first })
        contact.phones = ways("TEL", "phone numbers", Limits.contactPhoneCharactersMax, properties, labels) {
            (value) throws(Rejection) in try Contact.checkPhone(value)
        }
        contact.emails = ways("EMAIL", "e-mail addresses", Limits.contactEmailCharactersMax, properties, labels) {
            (value) throws(Rejection) in try Contact.checkEmail(value)
        }
        contact.addresses = ways("ADR", "addresses", Limits.contactAddressCharactersMax, properties, labels)
        // A contact without a name goes out with something else of it as FN. Read back, that is no name either.
        if contact.firstName == nil, contact.lastName == nil, contact.company == nil,
            fullName != VCardText.line(contact.shownName)
        {
            takeName(fullName, &contact)
        }

        let born = first("BDAY")
        contact.birthday = born.flatMap { ContactBirthdays.day(of: $0) }
        untaken += (born != nil && contact.birthday == nil ? ["BDAY"] : [])
        untaken += properties.map(\.name).filter { !Self.known.contains($0) && !$0.hasPrefix("X-") }
        let names = untaken.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        if !names.isEmpty {
            let list = names.prefix(6).map { Text.quoted($0) }.joined(separator: ", ")
            note("Contacts have no place for what it says as \(list).")
        }
        uid = first("UID").flatMap { line($0.text, "the UID", 200, isSilent: true) }
        guard !contact.isEmpty else { return note("There is nothing in it that a contact has a place for.") }
        if name.isEmpty { name = Text.quoted(contact.shownName) }
        guard contact.json.bytes.count <= Limits.contactBytesMax else {
            return note("A contact takes \(Limits.contactBytesMax) bytes at most, and this one more.")
        }
        self.contact = contact
    }

    /// Properties that are read, or that say nothing about anybody.
    private static let known: Set = [
        "VERSION", "PRODID", "REV", "UID", "N", "FN", "ORG", "TITLE", "CATEGORIES", "TEL", "EMAIL", "ADR", "NOTE",
        "BDAY", "KIND", "CLASS", "MAILER", "PROFILE", "SOURCE", "SORT-STRING", "CLIENTPIDMAP",
    ]

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func note(_ remark: String) {
        if remarks.count < Limits.vCardRemarksMax { remarks.append(remark) }
    }

    /// A text in one line, unless it is empty or cannot stand in a contact.
    private mutating func line(_ text: String, _ what: String, _ max: Int, isSilent: Bool = false) -> String? {
        let text = VCardText.line(text, joint: ", ")
        guard !text.isEmpty else { return nil }
        do throws(Rejection) {
            try Text.check(text, field: what, charactersMax: max, isOneLine: true)
            return text
        } catch {
            if !isSilent { note("Not taken: " + error.message) }
            return nil
        }
    }

    /// A name in one piece: what stands behind its last space is the last name.
    private mutating func takeName(_ text: String, _ contact: inout Contact) {
        guard let name = line(text, "the name", Limits.contactNameCharactersMax) else { return }
        if let space = name.lastIndex(of: " ") {
            contact.firstName = VCardText.trimmed(String(name[..<space]))
            contact.lastName = String(name[name.index(after: space)...])
        } else {
            contact.lastName = name
        }
    }

    private mutating func takeNote(_ properties: [VCardProperty], _ contact: inout Contact) {
        let lines = properties.filter { $0.name == "NOTE" }.flatMap { property in
            property.text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { VCardText.line(String($0)) }
        }
        let text = VCardText.trimmed(lines.joined(separator: "\n"))
        guard !text.isEmpty else { return }
        do throws(Rejection) {
            try Text.check(text, field: "the note", charactersMax: Limits.contactNoteCharactersMax, isOneLine: false)
            contact.note = text
        } catch { note("Not taken: " + error.message) }
    }

    /// The ways of one kind, the usual one first.
    private mutating func ways(
        _ name: String, _ what: String, _ max: Int, _ properties: [VCardProperty], _ labels: [String: String],
        check: (String) throws(Rejection) -> Void = { (_) throws(Rejection) in }
    ) -> [Contact.Way] {
        let sorted = properties.filter { $0.name == name }.enumerated().sorted {
            ($0.element.preference, $0.offset) < ($1.element.preference, $1.offset)
        }.map(\.element)
        var ways: [Contact.Way] = []
        for property in sorted {
            guard let value = line(Self.value(of: property), "one of the \(what)", max) else { continue }
            do throws(Rejection) { try check(value) } catch {
                note("Not taken: \(Text.quoted(value)). \(error.message)")
                continue
            }
            let own = property.group.flatMap { labels[$0] }.map { Self.withoutApple($0) }
            let label = line(own ?? Self.label(property), "a label", Limits.contactLabelCharactersMax)
            guard ways.count < Limits.contactWaysMax else {
                note("It has more than \(Limits.contactWaysMax) \(what); the first were taken.")
                break
            }
            let way = Contact.Way(value, label: label)
            if !ways.contains(way) { ways.append(way) }
        }
        return ways
    }

    /// The number or address without what says that it is one; of an address its parts in one line.
    private static func value(of property: VCardProperty) -> String {
        guard property.name == "ADR" else {
            let text = VCardText.line(property.text)
            for scheme in ["tel:", "mailto:"] where text.lowercased().hasPrefix(scheme) {
                return String(text.dropFirst(scheme.count))
            }
            return text
        }
        // Post office box, more of the address, street, town, region, code, country (RFC 6350, 6.3.1).
        let parts = property.components.map { VCardText.line($0, joint: ", ") } + Array(repeating: "", count: 7)
        return [parts[2], parts[1], parts[0], joined([parts[5], parts[3]]), parts[4], parts[6]]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Its types, without those that mean nothing to people.
    static func label(_ property: VCardProperty) -> String {
        joined(
            property.types.filter { !silent.contains($0.lowercased()) }.map { type in
                let lower = type.lowercased()
                return lower == "cell" ? "mobile" : ["home", "work", "fax", "pager"].contains(lower) ? lower : type
            })
    }

    private static let silent: Set = [
        "pref", "voice", "internet", "x400", "text", "postal", "parcel", "intl", "dom", "msg", "video", "iphone",
        "other",
    ]

    /// `_$!<Home>!$_`: one of Apple's own labels.
    private static func withoutApple(_ label: String) -> String {
        guard label.hasPrefix("_$!<"), label.hasSuffix(">!$_") else { return label }
        return String(label.dropFirst(4).dropLast(4)).lowercased()
    }
}
