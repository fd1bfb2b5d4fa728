import KinModel

/// Who can make whom visible, by which act. The simulation judges by this table, and the page ThreatModel prints it.
public enum Authority {
    /// Who acts, as the watched person sees it. The first that fits counts.
    public enum Actor: String, Sendable, CaseIterable {
        /// Root, or the daemon's own user, as itself or in a member's name.
        case root
        /// Time passes.
        case time
        /// The watched person, signed in with its own secret.
        case oneself
        /// A session in the watched person's name that somebody else opened less than 72 hours ago.
        case waiting
        /// Who holds the watched child's settings.
        case holder
        /// A parent of the child who does not hold its settings.
        case parent
        /// Who brought the child in.
        case bringer
        /// A head of the watched person's household.
        case head
        /// An administrator.
        case admin
        /// Everybody else, and who wants to see.
        case other
    }

    /// Whose position it is.
    public enum Watched: String, Sendable, CaseIterable {
        /// Grown.
        case adult
        /// Not grown, and master of its own settings.
        case free
        /// Not grown, and somebody holds its settings.
        case held
    }

    /// What can come of all that somebody does.
    public enum Effect: String, Sendable {
        /// Others see more.
        case shows
        /// Others see more when a rule ends that showed less.
        case ends
        /// Others see less.
        case hides
        /// The settings can be taken, by who lives there; then the taker is the holder.
        case takes
        /// The watched person, or the holder, is asked.
        case asks
        /// Nothing.
        case nothing
    }

    /// The acts by which somebody shows.
    public static let showing: Set<String> = [
        "sharing.set", "sharing.admit", "place.admit", "guestLink.create", "appPassword.create",
    ]

    /// What can come of what somebody does.
    public static func effect(_ actor: Actor, on watched: Watched) -> Effect {
        switch (actor, watched) {
        case (.root, _): .shows
        case (.time, _): .ends
        case (.oneself, .adult), (.oneself, .free): .shows
        case (.oneself, .held): .nothing
        case (.waiting, .adult), (.waiting, .free): .hides
        case (.waiting, .held): .nothing
        case (.holder, .held): .shows
        case (.holder, _): .nothing
        case (.parent, .free): .takes
        case (.parent, .held): .hides
        case (.bringer, .free): .takes
        case (.parent, .adult), (.bringer, _), (.head, _), (.admin, _): .nothing
        case (.other, _): .asks
        }
    }

    /// Whether an act may show somebody to others. Root's may all.
    static func mayShow(_ actor: Actor, _ watched: Watched, by method: String) -> Bool {
        guard effect(actor, on: watched) == .shows else { return false }
        return actor == .root || showing.contains(method)
    }

    // MARK: On the page

    /// The table as the page ThreatModel has it.
    public static var page: String {
        let heading = ["who acts"] + Watched.allCases.map(\.words)
        let rows = Actor.allCases.map { actor in [actor.words] + Watched.allCases.map { words(actor, $0) } }
        return ([heading, heading.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    private static func words(_ actor: Actor, _ watched: Watched) -> String {
        // Nobody holds the settings of those who are no held children.
        if actor == .holder, watched != .held { return "–" }
        return switch effect(actor, on: watched) {
        case .shows: actor == .root ? "shows, hides; is recorded" : "shows, hides"
        case .ends: "shows what the rules say once one ends that said less"
        case .hides: "hides only"
        case .takes: "takes the settings, living there"
        case .asks:
            "nothing: " + (watched == .held ? "the holder" : watched == .adult ? "the adult" : "the child")
                + " is asked"
        case .nothing: "nothing"
        }
    }
}

extension Authority.Actor {
    var words: String {
        switch self {
        case .root: "root at the machine"
        case .time: "time"
        case .oneself: "the person, signed in with the own secret"
        case .waiting: "a session in the person's name that somebody else opened, for 72 hours"
        case .holder: "the holder"
        case .parent: "a parent"
        case .bringer: "who brought the child in"
        case .head: "a head of the household"
        case .admin: "an admin"
        case .other: "who joins, moves in, comes back or stops being a guest"
        }
    }
}

extension Authority.Watched {
    var words: String {
        switch self {
        case .adult: "an adult"
        case .free: "a child whose settings nobody holds"
        case .held: "a child whose settings are held"
        }
    }
}
