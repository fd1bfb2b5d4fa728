import KinModel
import KinWords

/// Changes the family's contacts.
enum ContactWriting {
    static func add(_ call: Invocation) throws(Problem) {
        let result = try call.call("contact.add", given(call, isNew: true))
        call.answer(result, phrase("contacts.added", ["contact": name(result)]))
    }

    static func edit(_ call: Invocation) throws(Problem) {
        let contact = try ContactLists.find(call)
        var params = given(call, isNew: false)
        params["contact"] = .id(contact.id)
        let result = try call.call("contact.update", params)
        call.answer(result, phrase("contacts.changed", ["contact": name(result)]))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let contact = try ContactLists.find(call)
        let name = Plain.line(contact.shownName)
        guard Input.confirms(call, phrase("contacts.remove", ["contact": name])) else {
            throw Input.kept(phrase("contacts.kept", ["contact": name]))
        }
        let result = try call.call("contact.remove", ["contact": .id(contact.id)])
        call.answer(result, phrase("contacts.removed", ["contact": name]))
    }

    private static func name(_ result: JSON) -> String {
        Plain.line(result["contact"].flatMap(Contact.init)?.shownName ?? "")
    }

    /// The fields that the options give; an empty text removes a field.
    private static func given(_ call: Invocation, isNew: Bool) -> JSON {
        var params: JSON = [:]
        for (option, field) in [
            ("category", "category"), ("company", "company"), ("title", "title"), ("first", "firstName"),
            ("last", "lastName"), ("note", "note"),
        ] {
            guard let text = call.value(option), !(text.isEmpty && isNew) else { continue }
            params[field] = text.isEmpty ? .null : .string(text)
        }
        if let text = call.value("birthday"), !(text.isEmpty && isNew) {
            params["birthday"] = text.isEmpty ? .null : .string(ProfileCommands.birthday(text) ?? text)
        }
        for (option, field) in [("phone", "phones"), ("email", "emails"), ("address", "addresses")] {
            let given = call.values(option)
            if !given.isEmpty { params[field] = .array(given.filter { !$0.isEmpty }.map { way($0).json }) }
        }
        return params
    }

    /// A way such as `work=+49 30 1234`, or without a label.
    static func way(_ text: String) -> Contact.Way {
        let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
        guard parts.count == 2, parts[0].allSatisfy({ $0.isLetter || $0 == " " }) else { return Contact.Way(text) }
        return Contact.Way(parts[1], label: parts[0])
    }
}
