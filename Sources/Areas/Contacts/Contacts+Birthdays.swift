import KinKeeper
import KinModel
import KinStore

/// Birthdays of contacts, and how cards write them (BDAY; RFC 6350, 6.2.5): read once, and again when a contact changed.
final class ContactBirthdays: AreaMemory {
    private var remembered = Remembered<Int, [KnownBirthday]>(of: ["contacts"], most: 1)

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { remembered.forget() }

    /// Those that a member may know: contacts are read by every member who is no guest.
    static func known(to member: Identifier, _ act: Act) throws(Rejection) -> [KnownBirthday] {
        guard let entry = try act.roster[member], entry.role != .guest else { return [] }
        return try act.memory(ContactBirthdays.self).all(act)
    }

    private func all(_ act: Act) throws(Rejection) -> [KnownBirthday] {
        if let known = remembered.value(of: 0, act) { return known }
        let known = try act.rows(
            "SELECT id, first_name, last_name, company, birthday FROM contacts WHERE birthday IS NOT NULL ORDER BY id"
        ) { row -> KnownBirthday? in
            let names = [row.optionalText("first_name"), row.optionalText("last_name")].compactMap(\.self)
            let name = names.isEmpty ? row.optionalText("company") ?? "" : names.joined(separator: " ")
            guard !name.isEmpty, let birthday = Birthday(row.text("birthday")) else { return nil }
            return KnownBirthday(of: row.identifier("id"), isMembers: false, name: name, birthday)
        }.compactMap(\.self)
        remembered.remember(known, of: 0, act)
        return known
    }

    /// Of contacts that clients or files brought before a contact had a day of birth, it stands in the card.
    static func takeFromCards(_ database: Database) throws(StoreFailure) {
        let found = try database.rows(
            "SELECT contact, card FROM contact_cards WHERE instr(upper(CAST(card AS TEXT)), 'BDAY') > 0"
        ) { row in
            let lines = String(decoding: row.blob("card"), as: UTF8.self).split(separator: "\n")
            return (contact: row.int("contact"), birthday: lines.lazy.compactMap { Self.birthday($0) }.first)
        }
        for (contact, birthday) in found {
            guard let birthday else { continue }
            try database.run(
                "UPDATE contacts SET birthday = ? WHERE number = ?", .text(birthday.text), .int(contact))
        }
    }

    /// The day of a line such as `BDAY:19840229`, `BDAY;VALUE=date:1984-02-29` or `BDAY:--0229`.
    static func birthday(_ line: Substring) -> Birthday? {
        guard let property = VCardProperty(Array(line.utf8)), property.name == "BDAY" else { return nil }
        return day(of: property)
    }

    /// The day of a property. Apple's programs write some year where they know none, and say which one that is.
    static func day(of property: VCardProperty) -> Birthday? {
        guard let day = day(property.text[...]) else { return nil }
        guard let year = day.year, property["X-APPLE-OMIT-YEAR"].flatMap({ Int($0) }) == year else { return day }
        return Birthday(year: nil, month: day.month, day: day.day)
    }

    /// The day of a value, with or without a year.
    private static func day(_ value: Substring) -> Birthday? {
        let date = value.prefix { $0 != "T" }
        let isYearless = date.hasPrefix("--")
        let digits = date.filter(\.isNumber)
        guard digits.utf8.count == (isYearless ? 4 : 8) else { return nil }
        let day = digits.suffix(4)
        return Birthday((isYearless ? "-" : digits.prefix(4)) + "-" + day.prefix(2) + "-" + day.suffix(2))
    }
}

extension Birthday {
    /// As a line of a vCard. 4.0 has no hyphens in whole dates (RFC 6350, 4.3.1), and 3.0 no date without a year.
    func line(as version: CardVersion) -> String {
        switch version {
        case .four: "BDAY:" + (year == nil ? "--" : "") + text.filter { $0 != "-" }
        case .three where year == nil: "BDAY;X-APPLE-OMIT-YEAR=1604;VALUE=date:1604" + text.dropFirst()
        case .three: "BDAY:" + text
        }
    }
}
