import KinCrypto
public import KinModel

/// What a member asked to see of the log: all of it, or some areas. On the wire it is text: the areas with commas, then
/// `~` and a digest that ties it to the member, such as `all~5e884898`. A client sends back the text that it was given.
/// With a view that is tied to another member its cursor does not count, so that nobody goes on from another member's
/// snapshot.
public struct View: Sendable, Hashable {
    /// The areas, sorted; `nil` for all.
    public let areas: [String]?
    /// The text form.
    public let text: String

    /// The view of everything, for a member.
    public static func all(for member: Identifier) -> View { View(areas: nil, member: member) }

    private init(areas: [String]?, member: Identifier, within bound: (name: String, areas: [String])? = nil) {
        self.areas = bound.map { bound in (areas ?? bound.areas).filter(bound.areas.contains) } ?? areas
        let names = areas?.joined(separator: ",") ?? "all"
        let digest = Digest.sha256(member.bytes + Array((bound.map { "\(names) \($0.name)" } ?? names).utf8)).prefix(4)
        text = names + "~" + Hex.encode(Array(digest))
    }

    /// Reads what a client sent. The second value is true when the client's view was tied to something else. A waiting
    /// session sees only the areas that tell nobody where somebody is or was, and a screen on a wall only those that are
    /// for walls. The text keeps everything that was asked for, so that a waiting session has it afterwards.
    public static func read(
        _ text: String?, of words: Words, for member: Identifier, isWaiting: Bool = false, isWall: Bool = false
    ) throws(Rejection) -> (View, isChanged: Bool) {
        let bound = isWall ? ("wall", words.onWalls) : isWaiting ? ("waits", words.whileWaiting) : nil
        guard let text else { return (View(areas: nil, member: member, within: bound), false) }
        let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let names = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        for name in names where name != "all" && !words.all.contains(name) {
            throw Rejection(
                .invalid,
                "There is no view \(Text.quoted(name)); there are: all, \(words.all.joined(separator: ", ")).",
                field: "view")
        }
        let view = View(
            areas: names.contains("all") ? nil : Array(Set(names)).sorted(), member: member, within: bound)
        return (view, parts.count == 2 && view.text != text)
    }

    /// Whether the view has the areas of this word.
    public func contains(_ word: String) -> Bool { areas?.contains(word) ?? true }

    /// Whether the view has events of this place.
    public func contains(_ place: Place) -> Bool {
        guard let areas else { return true }
        return switch place {
        case .everyView: true
        case .view(let word): areas.contains(word)
        case .wholeViewOnly: false
        }
    }

    /// The views that a type of event belongs to.
    public enum Place: Sendable, Hashable {
        /// Every view: events of the family itself.
        case everyView
        /// The views with this word.
        case view(String)
        /// Only the view of everything: for a type that this version does not know.
        case wholeViewOnly
    }

    /// The words that the areas declare.
    public struct Words: Sendable {
        /// The words, sorted.
        public let all: [String]
        /// The words of areas that tell nobody where somebody is or was.
        package let whileWaiting: [String]
        /// The words of areas that screens on walls show.
        package let onWalls: [String]

        package init(_ areas: [Area]) {
            all = Set(areas.compactMap(\.view)).sorted()
            let closed = Set(areas.filter(\.isForOwnWord).compactMap(\.view))
            whileWaiting = all.filter { !closed.contains($0) }
            onWalls = Set(areas.filter(\.isForWalls).compactMap(\.view)).sorted()
        }
    }
}
