package import KinKeeper
import KinModel
import KinStore

/// The people and firms that the family wants to reach. Members read them, admins write them, guests see none. The
/// rules stand in the documentation's page Contacts.
package enum Contacts {
    package static let area = Area(
        "Contacts", view: "contacts",
        tables: [
            Table("contacts"), Table("contact_ways"), Table("contact_words"), Table("contact_book"),
            Table("contact_cards"), Table("contacts_gone", dated: ["at"]),
            Table("contact_imports"), Table("contact_import_parts"),
        ],
        migrations: migrations,
        methods: [add, update, remove, list, show, takeIn, finishImport, takeOut, book, cards, putCard, dropCard],
        events: [Contact.added, Contact.changed, Contact.removed],
        due: [
            ContactWords.rebuildDue: { (act, _) throws(Rejection) in try ContactWords.rebuild(act) }
        ],
        upkeep: { (act) throws(Rejection) in
            try lookAfterImports(act)
            try ContactBook.forget(act)
        },
        told: [Member.updated.name: { (act, told) throws(Rejection) in try forget(act, told) }],
        memories: [ContactBirthdays.self, ContactFiles.self],
        hooks: Area.Hooks(birthdays: { (act, member) throws(Rejection) in try ContactBirthdays.known(to: member, act) }
        ),
        life: Area.Life(
            // The rest of a leaving admin's file is not taken in any more.
            deleteOwned: { (act, member) throws(Rejection) in
                if try act.run("DELETE FROM contact_imports WHERE member = ?", .id(member)) > 0 { act.truncateSoon() }
            },
            // The words of deleted rows lie in a full-text index until it is made anew.
            wiped: { (act) throws(Rejection) in try ContactWords.rebuild(act) },
            // Changes since the backup had numbers that mean something else now.
            restored: { (act) throws(Rejection) in try ContactBook.begin(act) },
            redated: { (act, redating) throws(Rejection) in
                if case .toNow = redating { try act.replan([ContactWords.rebuildDue], noLaterThan: act.now) }
            }), formats: [Area.Format("vcard", judge: VCardFile.judge)], searched: [searched])

    /// The readers of contacts: every member who is no guest, and the machine.
    static let readers: Access = [.family, .machine]

    /// The `about` of the log's rows about a contact.
    static func about(_ contact: Identifier) -> String { "contact/\(contact)" }

    /// A member who becomes a guest is no longer told of earlier changes of contacts.
    private static func forget(_ act: Act, _ told: Told) throws(Rejection) {
        guard told[Member.updated]?.changed.contains("role") == true, let member = told.subject,
            try act.roster[member]?.role == .guest
        else { return }
        try act.narrow(about: "contact/", by: try act.roster.only(member))
    }
}
