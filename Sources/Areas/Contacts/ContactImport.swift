import KinCrypto
import KinKeeper
import KinModel
import KinStore

extension Contacts {
    private static let line = Shape.object([
        .required("number", .integer(1...Int64(Limits.vCardEntriesMax)), "The entry's place in the file."),
        .required("name", .text(max: 64), "What it calls itself, shortened."),
        .required(
            "outcome", .oneOf(ContactImport.Outcome.allCases.map(\.rawValue)),
            "same: it was there already; refused: nothing of it was taken."),
        .optional("contact", .id, "The contact it is now."),
        .required(
            "remarks", .list(.text(max: 400), max: Limits.vCardRemarksMax),
            "What was not taken as it is, and why: a sentence each."),
    ])

    static let takeIn = Method.command(
        "contact.import",
        "Takes contacts out of a file of vCards 4.0, 3.0 or 2.1, and reports on each entry.",
        access: .admins,
        note: """
            Each entry is taken by itself, whole or not at all: one that is refused stops no other. An entry with the UID of \
            a contact, or that says the same as one, is that contact: so a file may be imported again.
            """,
        [
            .required(
                "vcard", .token(max: (Limits.vCardBytesMax + 2) / 3 * 4),
                "The file in base64, at most \(Limits.vCardEntriesMax) entries and 4 MiB before encoding.")
        ],
        result: .object([
            .required("taken", .integer(0...Int64(Limits.vCardEntriesMax)), "Entries that are contacts now."),
            .required(
                "entries", .list(line, max: Limits.vCardEntriesMax),
                "A line for each entry, in their order; none where the same op is repeated."),
            .optional("strayLines", .integer(1...Int64.max), "Lines outside of any entry, which were passed over."),
        ]),
        route: Route("POST", "/api/contacts/import"), events: [Contact.added, Contact.changed], isSlow: true,
        again: { (_, ids) throws(Rejection) in ["taken": .int(Int64(ids.count)), "entries": []] },
        apply: { (act, params) throws(Rejection) in
            if act.isFirstWay { return .later(VCardWork(source: try source(try params.string("vcard"), act))) }
            var run: ContactImport
            if let carried = act.carried as? ContactImport {
                run = carried
            } else {
                run = ContactImport(try file(act.work))
            }
            guard try run.goOn(act) else { return .later(.rest(after: run.done, carrying: run)) }
            return .done(run.report, ids: run.ids)
        }
    ).takingParcel(as: "vcard", bytesMax: Limits.vCardBytesMax)

    private static func source(_ text: String, _ act: Act) throws(Rejection) -> VCardWork.Source {
        if let parcel = act.parcel, parcel.name == text { return .parcel(parcel) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
            throw Rejection(.invalid, "vcard must be base64 with padding.", field: "vcard")
        }
        return .bytes(bytes)
    }

    /// What a worker read.
    private static func file(_ work: SlowResult?) throws(Rejection) -> VCardFile {
        if let file = work?.made(VCardFile.self) { return file }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: "vcard")
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your files wait to be read already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, "The file could not be read; try again.")
        }
    }
}

/// An import on its way: some entries in each turn of the keeper, each of them whole.
struct ContactImport: Sendable {
    /// What became of an entry.
    enum Outcome: String, CaseIterable, Sendable {
        case added, changed, same, refused
    }

    private let file: VCardFile
    /// How many are done.
    private(set) var done = 0
    /// The contacts they are now.
    private(set) var ids: [Identifier] = []
    private var lines: [JSON] = []

    init(_ file: VCardFile) { self.file = file }

    var report: JSON {
        .object(leavingOut: [
            "taken": .int(Int64(ids.count)), "entries": .array(lines),
            "strayLines": file.strayLines > 0 ? .int(Int64(file.strayLines)) : nil,
        ])
    }

    /// Takes some more; answers whether those were all.
    mutating func goOn(_ act: Act) throws(Rejection) -> Bool {
        for entry in file.entries[done...].prefix(Limits.itemsPerTurn) {
            var remarks = entry.remarks
            let (outcome, contact) = try take(entry, &remarks, act)
            if let contact { ids.append(contact) }
            lines.append(
                .object(leavingOut: [
                    "number": .int(Int64(entry.number)), "name": .string(entry.name),
                    "outcome": .string(outcome.rawValue), "contact": contact.map { .id($0) },
                    "remarks": .array(remarks.map { .string($0) }),
                ]))
            done += 1
        }
        return done == file.entries.count
    }

    private func take(
        _ entry: VCardEntry, _ remarks: inout [String], _ act: Act
    ) throws(Rejection) -> (Outcome, Identifier?) {
        guard let read = entry.contact else { return (.refused, nil) }
        var known: StoredContact?
        if let uid = entry.uid { known = try StoredContact.find(uid: uid, act) }
        if known == nil { known = try StoredContact.find(same: read, act) }
        if var stored = known {
            let id = stored.contact.id
            guard !stored.contact.says(as: read) else { return (.same, id) }
            stored.contact = read.called(id)
            try stored.save(act)
            try ContactWords.rebuildSoon(act)
            try Contacts.tell(Contact.changed, stored, act)
            return (.changed, id)
        }
        guard try StoredContact.count(act) < Limits.contactsMax else {
            remarks.removeLast(remarks.count < Limits.vCardRemarksMax ? 0 : 1)
            remarks.append("The family has \(Limits.contactsMax) contacts, which is the most.")
            return (.refused, nil)
        }
        var stored = StoredContact(read.called(act.newIdentifier()), uid: entry.uid)
        try stored.save(act)
        try Contacts.tell(Contact.added, stored, act)
        return (.added, stored.contact.id)
    }
}

extension Contact {
    /// The same under another identifier.
    func called(_ id: Identifier) -> Contact {
        Contact(
            id: id, category: category, company: company, title: title, firstName: firstName, lastName: lastName,
            phones: phones, emails: emails, addresses: addresses, note: note)
    }
}
