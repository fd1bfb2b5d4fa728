internal import KinCrypto

/// An epoch, which one start of the daemon opened: the key of its cursors, and the beginning of its range in the log.
public struct Epoch: Sendable, Equatable {
    /// Random.
    public let id: UInt64
    /// Sixteen random bytes; never leaves the database and this process.
    public let key: [UInt8]
    /// The last position before this epoch's own: its events come after it.
    public let first: Int64
}

/// The epochs of this log, and the cursors made with them: a value, for any thread.
///
/// A cursor is 32 characters of base64url (RFC 4648 §5): eight bytes of epoch, then AES-128 under the epoch's key over
/// position and salt. It is good only when its epoch is listed and its position lies in that epoch's range, so a file
/// that was copied, restored or rolled back is noticed.
public struct Epochs: Sendable {
    /// In order of opening; the last is this start's.
    public let all: [Epoch]
    private let ciphers: [AES128Block]

    /// At least one, in order of opening.
    init(_ all: [Epoch]) {
        precondition(!all.isEmpty, "a started store has an epoch")
        self.all = all
        ciphers = all.map { AES128Block(key: $0.key) }
    }

    /// For a server without a log: one epoch, with sixteen random bytes as its key, kept nowhere.
    package static func unkept(key: [UInt8]) -> Epochs { Epochs([Epoch(id: 0, key: key, first: 0)]) }

    /// This start's.
    public var current: Epoch { all[all.count - 1] }

    /// The cursor of a position: made with the epoch the position was written in, so an event's cursor is the same at
    /// every replay. `salt` is the row's own; a fresh one for `upto` and snapshots.
    public func cursor(position: Int64, salt: UInt64) -> String {
        // Newest first: nearly always the first try.
        var index = all.count - 1
        while index > 0, all[index].first >= position { index -= 1 }
        let (high, low) = ciphers[index].encrypt(UInt64(bitPattern: position), salt)
        return CursorText.encode(all[index].id, high, low)
    }

    /// The cursor of a position in the log that need not be a row's. It is made with the newest epoch whose range has
    /// the position, so it does not tell whether anything was written since that epoch began. `salt` is fresh.
    public func cursor(upTo position: Int64, salt: UInt64) -> String {
        var index = all.count - 1
        while index > 0, all[index].first > position { index -= 1 }
        let (high, low) = ciphers[index].encrypt(UInt64(bitPattern: position), salt)
        return CursorText.encode(all[index].id, high, low)
    }

    /// The position of a cursor; `nil` when it is malformed, its epoch is not listed, or its position lies outside that
    /// epoch's range. A position of the current epoch may still lie beyond the log's end, or below ``Log/firstKept``:
    /// the caller compares.
    public func position(of cursor: String) -> Int64? {
        guard let (id, high, low) = CursorText.decode(cursor), let index = all.lastIndex(where: { $0.id == id })
        else { return nil }
        let position = Int64(bitPattern: ciphers[index].decrypt(high, low).0)
        let last = index + 1 < all.count ? all[index + 1].first : Int64.max
        return position >= all[index].first && position <= last ? position : nil
    }
}
