import KinCodec
import KinKeeper
import KinModel
import KinStore

/// The newest events, encoded once and shared by all followers: the end of the log in memory, a few MiB. Connections
/// hold cursors into it. A connection that falls off its old end continues from the log.
///
/// Confined to the loop's thread.
struct Feed {
    /// One event in the form every transport shares.
    ///
    /// A class, because the fan-out looks at it once for each member: of a struct, everything it refers to was retained
    /// each time.
    final class Entry {
        /// Its position in the log.
        let position: Int64
        /// Its audience, which gets smaller when somebody may no longer know of it.
        fileprivate(set) var audience: Audience
        /// Its type, for filters.
        let type: String
        /// Which views it belongs to.
        let place: View.Place
        /// Its cursor, for the id of a server-sent event.
        let cursor: String
        /// A WebSocket header, the JSON message, a line feed: each envelope is a slice of it. Empty once removed.
        var bytes: [UInt8]
        /// Bytes of that header.
        let headerBytes: Int
        init(_ row: LogRow, _ place: View.Place, cursor: String, bytes: [UInt8], headerBytes: Int) {
            position = row.position
            audience = row.audience
            type = row.type
            self.place = place
            self.cursor = cursor
            self.bytes = bytes
            self.headerBytes = headerBytes
        }

        /// The bytes that an entry takes besides its own, removed or not: latest-only events leave thousands of removed
        /// ones.
        static let overheadBytes = 208
        /// Whether followers get a fresh snapshot instead.
        var isReset: Bool { type == "reset" }
    }

    /// Entries by position, oldest first.
    private(set) var entries: [Entry] = []
    private var start = 0
    private var bytes = 0
    /// Bytes of encoded events held now.
    var bytesHeld: Int { bytes }
    private let bytesMax: Int
    private let traits: EventTraits
    /// Every event after this position is here.
    private(set) var floor: Int64
    /// The newest position published.
    private(set) var last: Int64
    /// The position of the newest event that took something out of somebody's sight.
    private(set) var lastHiding: Int64 = 0
    /// The next bytes for followers, shared by those who have the same.
    var gathered = Gathered()
    /// The newest events compressed, shared by the followers that agreed to compression.
    var deflations: Deflations

    init(position: Int64, bytesMax: Int, deflations: Deflations, traits: EventTraits) {
        self.traits = traits
        self.deflations = deflations
        floor = position
        last = position
        self.bytesMax = bytesMax
    }

    /// Encodes and appends a commit's events, drops what left the log, and narrows audiences.
    mutating func publish(
        _ rows: [LogRow], removed: [Int64], narrowed: [Int64: Audience] = [:], through: Int64, epochs: Epochs
    ) {
        gathered.forget()
        hold(.eventsStandInTheirCommit, rows.allSatisfy { $0.position <= through })
        for position in removed { remove(position) }
        for (position, audience) in narrowed { narrow(position, to: audience) }
        for row in rows {
            hold(.positionsRise, row.position > max(last, entries.last?.position ?? 0))
            let traits = traits[row.type]
            let entry = Self.entry(row, traits.place, epochs: epochs)
            bytes += entry.bytes.count + Entry.overheadBytes
            entries.append(entry)
            if traits.isHiding { lastHiding = row.position }
        }
        last = max(last, through)
        while bytes > bytesMax, start < entries.count {
            bytes -= entries[start].bytes.count + Entry.overheadBytes
            floor = entries[start].position
            entries[start].bytes = []
            start += 1
        }
        // Moving the rest down costs its length; waiting until half is gone makes that constant for each entry.
        if start > 1024, start * 2 > entries.count {
            entries.removeFirst(start)
            start = 0
        }
    }

    private mutating func remove(_ position: Int64) {
        let index = index(after: position - 1)
        guard index < entries.count, entries[index].position == position else { return }
        bytes -= entries[index].bytes.count
        entries[index].bytes = []
        deflations.forget(position)
    }

    private func narrow(_ position: Int64, to audience: Audience) {
        let index = index(after: position - 1)
        guard index < entries.count, entries[index].position == position else { return }
        hold(.audiencesOnlyNarrow, audience.subtracting(entries[index].audience).isEmpty)
        entries[index].audience = audience
    }

    /// The index of the first entry after a position; `entries.count` when there is none.
    func index(after position: Int64) -> Int {
        var low = start
        var high = entries.count
        // Most followers stand near the end.
        if high > low, entries[high - 1].position <= position { return high }
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A row in the form every transport shares.
    static func entry(_ row: LogRow, _ place: View.Place, epochs: Epochs) -> Entry {
        let cursor = epochs.cursor(position: row.position, salt: row.salt)
        let length = prefix.count + cursor.utf8.count + 2 + row.payload.count + 2
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length + 11)
        WebSocketFrame.writeHeader(.text, length: length, to: &bytes)
        let headerBytes = bytes.count
        bytes += prefix
        bytes += cursor.utf8
        bytes += [UInt8(ascii: "\""), UInt8(ascii: ",")]
        bytes += row.payload
        bytes += [UInt8(ascii: "}"), UInt8(ascii: "}"), UInt8(ascii: "\n")]
        return Entry(row, place, cursor: cursor, bytes: bytes, headerBytes: headerBytes)
    }

    private static let prefix = Array(#"{"jsonrpc":"2.0","method":"event","params":{"cursor":""#.utf8)
}
