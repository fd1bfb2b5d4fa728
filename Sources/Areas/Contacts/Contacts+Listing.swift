import KinKeeper
import KinModel
import KinStore

extension Contacts {
    private static let pageDefault: Int64 = 50

    private static let chosen: [Field] = [
        .optional(
            "words", .line(max: Limits.contactSearchCharactersMax),
            "Only those with all of these words, or words that begin so, anywhere; ä, a and ae are one, and a phone number is found by any of its ends."
        ),
        .optional("category", Contact.name.shape, "Only those of this category."),
    ]

    static let list = Method.query(
        "contact.list", "The family's contacts by name, a page at a time.", access: readers,
        chosen + [
            .optional("after", .id, "The next of the page before."),
            .optional("limit", .integer(1...Limits.contactsPerAnswerMax), "\(pageDefault) if left out."),
        ],
        result: .object([
            .required("contacts", .list(Contact.shape, max: Int(Limits.contactsPerAnswerMax))),
            .optional("next", .id, "There are more: give it as after."),
        ]),
        route: Route("GET", "/api/contacts"),
        apply: { (act, params) throws(Rejection) in
            answer(try page(params, limit: limit(params), act))
        }
    ).listing().searching(limit, answer)

    /// A search: contacts with words.
    fileprivate struct Search: Sendable, Equatable {
        /// `nil` where there is no word to look for.
        let choice: StoredContact.Choice?
        let limit: Int64
        /// How often contacts were changed.
        let changes: Int
    }

    /// Contacts, and where the page behind them begins.
    fileprivate struct Page: Sendable {
        var contacts: [StoredContact] = []
        var next: Identifier?
    }

    private static func limit(_ params: Params) -> Int64 { params.optionalInt("limit") ?? pageDefault }

    private static func answer(_ page: Page) -> Outcome {
        .done(
            .object(leavingOut: [
                "contacts": .array(page.contacts.map(\.contact.json)), "next": page.next.map { .id($0) },
            ]))
    }

    /// A page of what is asked for.
    private static func page(_ params: Params, limit: Int64, _ act: Act) throws(Rejection) -> Page {
        guard let choice = try choice(params, act) else { return Page() }
        return try act.ask { (database) throws(StoreFailure) in try page(choice, limit: limit, database) }
    }

    fileprivate static func page(
        _ choice: StoredContact.Choice, limit: Int64, _ database: Database
    ) throws(StoreFailure) -> Page {
        let page = try StoredContact.page(choice, limit: limit, database)
        return Page(contacts: page.contacts, next: page.hasMore ? page.contacts.last?.contact.id : nil)
    }

    /// The contacts that are asked for; `nil` where the search has no word.
    fileprivate static func choice(_ params: Params, _ act: Act) throws(Rejection) -> StoredContact.Choice? {
        var choice = StoredContact.Choice(category: params.optionalString("category"))
        if let words = params.optionalString("words") {
            guard let query = ContactWords.query(words) else { return nil }
            choice.words = query
        }
        choice.after = try params.optionalID("after").map { (id) throws(Rejection) in
            let name = try act.first("SELECT place FROM contacts WHERE id = ?", .id(id)) { row in row.text(0) }
            guard let name else {
                throw Rejection(
                    .invalid, "The contact that the page before ended with is gone; leave after out to begin anew.",
                    field: "after")
            }
            return StoredContact.Place(name: name, id: id)
        }
        return choice
    }

    static let takeOut = Method.query(
        "contact.export",
        "The family's contacts as a file, vCard 4.0 (RFC 6350). Over HTTP it is the file; elsewhere it comes in pieces, whose texts one after the other are the file.",
        access: readers, chosen + [.optional("after", .id, "next of the piece before, for the piece after it.")],
        result: .object([
            .required("text", .text(max: 4 * Limits.contactsPerAnswerBytesMax), "The next piece of the file."),
            .required("contacts", .integer(0...Limits.contactsPerAnswerMax), "How many are in it."),
            .optional("next", .id, "To be given as after; left out with the last."),
        ]),
        route: Route("GET", "/api/contacts/export"),
        apply: { (act, params) throws(Rejection) in
            // Every reader sees all contacts, so the count of their changes says what the file holds.
            let book = try act.ask { (database) throws(StoreFailure) in try ContactBook.read(database) }
            return piece(
                try page(params, limit: pieceLimit(params), act), state: "\(book.epoch) \(book.changes)")
        }
    ).answering(["text/vcard"]).searching(pieceLimit) { page in piece(page) }

    private static func pieceLimit(_: Params) -> Int64 { Limits.contactsPerAnswerMax }

    private static func piece(_ page: Page, state: String? = nil) -> Outcome {
        var writer = VCardWriter()
        for stored in page.contacts { writer.write(stored.contact, uid: stored.uidOut) }
        return .done(
            .null,
            effect: .piece(
                FilePiece(
                    bytes: writer.bytes, count: page.contacts.count, of: "contacts", next: page.next?.description,
                    mediaType: "text/vcard", fileName: "contacts.vcf", state: state)))
    }
}

extension Method {
    /// The same query, which reads for long where it looks for words.
    fileprivate func searching(
        _ limit: @escaping @Sendable (Params) -> Int64, _ answer: @escaping @Sendable (Contacts.Page) -> Outcome
    ) -> Method {
        readingLong(
            when: { $0["words"] != nil },
            admit: { (act, params, _: Contacts.Search?) throws(Rejection) in
                Contacts.Search(
                    choice: try Contacts.choice(params, act), limit: limit(params),
                    changes: act.changes(of: ["contacts", "contact_ways"]))
            },
            begin: { (_) in Contacts.Page() },
            read: { (database, asked, found, _) throws(StoreFailure) in
                // One pass: a family has a bound of contacts (``Limits/contactsMax``), and they are sorted as a whole.
                if let choice = asked.choice { found = try Contacts.page(choice, limit: asked.limit, database) }
                return true
            },
            answer: { (_, _, _, found) throws(Rejection) in answer(found) })
    }
}
