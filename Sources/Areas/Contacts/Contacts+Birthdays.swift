import KinKeeper
import KinModel
import KinStore

/// Birthdays of contacts, as their cards have them (BDAY of RFC 6350): read once, and again when a contact changed.
final class ContactBirthdays: AreaMemory {
    private var remembered = Remembered<Int, [KnownBirthday]>(of: ["contacts", "contact_cards"], most: 1)

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { remembered.forget() }

    /// Those that the caller may know: contacts are read by every member who is no guest.
    static func known(_ act: Act) throws(Rejection) -> [KnownBirthday] {
        guard try act.roster[try act.member.id]?.role != .guest else { return [] }
        return try act.memory(ContactBirthdays.self).all(act)
    }

    private func all(_ act: Act) throws(Rejection) -> [KnownBirthday] {
        if let known = remembered.value(of: 0, act) { return known }
        let known = try act.ask { (database) throws(StoreFailure) in
            try database.rows(
                """
                SELECT c.id, c.first_name, c.last_name, c.company, k.card FROM contact_cards k
                JOIN contacts c ON c.number = k.contact WHERE instr(k.card, CAST('BDAY' AS BLOB)) > 0 ORDER BY c.id
                """
            ) { row -> KnownBirthday? in
                let lines = String(decoding: row.blob(4), as: UTF8.self).split(separator: "\n")
                let names = [row.optionalText(1), row.optionalText(2)].compactMap(\.self)
                let name = names.isEmpty ? row.optionalText(3) ?? "" : names.joined(separator: " ")
                guard !name.isEmpty, let birthday = lines.lazy.compactMap({ Self.birthday($0) }).first else {
                    return nil
                }
                return KnownBirthday(of: row.identifier(0), isMembers: false, name: name, birthday)
            }.compactMap(\.self)
        }
        remembered.remember(known, of: 0, act)
        return known
    }

    /// The day of a line such as `BDAY:19840229`, `BDAY;VALUE=date:1984-02-29` or `BDAY:--0229`.
    static func birthday(_ line: Substring) -> Birthday? {
        guard line.uppercased().hasPrefix("BDAY"), let colon = line.firstIndex(of: ":"),
            ":;".contains(line.dropFirst(4).first ?? " ")
        else { return nil }
        return day(line[line.index(after: colon)...])
    }

    /// The day of a value, with or without a year.
    static func day(_ value: Substring) -> Birthday? {
        let date = value.prefix { $0 != "T" }
        let isYearless = date.hasPrefix("--")
        let digits = date.filter(\.isNumber)
        guard digits.utf8.count == (isYearless ? 4 : 8) else { return nil }
        let day = digits.suffix(4)
        return Birthday((isYearless ? "-" : digits.prefix(4)) + "-" + day.prefix(2) + "-" + day.suffix(2))
    }
}
