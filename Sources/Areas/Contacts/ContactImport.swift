import KinKeeper
import KinModel

extension Contacts {
    private static let file = FileImport(
        "vcard", of: "entry", as: "contact", bytesMax: Limits.vCardBytesMax, linesMax: Limits.vCardEntriesMax,
        remarksMax: Limits.vCardRemarksMax)

    static let takeIn = Method.command(
        "contact.import",
        "Takes contacts out of a file of vCards 4.0, 3.0 or 2.1, and reports on each entry.",
        access: .admins,
        note: """
            Each entry is taken by itself, whole or not at all: one that is refused stops no other. An entry with the UID of \
            a contact, or that says the same as one, is that contact: so a file may be imported again. A file of more than \
            \(Limits.itemsPerTurn) entries is kept until all of it is taken: what a crash interrupts is finished after it.
            """,
        [
            file.field(
                "The file in base64, at most \(Limits.vCardEntriesMax) entries and \(Limits.vCardBytesMax >> 20) MiB before encoding."
            )
        ],
        result: file.result(
            .optional("strayLines", .integer(1...Int64.max), "Lines outside of any entry, which were passed over.")),
        route: Route("POST", "/api/contacts/import"), events: [Contact.added, Contact.changed], isSlow: true,
        again: { (_, ids) throws(Rejection) in file.again(ids) },
        apply: { (act, params) throws(Rejection) in
            try file.carryOut(VCardFile.self, act, params, read: { read($0) }, keeping: kept.keeping()) {
                (entry, remarks) throws(Rejection) in try take(entry, &remarks, act)
            }
        }
    ).takingParcel(
        as: "vcard", bytesMax: Limits.vCardBytesMax, mediaTypes: ["text/vcard", "text/x-vcard", "text/directory"])

    /// Where files are kept while they are taken in.
    private static let kept = KeptFiles<ContactFiles>(
        in: "contact_imports", parts: "contact_import_parts", finishedBy: "contact.finishImport")

    /// The daemon calls this itself after an interruption, as who gave the file.
    static let finishImport = Method.command(
        "contact.finishImport", "Takes what is left of a file whose import was interrupted.", access: .admins,
        note: "the daemon itself", [], result: .nothing, route: nil, events: [Contact.added, Contact.changed],
        isSlow: true,
        apply: { (act, _) throws(Rejection) in
            try file.goOn(
                VCardFile.self, act,
                from: { () throws(Rejection) in
                    try kept.interrupted(act) { bytes, number in
                        var whole = VCardFile(bytes)
                        whole.kept = number
                        return .made(whole)
                    }
                },
                take: { (entry, whole) throws(Rejection) in
                    if let number = whole.kept { kept.goesOn(number, act) }
                    var remarks: [String] = []
                    _ = try take(entry, &remarks, act)
                },
                end: { (whole) throws(Rejection) in
                    if let number = whole.kept { try kept.end(number, act) }
                    kept.finishNext(act)
                })
        }
    ).forGateways()

    /// An interrupted import goes on as long as the member who gave the file is an admin.
    static func lookAfterImports(_ act: Act) throws(Rejection) {
        try kept.lookAfter(act) { (member) throws(Rejection) in
            guard let member else { return true }
            return try act.roster[member]?.role == .admin
        }
    }

    /// Reads a file, on a worker.
    private static func read(_ bytes: [UInt8]) -> SlowResult {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            return .refused("vcard is in UTF-16; save it as UTF-8.")
        }
        let file = VCardFile(bytes)
        guard !file.isCut else {
            return .refused("vcard has more than \(Limits.vCardEntriesMax) entries; send them in several files.")
        }
        guard !file.entries.isEmpty else { return .refused("vcard holds no vCard: nothing begins with BEGIN:VCARD.") }
        return .made(file)
    }

    private static func take(
        _ entry: VCardEntry, _ remarks: inout [String], _ act: Act
    ) throws(Rejection) -> (FileImport.Outcome, Identifier?) {
        guard var read = entry.contact else { return (.refused, nil) }
        var known: StoredContact?
        if let uid = entry.uid { known = try StoredContact.find(uid: uid, act) }
        if known == nil { known = try StoredContact.find(same: read, act) }
        if var stored = known {
            let id = stored.contact.id
            // A file that says no birthday takes none away.
            if read.birthday == nil { read.birthday = stored.contact.birthday }
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
            phones: phones, emails: emails, addresses: addresses, birthday: birthday, note: note)
    }
}

/// Which files of vCards are being taken.
final class ContactFiles: KeptFileMemory {
    var filesUnderWay: [Int64: FileUnderWay] = [:]

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { filesUnderWay = [:] }
}
