import KinKeeper
import KinModel
import KinStore

/// A contact as it is stored.
struct StoredContact: Sendable {
    /// The small number that other tables name it by; 0 before it is stored.
    private(set) var number: Int64 = 0
    /// Its UID in the vCard that it came by.
    var uid: String?
    /// The number of its last change (``ContactBook``).
    private(set) var changed: Int64 = 0
    /// As members see it.
    var contact: Contact

    init(_ contact: Contact, uid: String? = nil) {
        self.contact = contact
        self.uid = uid
    }

    /// Where it stands in a list: by last name, first name, company, and whatever else there is.
    static func place(of contact: Contact) -> String {
        let person = [contact.lastName, contact.firstName].compactMap(\.self)
        let parts = person.isEmpty ? [contact.company ?? contact.shownName] : person + [contact.company ?? ""]
        return Spelling.plain(String(parts.joined(separator: " ").prefix(200)))
    }

    /// Where a page ended.
    struct Place: Sendable, Equatable {
        let name: String
        let id: Identifier
    }

    /// Which contacts are asked for.
    struct Choice: Sendable, Equatable {
        /// In FTS5's language.
        var words: String?
        var category: String?
        /// Those behind this place.
        var after: Place?
    }

    // MARK: Reading

    /// Ways have a table of their own.
    private static let columns = Columns<Contact>(elsewhere: ["phones", "emails", "addresses"])
    private static let wayColumns = Columns<Contact.Way>()
    private static let selected = "number, uid, bytes, changed, " + columns.names

    private init(_ row: borrowing Row) throws(StoreFailure) {
        number = row.int("number")
        uid = row.optionalText("uid")
        changed = row.int("changed")
        contact = try Self.columns.read(row)
    }

    /// The first of a choice, in their order, as far as an answer has room; and whether there are more.
    static func page(
        _ choice: Choice, limit: Int64, _ database: Database
    ) throws(StoreFailure) -> (contacts: [StoredContact], hasMore: Bool) {
        var conditions = ["true"]
        var values: [Value] = []
        if let after = choice.after {
            conditions.append("(place, id) > (?, ?)")
            values += [.text(after.name), .id(after.id)]
        }
        if let category = choice.category {
            conditions.append("category = ?")
            values.append(.text(category))
        }
        if let words = choice.words {
            conditions.append("number IN (SELECT rowid FROM contact_words WHERE contact_words MATCH ?)")
            values.append(.text(words))
        }
        let found = try database.rows(
            "SELECT \(selected) FROM contacts WHERE " + conditions.joined(separator: " AND ")
                + " ORDER BY place, id LIMIT ?", values: values + [.int(limit + 1)]
        ) { (row) throws(StoreFailure) in (stored: try StoredContact(row), bytes: Int(row.int("bytes"))) }
        var left = Limits.contactsPerAnswerBytesMax
        let fitting = found.prefix(Int(limit)).prefix { contact in
            left -= contact.bytes
            return left >= 0
        }
        let contacts = try withWays(fitting.map(\.stored), database)
        return (contacts, contacts.count < found.count)
    }

    /// One by its identifier, or by what a vCard called it.
    private static func one(
        _ condition: String, _ value: Value, _ database: Database
    ) throws(StoreFailure) -> StoredContact? {
        let found = try database.rows("SELECT \(selected) FROM contacts WHERE " + condition, values: [value]) {
            (row) throws(StoreFailure) in try StoredContact(row)
        }
        return try withWays(found, database).first
    }

    /// One by its number.
    static func find(_ number: Int64, _ database: Database) throws(StoreFailure) -> StoredContact? {
        try one("number = ?", .int(number), database)
    }

    /// One by its identifier; 1404 when there is none.
    static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> StoredContact {
        let found = try act.ask { (database) throws(StoreFailure) in try one("id = ?", .id(id), database) }
        guard let found else { throw Rejection.notFound("contact", id.description, field: "contact") }
        return found
    }

    /// The one that a vCard means: by the name it was imported under, or by the one it was exported with.
    static func find(uid: String, _ act: Act) throws(Rejection) -> StoredContact? {
        let own = uid.hasPrefix(ownPrefix) ? Identifier(uid.dropFirst(ownPrefix.count)) : nil
        return try act.ask { (database) throws(StoreFailure) in
            if let found = try one("uid = ?", .text(uid), database) { return found }
            return try own.flatMap { (id) throws(StoreFailure) in try one("id = ?", .id(id), database) }
        }
    }

    /// One that says the same, if there is one; of a birthday one of both may say nothing.
    static func find(same contact: Contact, _ act: Act) throws(Rejection) -> StoredContact? {
        let found = try act.ask { (database) throws(StoreFailure) in
            let rows = try database.rows(
                "SELECT \(selected) FROM contacts WHERE place = ? ORDER BY id LIMIT 100",
                values: [.text(place(of: contact))]
            ) { (row) throws(StoreFailure) in try StoredContact(row) }
            return try withWays(rows, database)
        }
        return found.first { $0.contact.says(as: contact) }
            ?? found.first { stored in
                guard contact.birthday == nil || stored.contact.birthday == nil else { return false }
                var (one, two) = (stored.contact, contact)
                one.birthday = nil
                two.birthday = nil
                return one.says(as: two)
            }
    }

    /// How many there are.
    static func count(_ act: Act) throws(Rejection) -> Int {
        Int(try act.first("SELECT count(*) FROM contacts", map: { row in row.int(0) }) ?? 0)
    }

    /// Those that were changed after one change and not after another, in the order of their changes.
    static func changed(
        after: Int64, until: Int64, limit: Int, _ database: Database
    ) throws(StoreFailure) -> [StoredContact] {
        let found = try database.rows(
            "SELECT \(selected) FROM contacts WHERE changed > ? AND changed <= ? ORDER BY changed LIMIT ?",
            values: [.int(after), .int(until), Value(limit)]
        ) { (row) throws(StoreFailure) in try StoredContact(row) }
        return try withWays(found, database)
    }

    /// The one that clients know under a name: that under which one of them wrote it, else its identifier's.
    static func find(card name: String, _ database: Database) throws(StoreFailure) -> StoredContact? {
        let number = try database.first(
            "SELECT contact FROM contact_cards WHERE name = ?", .text(name)
        ) { row in row.int(0) }
        if let number { return try one("number = ?", .int(number), database) }
        guard name.hasSuffix(cardSuffix), let id = Identifier(name.dropLast(cardSuffix.count)) else { return nil }
        return try one("id = ? AND number NOT IN (SELECT contact FROM contact_cards)", .id(id), database)
    }

    /// The name that clients know it under, where none of them gave it one.
    var ownCardName: String { contact.id.description + Self.cardSuffix }

    private func cardName(_ act: Act) throws(Rejection) -> String {
        try act.first("SELECT name FROM contact_cards WHERE contact = ?", .int(number)) { row in row.text(0) }
            ?? ownCardName
    }

    private static let cardSuffix = ".vcf"

    private static func withWays(
        _ contacts: [StoredContact], _ database: Database
    ) throws(StoreFailure) -> [StoredContact] {
        guard !contacts.isEmpty else { return [] }
        var ways: [Int64: [(kind: String, way: Contact.Way)]] = [:]
        _ = try database.rows(
            """
            SELECT contact, kind, \(wayColumns.names) FROM contact_ways
            WHERE contact IN (SELECT value FROM json_each(?)) ORDER BY contact, kind, place
            """, values: [.text(JSON.array(contacts.map { .int($0.number) }).text)]
        ) { (row) throws(StoreFailure) in
            ways[row.int("contact"), default: []].append((row.text("kind"), try wayColumns.read(row)))
        }
        return contacts.map { stored in
            var stored = stored
            for (kind, way) in ways[stored.number] ?? [] {
                switch kind {
                case "phone": stored.contact.phones.append(way)
                case "email": stored.contact.emails.append(way)
                default: stored.contact.addresses.append(way)
                }
            }
            return stored
        }
    }

    // MARK: Writing

    /// Writes it down, and the words it is found by.
    mutating func save(_ act: Act) throws(Rejection) {
        let bytes = contact.json.bytes.count
        guard bytes <= Limits.contactBytesMax else {
            throw Rejection(
                .tooLarge, "A contact takes \(Limits.contactBytesMax) bytes at most, and this one \(bytes).")
        }
        if number == 0 {
            try act.run("INSERT INTO contacts (id, place, bytes) VALUES (?, '', 0)", .id(contact.id))
            number =
                try act.first("SELECT number FROM contacts WHERE id = ?", .id(contact.id)) { row in row.int(0) } ?? 0
        }
        changed = try ContactBook.next(act)
        try act.run(
            "UPDATE contacts SET uid = ?, place = ?, bytes = ?, changed = ?, \(Self.columns.assignments) WHERE number = ?",
            values: [Value(uid), .text(Self.place(of: contact)), .int(Int64(bytes)), .int(changed)]
                + Self.columns.values(of: contact) + [.int(number)])
        try act.run("DELETE FROM contact_ways WHERE contact = ?", .int(number))
        for (kind, ways) in [("phone", contact.phones), ("email", contact.emails), ("address", contact.addresses)] {
            for (place, way) in ways.enumerated() {
                try act.run(
                    """
                    INSERT INTO contact_ways (\(Self.wayColumns.names), contact, kind, place)
                    VALUES (\(Self.wayColumns.placeholders), ?, ?, ?)
                    """,
                    values: Self.wayColumns.values(of: way) + [.int(number), .text(kind), .int(Int64(place))])
            }
        }
        try ContactWords.put(self, act)
    }

    /// Removes it with all that is known about it.
    func remove(_ act: Act) throws(Rejection) {
        try ContactBook.went(try cardName(act), act)
        try act.run("DELETE FROM contacts WHERE number = ?", .int(number))
        try ContactWords.remove(number, act)
        let about = Contacts.about(contact.id)
        try act.erase(about: about)
        try act.emit(Contact.removed, .init(contact: contact.id), about: about, to: try act.roster.everyone)
    }

    /// Its UID in vCards that go out.
    var uidOut: String { uid ?? Self.ownPrefix + contact.id.description }

    private static let ownPrefix = "urn:uuid:"
}

extension Contact {
    /// Whether it says the same as another.
    func says(as other: Contact) -> Bool {
        var (one, two) = (json, other.json)
        one["id"] = nil
        two["id"] = nil
        return one == two
    }
}
