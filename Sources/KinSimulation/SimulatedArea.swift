import KinKeeper
import KinModel
import KinServer
import KinStore

/// One area's part in the simulation: what members do with it, what is true of it beside the daemon, and what is
/// checked. It is in a folder of `Areas`, keeps what it needs for one world, and has one line in `World.swift`; the
/// world names no area. The defaults here do nothing.
protocol SimulatedArea: AnyObject, SendableMetatype {
    init()

    // MARK: What members do

    /// How often something of it is done, of all areas' together.
    var weight: Int { get }
    /// What the family has from the beginning, as its admin says it: things that otherwise come late, or never.
    var stock: [(method: String, params: JSON)] { get }
    /// Something to do.
    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea
    /// A method was answered.
    func answered(_ method: String, _ result: JSON)
    /// A page or file that somebody opens; a browser without a reader is a stranger's.
    func page(_ world: World, for browser: Browser) -> String?
    /// A file that somebody sends by itself, to a method that takes one.
    func file(_ world: World, from person: World.Person, _ dice: inout Dice) -> SentFile?
    /// What members list, beside following.
    var lists: [ListQuestion] { get }
    /// What members list of one thing that they see, beside following.
    func question(_ world: World, about snapshot: Snapshot) -> ListQuestion?
    /// Slow work done at once, where the box has no time for it.
    func quick(_ work: any SlowWork) -> SlowResult?

    // MARK: What is true

    /// A row of a commit, in their order.
    func follow(_ row: LogRow) throws(Finding)
    /// A turn of the keeper is on disk, or the daemon has started again, with no requests.
    func committed(
        _ world: World, _ daemon: SimulatedDaemon, _ requests: [Request], isClockNews: Bool)
    /// What is counted of it over a run.
    var counts: [String: Int] { get }

    // MARK: What is checked

    /// Every message that anybody gets; one without an identifier is a stranger.
    func check(_ message: [UInt8], to reader: Identifier?, _ name: String) throws(Finding)
    /// Every snapshot that a client holds.
    func check(_ snapshot: Snapshot, of client: SimulatedClient) throws(Finding)
    /// A figure or relation that is wrong in the database; looked for now and then, and at rest.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding?
    /// The rules of sight, written a second time: for each kind of thing (the word before the slash in an event's `about`),
    /// whether a reader may see the thing.
    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    /// Things that may disappear only when somebody removes them or their time has come; always in the same order.
    func belongings(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [Belongings]
    /// What has an end and is shown, while nobody knows whether that has come.
    func withheld(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String?
    /// Something that was done twice, after a crash.
    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String?
    /// Something that should have been done by now, at rest.
    func overdue(_ daemon: SimulatedDaemon, at clock: Instant) throws(StoreFailure) -> String?

    /// What is recorded of it for those who fold events: every type of event that its part of a snapshot knows.
    static var stories: [FoldStory] { get }
    /// Something of it that happens on any day, and that everybody sees.
    static func day(_ family: Recording) throws(Finding)

    /// Deeds that some may not see, for the tests that compare worlds with and without them.
    static var hidden: [HiddenDeed] { get }
    /// Its commands that show nobody where somebody is, and why (`SharingMethods`).
    static var showingNobody: [String: String] { get }

    // MARK: Faults

    /// Plants a fault into what a turn of the keeper hands over, and into what a worker or a reader brings.
    func plant(_ fault: Fault, _ commit: inout Commit)
    func plant(_ fault: Fault, _ done: inout JobDone)
    /// The same fault in what the checkers read themselves.
    func plant(_ fault: Fault, _ snapshot: inout Snapshot)
    /// Statements that spoil what the checkers of books look at, after a turn of the keeper.
    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String]
}

extension SimulatedArea {
    var stock: [(method: String, params: JSON)] { [] }
    func answered(_ method: String, _ result: JSON) {}
    func page(_ world: World, for browser: Browser) -> String? { nil }
    func file(_ world: World, from person: World.Person, _ dice: inout Dice) -> SentFile? { nil }
    var lists: [ListQuestion] { [] }
    func question(_ world: World, about snapshot: Snapshot) -> ListQuestion? { nil }
    func quick(_ work: any SlowWork) -> SlowResult? { nil }
    func follow(_ row: LogRow) throws(Finding) {}
    func committed(
        _ world: World, _ daemon: SimulatedDaemon, _ requests: [Request], isClockNews: Bool
    ) {}
    var counts: [String: Int] { [:] }
    func check(_ message: [UInt8], to reader: Identifier?, _ name: String) throws(Finding) {}
    func check(_ snapshot: Snapshot, of client: SimulatedClient) throws(Finding) {}
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? { nil }
    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    { [:] }
    func belongings(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [Belongings] { [] }
    func withheld(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? { nil }
    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? { nil }
    func overdue(_ daemon: SimulatedDaemon, at clock: Instant) throws(StoreFailure) -> String? { nil }
    static var stories: [FoldStory] { [] }
    static var hidden: [HiddenDeed] { [] }
    static var showingNobody: [String: String] { [:] }
    static func day(_ family: Recording) throws(Finding) {}
    func plant(_ fault: Fault, _ commit: inout Commit) {}
    func plant(_ fault: Fault, _ done: inout JobDone) {}
    func plant(_ fault: Fault, _ snapshot: inout Snapshot) {}
    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] { [] }
}

/// Somebody whose sight is looked at.
struct Onlooker {
    let id: Identifier
    let username: String
    let role: String
    let household: Identifier
}

/// One list that clients ask for.
struct ListQuestion {
    let method: String
    var params: JSON = [:]
    /// The part of a snapshot that it is the whole of; `nil` where a snapshot has it otherwise.
    var part: String?
    /// Takes everything out of the list that no snapshot has.
    var trim: (inout Snapshot) -> Void = { _ in }
    /// For a list without a part: the difference between it and a snapshot, if there is one.
    var fault: (JSON, Snapshot) -> String? = { _, _ in nil }
    /// For a list of which no snapshot has anything: how a client keeps it.
    var kept: (any KeptList.Type)?
    /// For a list that a snapshot has otherwise, and that no other list shows: what it lists.
    var watched: String?

    /// Whether nothing else shows what it says. Such a list is asked for more often, and at rest.
    var isAlone: Bool { kept != nil || watched != nil }
}
