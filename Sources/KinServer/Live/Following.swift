import KinFamily
import KinModel
import KinStore

/// A connection's place in the log.
///
/// A class, for the fan-out looks at it once a delivery: as a value it was copied each time, with all it refers to.
final class Following {
    /// What it waits for before it can go on.
    enum State {
        /// The first snapshot, to be the reply to this request. Boxed: every connection would take as much for good.
        indirect case opening(Follow, Ticket)
        /// A snapshot in the middle of the stream.
        case resetting
        /// Rows of the log that are no longer in the feed.
        case reading
        /// Nothing: it goes on through the feed.
        case live
    }

    // Fixed at birth.
    let number: Int32
    let member: Identifier
    let view: View
    let types: [String]?

    // Lives across turns.
    var state: State
    /// Everything up to here was made ready for the client.
    var cursor: Int64
    /// After a replay an `upto` is due at this position.
    var uptoAfter: Int64?
    /// Replies that may only follow the events of their own commit.
    var waiting: [(after: Int64, bytes: [UInt8])] = []
    /// Where the connection stands among the followers.
    var place = 0

    init(
        number: Int32, member: Identifier, view: View, types: [String]?, state: State, cursor: Int64
    ) {
        self.number = number
        self.member = member
        self.view = view
        self.types = types
        self.state = state
        self.cursor = cursor
    }

    /// Whether it goes on through the feed, with no message but events to be sent in between.
    var isPlain: Bool {
        if case .live = state { waiting.isEmpty && uptoAfter == nil } else { false }
    }

    /// Whether it asked for everything its member may see.
    var isWhole: Bool { types == nil && view.areas == nil }

    /// Whether an event is for this client.
    func wants(_ entry: Feed.Entry) -> Bool {
        guard entry.audience.contains(number) else { return false }
        if entry.isReset { return true }
        if let areas = view.areas, !areas.contains(entry.area), entry.area != "family" { return false }
        guard let types else { return true }
        return types.contains { $0.utf8.last == UInt8(ascii: ".") ? entry.type.hasPrefix($0) : entry.type == $0 }
    }
}
