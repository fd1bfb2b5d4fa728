import KinModel

extension ContactsLife {
    static let showingNobody = [
        "contact.add": "contacts are outside the family",
        "contact.update": "contacts are outside the family",
        "contact.remove": "contacts are outside the family",
        "contact.import": "contacts are outside the family",
        "contact.finishImport": "contacts are outside the family",
        "contact.putCard": "contacts are outside the family",
        "contact.dropCard": "contacts are outside the family",
    ]

    static let hidden = [
        HiddenDeed("a contact, and what becomes of it", from: .guests) { stage in
            let made = try stage.does("ada", "contact.add", ["lastName": .string(stage.words(9))])
            let contact = try stage.hide(made, "contact")
            try stage.does(
                "ada", "contact.update", ["contact": .id(contact), "company": .string(stage.words(9))])
            if stage.dice.once(in: 2) { try stage.does("ada", "contact.remove", ["contact": .id(contact)]) }
        },
        HiddenDeed("a contact that is gone", from: .guests) { stage in
            let made = try stage.does("ada", "contact.add", ["lastName": .string(stage.words(9))])
            try stage.does("ada", "contact.remove", ["contact": .id(try stage.hide(made, "contact"))])
        },
        HiddenDeed("contacts out of a file", from: .guests) { stage in
            // One entry, FN:Import C1.
            let file = "QkVHSU46VkNBUkQNClZFUlNJT046NC4wDQpVSUQ6dTANCkZOOkltcG9ydCBDMQ0KRU5EOlZDQVJEDQo="
            try stage.does("ada", "contact.import", ["vcard": .string(file)])
        },
    ]
}
