import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinSimulation

/// Something that somebody does and that others may not see: that it was done, and what it was.
///
/// Each area has a list of its own, here or in its life in the simulation (``HiddenDeed``), and together they have to cover
/// every method that changes something and every event type of the registry; a test names what is forgotten.
struct Secret: Sendable {
    /// What is hidden, in words.
    let name: String
    /// Who may not know, of ``Stage/observers``.
    let hiddenFrom: Set<String>
    /// Seconds that pass then, until all is quiet again.
    let seconds: Int
    /// Does it.
    let act: @Sendable (Stage) throws -> Void

    init(
        _ name: String, from hiddenFrom: Set<String>, lasting seconds: Int = 30,
        _ act: @escaping @Sendable (Stage) throws -> Void
    ) {
        self.name = name
        // What a member of its household does not see, the screen on the wall does not show.
        self.hiddenFrom = hiddenFrom.contains("ben") ? hiddenFrom.union([Stage.wall]) : hiddenFrom
        self.seconds = seconds
        self.act = act
    }

    /// All of them.
    static let all =
        members + sessions + activity + inbox + map + places + live + upkeep + meetings
        + World.hidden.map { deed in
            Secret(deed.name, from: deed.from == .guests ? guests : everybody) { try deed.act($0) }
        } + walls
    // Those of ``room`` have a comparison of their own, in which everybody takes all the room there is.

    /// Everybody who looks.
    static let everybody = Set(Stage.observers)
    /// Those who see one household only.
    static let guests: Set = ["gil", "gus"]

    /// Methods and event types that are seen by everybody there is, each with the reason why nothing can be hidden.
    static let open: [String: String] = [
        "family.found": "Nobody is there before it.",
        "family.founded": "Nobody is there before it.",
        "family.rename": "Everybody reads the family's name.",
        "family.renamed": "Everybody reads the family's name.",
        "family.close": "Everybody is signed out by it.",
        "sharing.toConfirm": "Only the first turn after an upgrade says it.",
        "notice.allowPush": "Whoever rings in a browser reads whether the family allows it.",
        "map.setSource": "Everybody's map has it, and names whom it is from.",
        "notice.taken": "The loop asks for it, for whose devices it has handed a ring to; who called hears of it.",
        "category.set": "Everybody lists the family's categories.",
        "quota.set": "Everybody reads how much room there is for files.",
        "clock.trust": "What time it is concerns everybody, and is said in the daemon's log alone.",
        "sharing.followed": "The loop asks for it, for whom it has shown the dot to.",
        "calendar.allowOutside": "Who lists calendars reads whether they may be read outside.",
        "calendar.finishImport": "After a crash it goes on with calendar.import, as who called that.",
        "contact.finishImport": "After a crash it goes on with contact.import, as who called that.",
        "dish.allowOutside": "Who lists dishes reads whether recipes may be read outside.",
        "news.allowOutside": "Who lists sources of news reads whether they may be read outside.",
    ]

    /// What follows only from what was read outside, where nobody is asked in these worlds. OutsideTests and NewsTests look at
    /// who is told of it.
    static let ofOutside: Set = [
        "calendar.refresh", "calendar.readOutside", "calendar.stopped", "news.refresh", "news.readOutside",
        "news.added",
        "news.stopped", "news.like", "news.liked", "news.star", "news.starred",
    ]
}
