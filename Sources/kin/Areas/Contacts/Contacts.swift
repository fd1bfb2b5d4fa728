import KinModel
import KinWords

extension Command {
    static let contacts = Command(
        name: "contacts",
        usage: [
            "contacts [list] [--category NAME]", "contacts search WORDS…", "contacts show CONTACT",
            "contacts add [--first NAME] [--last NAME] [--company NAME] [--title TITLE] [--phone NUMBER]…",
            "contacts edit CONTACT [--first NAME] [--last NAME] [--company NAME] [--title TITLE] [--phone NUMBER]…",
            "contacts remove CONTACT [--yes]", "contacts import FILE", "contacts export [FILE]",
        ],
        options: [
            .value("category", "NAME"), .value("company", "NAME"), .value("title", "TITLE"), .value("first", "NAME"),
            .value("last", "NAME"), .value("phone", "NUMBER"), .value("email", "TEXT"), .value("address", "TEXT"),
            .value("birthday", "DAY"), .value("note", "TEXT"), .flag("yes"),
        ], words: 0...50,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try ContactLists.list(call)
            case ("search", 2...): try ContactLists.list(call)
            case ("show", 2...): try ContactLists.show(call)
            case ("add", 1): try ContactWriting.add(call)
            case ("edit", 2...): try ContactWriting.edit(call)
            case ("remove", 2...): try ContactWriting.remove(call)
            case ("import", 2): try ContactFiles.takeIn(call, path: call.words[1])
            case ("export", ...2): try ContactFiles.takeOut(call)
            default: throw call.misused
            }
        })
}

/// Shows the family's contacts.
enum ContactLists {
    static func list(_ call: Invocation) throws(Problem) {
        let words = call.words.dropFirst().joined(separator: " ")
        let contacts = try all(call, words: words.isEmpty ? nil : words, category: call.value("category"))
        if call.wantsJSON { return call.output.say(["contacts": .array(contacts.map(\.json))]) }
        guard !contacts.isEmpty else {
            return call.output.say(phrase(words.isEmpty ? "contacts.none" : "contacts.none-found"))
        }
        LastList(call, "contacts")?.keep(contacts.map(\.id))
        table(contacts).print(to: call.output)
    }

    /// A line for each contact, with the number by which the next command can name it.
    static func table(_ contacts: [Contact]) -> Table {
        var table = Table("", "name", "company", "phone", "email")
        for (index, contact) in contacts.enumerated() {
            let name = contact.firstName == nil && contact.lastName == nil ? "" : contact.shownName
            table.add(
                "\(index + 1)", name, contact.company ?? (name.isEmpty ? contact.shownName : ""),
                contact.phones.first?.value ?? "", contact.emails.first?.value ?? "")
        }
        return table
    }

    /// Everything about one contact, a whole line for each field.
    static func lines(_ contact: Contact) -> [String] {
        let name = [contact.title, contact.shownName].compactMap(\.self).joined(separator: " ")
        var lines = [Plain.line(name)]
        for text in [contact.company, contact.category] {
            if let text, text != name { lines.append("  " + Plain.line(text)) }
        }
        for way in contact.phones + contact.emails + contact.addresses {
            lines.append("  " + Plain.line(way.value) + (way.label.map { " (\(Plain.line($0)))" } ?? ""))
        }
        if let day = contact.birthday { lines.append("  " + phrase("contacts.birthday", ["day": said(day)])) }
        let note = (contact.note ?? "").split(whereSeparator: \.isNewline)
        lines += note.map { "  " + Plain.line(String($0)) }
        return lines
    }

    /// `12 April 1985`, or `12 April` if the year is not known.
    private static func said(_ day: Birthday) -> String {
        let date = phrase("contacts.day", ["day": day.day, "month": phrase("calendar.month.\(day.month)")])
        return day.year.map { "\(date) \($0)" } ?? date
    }

    static func show(_ call: Invocation) throws(Problem) {
        let contact = try find(call)
        if call.wantsJSON { return call.output.say(["contact": contact.json]) }
        call.output.say(lines(contact))
    }

    /// All contacts of a choice, read page by page.
    static func all(
        _ call: Invocation, words: String? = nil, category: String? = nil
    ) throws(Problem) -> [Contact] {
        var params = JSON.object(leavingOut: [
            "words": words.map { .string($0) }, "category": category.map { .string($0) }, "limit": 200,
        ])
        var contacts: [Contact] = []
        while true {
            let page = try call.call("contact.list", params)
            contacts += (page["contacts"]?.array ?? []).compactMap(Contact.init)
            guard let next = page["next"] else { return contacts }
            params["after"] = next
        }
    }

    /// The contact that the words after the first one name: a number of the last list, an identifier, or words that
    /// only one contact has.
    static func find(_ call: Invocation) throws(Problem) -> Contact {
        let text = call.words.dropFirst().joined(separator: " ")
        let last = Int(text).flatMap { number -> Identifier? in
            let ids = LastList(call, "contacts")?.ids ?? []
            return ids.indices.contains(number - 1) ? ids[number - 1] : nil
        }
        if let id = last ?? Identifier(text) {
            let shown = try call.call("contact.show", ["contact": .id(id)])
            if let contact = shown["contact"].flatMap(Contact.init) { return contact }
        }
        let found = try all(call, words: text)
        let named = found.filter { $0.shownName.lowercased() == text.lowercased() }
        let meant = named.count == 1 ? named : found
        guard let contact = meant.first else {
            throw Problem(.refused, phrase("contacts.no-contact", ["text": Plain.line(text)]))
        }
        guard meant.count == 1 else {
            let names = meant.prefix(5).map { Plain.line($0.shownName) }.joined(separator: ", ")
            throw .usage(phrase("contacts.several", ["text": Plain.line(text), "names": names]))
        }
        return contact
    }
}
