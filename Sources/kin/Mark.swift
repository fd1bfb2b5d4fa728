import KinClient
import KinModel

/// A cursor that the daemon keeps under a name. It is sent every five seconds at most, and at the end.
final class Mark {
    static let keptEverySeconds: Int64 = 5

    let name: String
    private let door: Door
    /// The last event that was printed.
    private(set) var cursor: String?
    private var kept: String?
    private var keptAt = LocalTime.now

    init(_ name: String, _ door: Door) {
        self.name = name
        self.door = door
    }

    func reached(_ cursor: String) { self.cursor = cursor }

    var isDue: Bool {
        cursor != kept && LocalTime.now.milliseconds(since: keptAt).magnitude >= UInt64(Self.keptEverySeconds * 1000)
    }

    /// Notes that the daemon was told the cursor, on the connection that follows the log.
    func told() {
        kept = cursor
        keptAt = LocalTime.now
    }

    /// Sends the cursor a last time, on a connection of its own so that the answer can be waited for. If the daemon is
    /// gone, the next run begins up to five seconds earlier.
    func keep() {
        guard let cursor, cursor != kept else { return }
        guard
            let conversation = try? Conversation.open(
                door.address, trust: door.trust, credential: door.credential, timeoutMilliseconds: 2000)
        else { return }
        let params: JSON = ["name": .string(name), "cursor": .string(cursor)]
        if (try? conversation.call("live.mark", params, timeoutMilliseconds: 2000)) != nil { kept = cursor }
    }
}
