import KinModel

extension CommandArea {
    /// Whom the family wants to reach.
    static let contacts = CommandArea(
        name: "Contacts", commands: [.contacts],
        messages: { $0 == .german ? PackageResources.contacts_de_messages : PackageResources.contacts_en_messages },
        lookups: [
            Lookup(
                placeholder: "CONTACT", word: "contacts",
                names: { (call) throws(Problem) in
                    (try call.call("contact.list", ["limit": 200])["contacts"]?.array ?? [])
                        .compactMap(Contact.init).map(\.shownName)
                })
        ],
        sentence: { $0.contacts() })
}

extension Voice {
    /// What happened to a contact.
    func contacts() -> String? {
        let name = data["contact"].flatMap(Contact.init).map { Plain.line($0.shownName) } ?? "?"
        switch event.type {
        case "contact.added": return phrase("event.contact.added", ["by": admin, "contact": name])
        case "contact.changed": return phrase("event.contact.changed", ["by": admin, "contact": name])
        case "contact.removed": return phrase("event.contact.removed", ["by": admin])
        default: return nil
        }
    }
}
