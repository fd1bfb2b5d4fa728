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
            let page = try page(params, limit: params.optionalInt("limit") ?? pageDefault, act)
            return .done(
                .object(leavingOut: [
                    "contacts": .array(page.contacts.map(\.contact.json)),
                    "next": page.next.map { .id($0) },
                ]))
        }
    ).listing()

    /// A page of what is asked for.
    private static func page(
        _ params: Params, limit: Int64, _ act: Act
    ) throws(Rejection) -> (contacts: [StoredContact], next: Identifier?) {
        var choice = StoredContact.Choice(category: params.optionalString("category"))
        if let words = params.optionalString("words") {
            guard let query = ContactWords.query(words) else { return ([], nil) }
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
        let page = try act.ask { (database) throws(StoreFailure) in
            try StoredContact.page(choice, limit: limit, database)
        }
        return (page.contacts, page.hasMore ? page.contacts.last?.contact.id : nil)
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
            let page = try page(params, limit: Limits.contactsPerAnswerMax, act)
            var writer = VCardWriter()
            for stored in page.contacts { writer.write(stored.contact, uid: stored.uidOut) }
            return .done(
                .null,
                effect: .piece(
                    FilePiece(
                        bytes: writer.bytes, count: page.contacts.count, of: "contacts",
                        next: page.next?.description, mediaType: "text/vcard", fileName: "contacts.vcf")))
        }
    ).answering(["text/vcard"])
}
