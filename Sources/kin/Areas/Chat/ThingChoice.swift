import KinModel

/// The thing that a post, a message or a list is about, as it is typed: its kind, a slash, and then its identifier, its
/// number in the list as it was shown last, or its name.
enum ThingChoice {
    /// The thing's name on the wire, such as `list/` with its identifier. A text of an unknown kind is left to the
    /// daemon.
    static func typed(_ text: String, _ call: Invocation) throws(Problem) -> String {
        let parts = text.split(separator: "/", maxSplits: 1).map { String($0) }
        guard parts.count == 2, Identifier(parts[1]) == nil else { return text }
        let (kind, name) = (parts[0], parts[1])
        let id: Identifier
        switch kind {
        case "list": id = try ListCommands.find(name, call).list.id
        case "place": id = try Places.find(call, name).id
        case "meeting": id = try MeetingChoice(call).find(name).meeting.id
        case "entry": id = try EntryCommands.find(name, call)
        case "meal": id = try MealCommands.find(name, call)
        case "picture": id = try PictureCommands.find(name, call)
        case "post": id = try PostCommands.find(name, call)
        default: return text
        }
        return "\(kind)/\(id)"
    }

    /// The thing that the option `about` names.
    static func named(_ call: Invocation) throws(Problem) -> String? {
        guard let text = call.value("about") else { return nil }
        return try typed(text, call)
    }
}
