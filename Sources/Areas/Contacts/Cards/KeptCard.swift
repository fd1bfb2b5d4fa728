import KinKeeper
import KinModel
import KinStore

/// The vCard that a client wrote, kept beside the contact made from it. Properties for which contacts have no field are
/// returned as they were.
struct KeptCard: Sendable, Equatable {
    /// The client's name for it: the last part of its address.
    let name: String
    /// The change of the contact by which it was written.
    let change: Int64
    /// Its lines, unfolded, without the first and the last; none where nothing was written.
    let lines: [String]

    /// Why a text is no card that is kept.
    enum Flaw: Error, Equatable {
        case isNone(String)
        case isTooLong
    }

    /// Takes a text apart: one vCard of version 3.0 or 4.0, in UTF-8.
    static func lines(of text: [UInt8]) throws(Flaw) -> [String] {
        guard text.count <= Limits.cardBytesMax else { throw .isTooLong }
        guard String(validating: text, as: UTF8.self) != nil else { throw .isNone("It is in no UTF-8.") }
        var lines: [String] = []
        var reader = VCardLines(text, lineBytesMax: Limits.cardBytesMax)
        while let line = reader.next() {
            guard let text = String(validating: line.bytes, as: UTF8.self) else {
                throw .isNone("It is in no UTF-8.")
            }
            guard !VCardText.trimmed(text).isEmpty else { continue }
            let isClean = text.unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control }
            guard isClean else { throw .isNone("It has a control character.") }
            lines.append(text)
        }
        func says(_ line: String?, _ words: String) -> Bool {
            line.map { VCardText.trimmed($0).uppercased() == words } ?? false
        }
        guard says(lines.first, "BEGIN:VCARD"), says(lines.last, "END:VCARD"), lines.count > 2 else {
            throw .isNone("It is no vCard: it does not begin with BEGIN:VCARD and end with END:VCARD.")
        }
        lines = Array(lines.dropFirst().dropLast())
        guard !lines.contains(where: { says($0, "BEGIN:VCARD") || says($0, "END:VCARD") }) else {
            throw .isNone("It is more than one vCard.")
        }
        guard CardVersion(of: lines) != nil else { throw .isNone("It is vCard of neither version 3.0 nor 4.0.") }
        return lines
    }

    // MARK: Stored

    /// Those of some contacts, by number.
    static func read(_ numbers: [Int64], _ database: Database) throws(StoreFailure) -> [Int64: KeptCard] {
        var cards: [Int64: KeptCard] = [:]
        _ = try database.rows(
            """
            SELECT contact, name, written, card FROM contact_cards
            WHERE contact IN (SELECT value FROM json_each(?))
            """, values: [.text(JSON.array(numbers.map { .int($0) }).text)]
        ) { row in
            let lines = String(decoding: row.blob("card"), as: UTF8.self).split(separator: "\n").map { String($0) }
            cards[row.int("contact")] = KeptCard(name: row.text("name"), change: row.int("written"), lines: lines)
        }
        return cards
    }

    /// Writes it down for a contact.
    func save(for number: Int64, _ act: Act) throws(Rejection) {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        try act.run(
            "INSERT OR REPLACE INTO contact_cards (contact, name, written, bytes, card) VALUES (?, ?, ?, ?, ?)",
            .int(number), .text(name), .int(change), .int(Int64(bytes.count)), .blob(bytes))
    }

    /// Bytes of all of them.
    static func bytes(_ act: Act) throws(Rejection) -> Int64 {
        try act.first("SELECT coalesce(sum(bytes), 0) FROM contact_cards", map: { row in row.int(0) }) ?? 0
    }
}
