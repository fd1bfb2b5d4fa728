import KinKeeper
import KinModel
import KinStore

/// The queries of the gateway for CardDAV: the contacts as vCards under names that clients give them.
extension Contacts {
    private static let cardNamed = Field.required("name", .text(max: Limits.cardNameCharactersMax))
    private static let conditions: [Field] = [
        .optional("tags", .list(.token(max: 100), max: 20), "Only while its validator is one of these (If-Match)."),
        .optional("there", .bool, "Only where there is one (If-Match: *)."),
    ]

    static let book = Method.query(
        "contact.book", "The contacts as a whole: where a client stands that knows all of them.", access: .family,
        result: .object([
            .required("sync", .token(max: 64)), .required("writes", .bool, "Whether the caller writes contacts."),
        ]),
        apply: { (act, _) throws(Rejection) in
            let book = try act.ask { (database) throws(StoreFailure) in try ContactBook.read(database) }
            let writes = try act.member.role == .admin
            return .done(["sync": .string(book.token(book.changes)), "writes": .bool(writes)])
        }
    ).scoped(.calendar).forGateways()

    static let cards = Method.query(
        "contact.cards", "Contacts as vCards, in the order of their changes, and what went.", access: .family,
        [
            .optional("names", .list(.text(max: Limits.cardNameCharactersMax), max: Limits.cardsPerAnswerMax)),
            .optional("since", .token(max: 64), "Only what was changed since a client stood there."),
            .optional("after", .integer(0...Int64.max), "next of the answer before."),
            .optional("until", .integer(0...Int64.max), "until of the first answer."),
            .optional("limit", .integer(1...Int64(Limits.cardsPerAnswerMax))),
            .optional("version", .oneOf(CardVersion.allCases.map(\.rawValue)), "With the vCards, of this version."),
        ],
        result: .any,
        apply: { (act, params) throws(Rejection) in
            try act.ask { (database) throws(StoreFailure) in try cards(params, database) }
        }
    ).scoped(.calendar).forGateways()

    private static func cards(_ params: Params, _ database: Database) throws(StoreFailure) -> Outcome {
        let book = try ContactBook.read(database)
        let version = params.optionalString("version").flatMap { CardVersion(rawValue: $0) }
        func items(_ contacts: [StoredContact]) throws(StoreFailure) -> JSON {
            let kept = try KeptCard.read(contacts.map(\.number), database)
            return .array(contacts.map { item($0, kept[$0.number], book, version) })
        }
        if let names = params["names"]?.array {
            var found: [StoredContact] = []
            var asked: Set<Int64> = []
            for name in names.compactMap(\.string) {
                guard let contact = try StoredContact.find(card: name, database),
                    asked.insert(contact.number).inserted
                else { continue }
                found.append(contact)
            }
            return .done(["items": try items(found), "gone": [], "sync": .string(book.token(book.changes))])
        }
        var since: Int64 = 0
        if let token = params.optionalString("since") {
            guard let change = book.change(of: token) else { return .done(["unknown": true]) }
            since = change
        }
        let until = min(params.optionalInt("until") ?? book.changes, book.changes)
        let after = max(since, params.optionalInt("after") ?? 0)
        let limit = Int(clamping: params.optionalInt("limit") ?? Int64(Limits.cardsPerAnswerMax))
        var contacts = try StoredContact.changed(after: after, until: until, limit: limit + 1, database)
        var gone: [(changed: Int64, name: String)] = []
        if params.has("since") {
            gone = try database.rows(
                "SELECT changed, name FROM contacts_gone WHERE changed > ? AND changed <= ? ORDER BY changed LIMIT ?",
                .int(after), .int(until), Value(limit + 1)
            ) { row in (changed: row.int("changed"), name: row.text("name")) }
        }
        // Up to the change at which the answer is full, of both.
        let changes = (contacts.map(\.changed) + gone.map(\.changed)).sorted()
        let isMore = changes.count > limit
        let last = isMore ? changes[limit - 1] : until
        contacts.removeAll { $0.changed > last }
        gone.removeAll { $0.changed > last }
        return .done(
            .object(leavingOut: [
                "items": try items(contacts), "gone": .array(gone.map { .string($0.name) }),
                "next": isMore ? .int(last) : nil, "until": .int(until), "sync": .string(book.token(last)),
            ]))
    }

    private static func item(
        _ stored: StoredContact, _ kept: KeptCard?, _ book: ChangeCount, _ version: CardVersion?
    ) -> JSON {
        .object(leavingOut: [
            "name": .string(kept?.name ?? stored.ownCardName), "tag": .string(book.tag(stored.changed)),
            "data": version.map {
                .string(String(decoding: CardText.bytes(of: stored, kept, as: $0), as: UTF8.self))
            },
        ])
    }

    // MARK: Writing

    static let putCard = Method.command(
        "contact.putCard", "Makes a contact of a vCard, or changes one.", access: .admin,
        [
            cardNamed, .required("card", .any, "The vCard, 3.0 or 4.0."),
            .optional("absent", .bool, "Only where there is none (If-None-Match: *)."),
        ] + conditions,
        result: .any, events: [Contact.added, Contact.changed],
        apply: { (act, params) throws(Rejection) in
            let name = try params.string("name")
            let text = Array((params["card"]?.string ?? "").utf8)
            let known = try act.ask { (database) throws(StoreFailure) in
                try StoredContact.find(card: name, database)
            }
            guard try isMet(params, known, act) else { return refused("changed", "It has changed meanwhile.") }
            let lines: [String]
            do throws(KeptCard.Flaw) { lines = try KeptCard.lines(of: text) } catch {
                switch error {
                case .isNone(let sentence): return refused("data", sentence)
                case .isTooLong: return refused("size", "A vCard has at most \(Limits.cardBytesMax) bytes.")
                }
            }
            guard let entry = VCardFile(text, entriesMax: 1).entries.first, let read = entry.contact else {
                let remarks = VCardFile(text, entriesMax: 1).entries.first?.remarks ?? []
                return refused("data", remarks.joined(separator: " "))
            }
            if let uid = entry.uid {
                if let other = try StoredContact.find(uid: uid, act), other.number != known?.number {
                    let kept = try act.ask { (database) throws(StoreFailure) in
                        try KeptCard.read([other.number], database)[other.number]
                    }
                    return refused(
                        "uid", "Another contact has this UID.", of: kept?.name ?? other.ownCardName)
                }
                guard known == nil || known?.uidOut == uid else {
                    return refused("uid", "A contact keeps its UID.", of: name)
                }
            }
            return try put(read, uid: entry.uid, name, lines, text, known, act)
        }
    ).scoped(.calendar).forGateways()

    private static func put(
        _ read: Contact, uid: String?, _ name: String, _ lines: [String], _ text: [UInt8], _ known: StoredContact?,
        _ act: Act
    ) throws(Rejection) -> Outcome {
        var stored: StoredContact
        var saysSame = false
        if let known {
            let kept = try act.ask { (database) throws(StoreFailure) in
                try KeptCard.read([known.number], database)[known.number]
            }
            saysSame = known.contact.says(as: read)
            stored = known
            stored.contact = read.called(known.contact.id)
            if saysSame, kept?.lines == lines, kept?.change == known.changed {
                return try answer(stored, kept, text, isNew: false, act)
            }
        } else {
            try checkRoom(act)
            stored = StoredContact(read.called(act.newIdentifier()), uid: uid)
        }
        let bytes = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        guard try KeptCard.bytes(act) + Int64(bytes) <= Int64(Limits.cardsBytesMax) else {
            return refused("room", "The vCards of all contacts take \(Limits.cardsBytesMax) bytes, which is the most.")
        }
        if known?.uid == nil, let uid, uid != stored.uidOut { stored.uid = uid }
        try stored.save(act)
        let kept = KeptCard(name: name, change: stored.changed, lines: lines)
        try kept.save(for: stored.number, act)
        // It is there again, under a name that went.
        try act.run("DELETE FROM contacts_gone WHERE name = ?", .text(name))
        if known == nil {
            try tell(Contact.added, stored, act)
        } else if !saysSame {
            try ContactWords.rebuildSoon(act)
            try tell(Contact.changed, stored, act)
        }
        return try answer(stored, kept, text, isNew: known == nil, act)
    }

    /// Its validator goes along where a client would read the bytes it wrote (RFC 6352, 6.3.2.3).
    private static func answer(
        _ stored: StoredContact, _ kept: KeptCard?, _ text: [UInt8], isNew: Bool, _ act: Act
    ) throws(Rejection) -> Outcome {
        let book = try act.ask { (database) throws(StoreFailure) in try ContactBook.read(database) }
        let isSame = CardVersion(of: kept?.lines ?? []).map { CardText.bytes(of: stored, kept, as: $0) } == text
        return .done(
            .object(leavingOut: [
                "isNew": .bool(isNew), "tag": isSame ? .string(book.tag(stored.changed)) : nil,
            ]), ids: [stored.contact.id])
    }

    static let dropCard = Method.command(
        "contact.dropCard", "Removes the contact under a name.", access: .admin, [cardNamed] + conditions,
        result: .any, events: [Contact.removed],
        apply: { (act, params) throws(Rejection) in
            let name = try params.string("name")
            let known = try act.ask { (database) throws(StoreFailure) in
                try StoredContact.find(card: name, database)
            }
            guard let known else { throw Rejection(.notFound, "There is no such contact.", field: "name") }
            guard try isMet(params, known, act) else { return refused("changed", "It has changed meanwhile.") }
            try known.remove(act)
            return .done([:], ids: [known.contact.id])
        }
    ).scoped(.calendar).freeingRoom().forGateways()

    /// Whether the present state is the one that a client knows (RFC 9110 §13.1).
    private static func isMet(_ params: Params, _ known: StoredContact?, _ act: Act) throws(Rejection) -> Bool {
        if params["absent"]?.bool == true, known != nil { return false }
        if params["there"]?.bool == true, known == nil { return false }
        guard let tags = params["tags"]?.array else { return true }
        guard let known else { return false }
        let book = try act.ask { (database) throws(StoreFailure) in try ContactBook.read(database) }
        return tags.contains(.string(book.tag(known.changed)))
    }

    /// Nothing was done: by which rule, and a sentence.
    private static func refused(_ rule: String, _ sentence: String, of name: String? = nil) -> Outcome {
        .done(
            .object(leavingOut: [
                "refused": .string(rule), "sentence": .string(sentence), "name": name.map { .string($0) },
            ]))
    }
}
