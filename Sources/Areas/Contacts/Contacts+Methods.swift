import KinKeeper
import KinModel
import KinStore

extension Contacts {
    /// The fields of a contact. `shape` says whether `null` may stand for one.
    private static func parts(_ shape: (Shape) -> Shape) -> [Field] {
        [
            .optional("category", shape(Contact.name.shape), "What sort of contact it is, such as Doctors."),
            .optional("company", shape(Contact.name.shape)),
            .optional("title", shape(Contact.titleForm.shape), "What stands before the name, such as Dr."),
            .optional("firstName", shape(Contact.name.shape)),
            .optional("lastName", shape(Contact.name.shape)),
            .optional("phones", Contact.phoneList.shape, "The first is the usual one."),
            .optional("emails", Contact.emailList.shape, "The first is the usual one."),
            .optional("addresses", Contact.addressList.shape, "One line each."),
            .optional(
                "birthday", shape(Form<Birthday>.birthday.shape), "1984-02-29, or --02-29 without its year."),
            .optional("note", shape(Contact.noteForm.shape)),
        ]
    }

    /// The field that names the contact.
    static let named = Field.required("contact", .id)
    static let result = Shape.object([.required("contact", Contact.shape)])

    static let add = Method.command(
        "contact.add", "Adds a contact. All of it may be left out, but not everything.", access: .admins,
        parts { $0 }, result: result, route: Route("POST", "/api/contacts", status: 201), events: [Contact.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = StoredContact(Contact(id: act.newIdentifier()))
            try stored.contact.take(params, now: act.now)
            try checkRoom(act)
            try stored.save(act)
            try tell(Contact.added, stored, act)
            return .done(rendered(stored), ids: [stored.contact.id])
        })

    static let update = Method.command(
        "contact.update", "Changes a contact; null takes a field away, and a list is given whole.", access: .admins,
        [named] + parts { .nullable($0) }, result: result, route: Route("PATCH", "/api/contacts/{contact}"),
        events: [Contact.changed], again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var stored = try StoredContact.find(try params.id("contact"), act)
            let before = stored.contact
            try stored.contact.take(params, now: act.now)
            if stored.contact != before {
                try stored.save(act)
                // Words that went lie in the index until it is made anew.
                try ContactWords.rebuildSoon(act)
                try tell(Contact.changed, stored, act)
            }
            return .done(rendered(stored), ids: [stored.contact.id])
        })

    static let remove = Method.command(
        "contact.remove", "Removes a contact, from the log too.", access: .admins, [named], result: .nothing,
        route: Route("DELETE", "/api/contacts/{contact}"), events: [Contact.removed],
        apply: { (act, params) throws(Rejection) in
            try StoredContact.find(try params.id("contact"), act).remove(act)
            return .done([:])
        }
    ).freeingRoom()

    static let show = Method.query(
        "contact.show", "One contact.", access: readers, [named], result: result,
        route: Route("GET", "/api/contacts/{contact}"),
        apply: { (act, params) throws(Rejection) in
            .done(rendered(try StoredContact.find(try params.id("contact"), act)))
        })

    // MARK: What they share

    /// Refuses a further contact when the limit is reached.
    static func checkRoom(_ act: Act) throws(Rejection) {
        guard try StoredContact.count(act) < Limits.contactsMax else {
            throw Rejection(
                .tooLarge, "The family has \(Limits.contactsMax) contacts, which is the most; remove one first.")
        }
    }

    /// Tells everyone of a contact as it is now.
    static func tell(
        _ event: EventType<Contact.Whole>, _ stored: StoredContact, _ act: Act
    ) throws(Rejection) {
        let about = about(stored.contact.id)
        if event.name == Contact.changed.name {
            // The former words are in no row of the log any more, and soon in no index; members who were away are told
            // of it by this event alone.
            try act.erase(about: about)
            try ContactWords.rebuildSoon(act)
        }
        try act.emit(event, .init(contact: stored.contact), about: about, to: try act.roster.everyone)
    }

    static func rendered(_ stored: StoredContact) -> JSON { ["contact": stored.contact.json] }

    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return rendered(try StoredContact.find(id, act))
    }
}

extension Contact {
    /// Takes what was given of its fields.
    fileprivate mutating func take(_ params: Params, now: Instant) throws(Rejection) {
        func text(_ name: String, _ now: String?) -> String? {
            guard let given = params[name] else { return now }
            return given.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        func ways(_ name: String, _ now: [Way]) -> [Way] {
            params[name]?.array.map { $0.compactMap(Way.init) } ?? now
        }
        category = text("category", category)
        company = text("company", company)
        title = text("title", title)
        firstName = text("firstName", firstName)
        lastName = text("lastName", lastName)
        note = text("note", note)
        phones = ways("phones", phones)
        emails = ways("emails", emails)
        addresses = ways("addresses", addresses)
        if let given = params["birthday"] {
            birthday = try given.string.flatMap { $0.isEmpty ? nil : $0 }.map { (text) throws(Rejection) in
                try Self.birthday(text, now: now)
            }
        }
        for phone in phones { try Self.checkPhone(phone.value) }
        for email in emails { try Self.checkEmail(email.value) }
        guard !isEmpty else {
            throw Rejection(.invalid, "Nothing is said of the contact; give a name, a company or a number at least.")
        }
    }

    /// A day of birth as it was given; refuses what is none.
    private static func birthday(_ text: String, now: Instant) throws(Rejection) -> Birthday {
        guard let day = Birthday(text) else {
            throw Rejection(
                .invalid, "A birthday is a day that there is: 1984-02-29, or --02-29 without its year.",
                field: "birthday")
        }
        // The day may be tomorrow's by UTC where it is today already.
        guard day.year == nil || day.text <= now.adding(days: 1).description.prefix(10) else {
            throw Rejection(.invalid, "A birthday lies not in the future.", field: "birthday")
        }
        return day
    }

    /// Refuses what can be no phone number: it has no digit.
    static func checkPhone(_ text: String) throws(Rejection) {
        guard text.contains(where: { $0.isNumber }) else {
            throw Rejection(.invalid, "A phone number has digits.", field: "phones")
        }
    }

    /// Refuses what can be no e-mail address: it has to have one @ with something on both sides, and no space.
    static func checkEmail(_ text: String) throws(Rejection) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.contains(where: { $0.isWhitespace }) else {
            throw Rejection(.invalid, "An e-mail address is such as name@example.org.", field: "emails")
        }
    }
}
