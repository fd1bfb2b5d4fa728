import KinKeeper
import KinModel
import KinStore

/// A connection's place in the log.
///
/// A class, because a struct was copied wherever it is looked at, with everything it refers to.
final class Following {
    /// A reply that waits for its place in the stream.
    struct Waiting {
        let after: Int64
        let bytes: [UInt8]
        /// Whether it lists the state at that position: after a later snapshot it is out of date.
        let isList: Bool
    }

    /// What it waits for before it can go on.
    enum State {
        /// The first snapshot, which is the reply to this request. Boxed, because otherwise every connection would need
        /// the memory for good.
        indirect case opening(Follow, Ticket)
        /// A snapshot in the middle of the stream.
        case resetting
        /// The rest of a snapshot that is sent in pieces. Events come after it.
        case taking
        /// Rows of the log that are no longer in the feed.
        case reading
        /// Nothing: it goes on through the feed.
        case live
    }

    // Fixed at birth.
    /// The number of this follow. What was read for another follow is not for this one.
    let follow: UInt64
    let number: Int32
    /// Whether it asked for everything its member may see.
    let isWhole: Bool
    /// Whether it asked for others' positions.
    let seesMap: Bool
    /// Whether the machine follows in the member's name.
    let isAtMachine: Bool
    /// Whether it is told what passes, too.
    let takesPassing: Bool
    let member: Identifier
    let view: View
    let types: [String]?
    /// Further members, where several listen on one connection.
    private let others: [Int32]

    // Lives across turns.
    var state: State
    /// Everything up to here was made ready for the client, unless its place among the ``Followers`` says more.
    var cursor: Int64
    /// The position after which an `upto` is due, following a replay.
    var uptoAfter: Int64?
    /// Replies with a place in the stream, in its order: each comes after the events up to a position.
    var waiting: [Waiting] = []
    /// Its place among the ``Followers``.
    var place = 0
    /// Whether it waits in line for a snapshot.
    var needsSnapshot = false

    init(
        follow: UInt64, number: Int32, member: Identifier, isAtMachine: Bool, view: View, types: [String]?,
        takesPassing: Bool = false, state: State, cursor: Int64, others: [Int32] = []
    ) {
        self.follow = follow
        self.number = number
        self.member = member
        self.isAtMachine = isAtMachine
        self.view = view
        self.types = types
        self.takesPassing = takesPassing
        self.others = others
        isWhole = types == nil && view.areas == nil
        seesMap = view.contains("map") && (types.map { Self.wants("position", $0) } ?? true)
        self.state = state
        self.cursor = cursor
    }

    /// Whether it continues from the feed, and only events are to be sent.
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

    /// Whether something that passes is for this client. It is over before a client that is behind would be told.
    func wants(_ passing: Passing) -> Bool {
        guard takesPassing, passing.audience.contains(number), view.contains(passing.place), case .live = state else {
            return false
        }
        return types.map { Self.wants(passing.type, $0) } ?? true
    }

    private static func wants(_ type: String, _ types: [String]) -> Bool {
        types.contains { $0.utf8.last == UInt8(ascii: ".") ? type.hasPrefix($0) : type == $0 }
    }
}
