import KinModel
import KinWords

/// The audience of a thing, as it is typed and as it is shown.
enum AudienceWords {
    /// Reads `everyone`, `household`, `me`, or members separated by commas.
    static func typed(_ text: String, _ call: Invocation) throws(Problem) -> JSON {
        switch text.lowercased() {
        case "everyone", "household": return .string(text.lowercased())
        case "me": return []
        default:
            let people = try People(call)
            var members: [JSON] = []
            for name in text.split(separator: ",") { members.append(.id(try people.member(String(name)).id)) }
            return .array(members)
        }
    }

    /// `for everyone`.
    static func said(_ json: JSON, _ names: Names) -> String {
        switch json.string {
        case "everyone": return phrase("audience.everyone")
        case "household": return phrase("audience.household")
        default:
            let members = (json.array ?? []).compactMap(\.identifier).map { names.member($0) }
            return members.isEmpty
                ? phrase("audience.me") : phrase("audience.members", ["names": members.joined(separator: ", ")])
        }
    }
}
