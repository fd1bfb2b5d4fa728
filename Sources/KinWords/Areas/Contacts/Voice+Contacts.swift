import KinModel

/// Whom the family wants to reach.
extension ContactsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "contacts",
            sentence: { $0.contacts() })
    }
}

extension Voice {
    /// What happened to a contact.
    func contacts() -> String? {
        switch event.type {
        case Contact.added.name: phrase("event.contact.added", told(event[Contact.added]))
        case Contact.changed.name: phrase("event.contact.changed", told(event[Contact.changed]))
        case Contact.removed.name: phrase("event.contact.removed", ["by": admin])
        default: nil
        }
    }

    private func told(_ data: Contact.Whole?) -> KeyValuePairs<String, any CustomStringConvertible> {
        ["by": admin, "contact": data.map { Plain.line($0.contact.shownName) } ?? "?"]
    }
}
