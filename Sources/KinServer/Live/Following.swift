import KinKeeper
import KinModel
import KinStore

/// A connection's place in the log.
///
/// A class, since as a value it was copied wherever it is looked at, with all it refers to.
final class Following {
    /// A reply that waits for its place in the stream.
    struct Waiting {
        let after: Int64
        let bytes: [UInt8]
        /// Whether it lists what is so at that position: it is worth nothing behind a snapshot of a later one.
        let isList: Bool
    }

    /// What it waits for before it can go on.
    enum State {
        /// The first snapshot, to be the reply to this request. Boxed: every connection would take as much for good.
        indirect case opening(Follow, Ticket)
        /// A snapshot in the middle of the stream.
        case resetting
        /// The rest of a snapshot that leaves in pieces: events stand behind it.
        case taking
        /// Rows of the log that are no longer in the feed.
        case reading
        /// Nothing: it goes on through the feed.
        case live
    }

    // Fixed at birth.
    /// Which follow of the daemon's it is: what was read for another one is not for this.
    let follow: UInt64
    let number: Int32
    /// Whether it asked for everything its member may see.
    let isWhole: Bool
    /// Whether it asked for where others are.
    let seesMap: Bool
    /// Whether the machine follows in the member's name.
    let isAtMachine: Bool
    let member: Identifier
    let view: View
    let types: [String]?
    /// Members besides, where several listen on one connection.
    private let others: [Int32]

    // Lives across turns.
    var state: State
    /// Everything up to here was made ready for the client, unless its place among the ``Followers`` says more.
    var cursor: Int64
    /// After a replay an `upto` is due at this position.
    var uptoAfter: Int64?
    /// Replies that stand at a place in the stream, in its order: behind the events up to a position.
    var waiting: [Waiting] = []
    /// Where it stands among the followers.
    var place = 0
    /// It waits in line for a snapshot to be asked for.
    var needsSnapshot = false

    init(
        follow: UInt64, number: Int32, member: Identifier, isAtMachine: Bool, view: View, types: [String]?,
        state: State, cursor: Int64, others: [Int32] = []
    ) {
        self.follow = follow
        self.number = number
        self.member = member
        self.isAtMachine = isAtMachine
        self.view = view
        self.types = types
        self.others = others
        isWhole = types == nil && view.areas == nil
        seesMap = view.contains("map") && (types.map { Self.wants("position", $0) } ?? true)
        self.state = state
        self.cursor = cursor
    }

    /// Whether it goes on through the feed, with no message but events to be sent in between.
    var isPlain: Bool {
        if case .live = state { waiting.isEmpty && uptoAfter == nil } else { false }
    }

    /// Whether an event is for this client.
    func wants(_ entry: Feed.Entry) -> Bool {
        guard entry.audience.contains(number) || others.contains(where: entry.audience.contains) else { return false }
        if entry.isReset { return true }
        guard view.contains(entry.place) else { return false }
        guard let types else { return true }
        return Self.wants(entry.type, types)
    }

    private static func wants(_ type: String, _ types: [String]) -> Bool {
        types.contains { $0.utf8.last == UInt8(ascii: ".") ? type.hasPrefix($0) : type == $0 }
    }
}
