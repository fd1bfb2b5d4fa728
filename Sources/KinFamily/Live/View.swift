import KinCrypto
public import KinModel

/// What a member asked to see of the log: all of it, or some areas. Goes over the wire as text: areas with commas, then
/// `~` and a digest that ties it to the member, such as `all~5e884898`. A client sends back what it was given; a view
/// tied to another member makes its cursor worthless, so that nobody goes on from somebody else's snapshot.
public struct View: Sendable, Hashable {
    /// Areas that can be asked for.
    public static let areasKnown = ["activity", "map", "meetings", "members"]

    /// The areas, sorted; `nil` for all.
    public let areas: [String]?
    /// The text form.
    public let text: String

    /// All of it, for a member.
    public static func all(for member: Identifier) -> View { View(areas: nil, member: member) }

    private init(areas: [String]?, member: Identifier, isWaiting: Bool = false) {
        self.areas = isWaiting ? (areas ?? Self.areasKnown).filter(Self.areasWhileWaiting.contains) : areas
        let names = areas?.joined(separator: ",") ?? "all"
        let digest = Digest.sha256(member.bytes + Array((isWaiting ? names + " waits" : names).utf8)).prefix(4)
        text = names + "~" + Hex.encode(Array(digest))
    }

    /// What a session sees of them while it waits: nothing that tells where anybody is or was, and no inbox, whose lines
    /// say who arrived where. The text keeps what was asked for, so that it is there again afterwards.
    private static let areasWhileWaiting: Set = ["meetings", "members"]

    /// Reads what a client sent. The second value is true when the client's view was tied to something else.
    public static func read(
        _ text: String?, for member: Identifier, isWaiting: Bool = false
    ) throws(Rejection) -> (View, isChanged: Bool) {
        guard let text else { return (View(areas: nil, member: member, isWaiting: isWaiting), false) }
        let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let names = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        for name in names where name != "all" && !areasKnown.contains(name) {
            throw Rejection(
                .invalid,
                "There is no view \(Text.quoted(name)); there are: all, \(areasKnown.joined(separator: ", ")).",
                field: "view")
        }
        let view = View(
            areas: names.contains("all") ? nil : Array(Set(names)).sorted(), member: member, isWaiting: isWaiting)
        return (view, parts.count == 2 && view.text != text)
    }

    /// Whether events of this type belong to it. The family itself always does.
    public func contains(type: String) -> Bool {
        guard let areas else { return true }
        return areas.contains(Self.area(of: type)) || Self.area(of: type) == "family"
    }

    /// The area that an event type belongs to.
    public static func area(of type: String) -> String {
        switch type.prefix(while: { $0 != "." }) {
        case "position", "sharing", "place": "map"
        case "account", "member", "household", "invite", "session", "permission": "members"
        case "meeting": "meetings"
        case "activity": "activity"
        default: "family"
        }
    }
}
