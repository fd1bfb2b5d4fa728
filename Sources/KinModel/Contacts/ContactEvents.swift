/// Events of contacts, with their data.
extension Contact {
    package static let added = EventType("contact.added", "A contact is new; everyone.", Whole.self)
    package static let changed = EventType("contact.changed", "A contact is another; everyone.", Whole.self)
    package static let removed = EventType("contact.removed", "A contact is gone; everyone.", Named.self, sight: .ends)

    /// The whole contact.
    package struct Whole: WireRecord {
        package let contact: Contact

        package init(contact: Contact) { self.contact = contact }

        package static let fields = Fields(nil, Whole.init(contact:), .required("contact", \.contact, Contact.form))
    }

    /// The contact, by its identifier.
    package struct Named: WireRecord {
        package let contact: Identifier

        package init(contact: Identifier) { self.contact = contact }

        package static let fields = Fields(nil, Named.init(contact:), .required("contact", \.contact, .id))
    }
}
