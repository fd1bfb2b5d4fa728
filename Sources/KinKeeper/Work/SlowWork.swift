public import KinModel
public import KinStore

/// Work that would hold the keeper up. A worker does it, which owns nothing and sees only this value. An area defines
/// its own work, and knows its own result again.
public protocol SlowWork: Sendable {
    /// The workers that do it.
    var sort: WorkSort { get }
    /// Does it, on whichever thread.
    func run(at place: borrowing Workplace) -> SlowResult
}

extension SlowWork {
    /// Does it where there is no store.
    public func run() -> SlowResult { run(at: Workplace(store: nil)) }
}

/// The workers that do slow work. Work of one sort never waits for another sort.
public enum WorkSort: Sendable {
    /// Password hashing: 32 MiB and a tenth of a second.
    case password
    /// Pictures: as much memory as `Picture.bytesMax`, for seconds.
    case picture
    /// Work that takes minutes.
    case long
    /// A look into the database.
    case read
    /// A request to a machine outside the house, which may take as long as that machine likes.
    case outside
    /// No worker: only another party's turn comes first.
    case none
}

/// What a worker has besides the work itself.
public struct Workplace: ~Copyable {
    /// The store, as far as there is one.
    public let store: (any StoreDesk)?
    /// A clock of monotonic nanoseconds.
    public let clock: () -> UInt64
    /// The way out of the house, where there is one.
    public let outside: (any OutsideDesk)?

    /// A workplace with a store, or with none.
    public init(
        store: (any StoreDesk)?, clock: @escaping () -> UInt64 = { 0 }, outside: (any OutsideDesk)? = nil
    ) {
        self.store = store
        self.clock = clock
        self.outside = outside
    }
}

/// The part of the store that work may use, on a worker's own thread.
public protocol StoreDesk {
    /// A connection that reads, open as long as the worker lives.
    var database: Database { get }
    /// Another connection to the same database, under a name, for one that is opened once and used often. `open` makes
    /// it at the first use, and again after a failure.
    func desk(_ name: String, open: (ReaderSource) throws(StoreFailure) -> Database) throws(StoreFailure) -> Database
    /// Writes one archive into the folder of backups, with the moment it was made at inside. Answers its path and size
    /// in bytes.
    func backUp(as name: String, at: Instant) throws(StoreFailure) -> (path: String, bytes: Int64)
    /// Closes the connection of that name, so that the next use opens it anew.
    func reopen(_ name: String)
    /// Opens the reading connection anew, after a read failed.
    func renew()
    /// Problems with the database, the blobs and the folder, a sentence each.
    func problems() throws(StoreFailure) -> [String]
}

/// No slow work: some items of a long list are done, and the rest waits until other parties had their turn. What the
/// method carries along is handed back to it.
public struct NextTurn: SlowWork {
    /// How many items are done.
    public let done: Int
    /// What is handed back.
    public let carried: (any Sendable)?

    /// Continues in another turn.
    public init(after done: Int, carrying carried: (any Sendable)? = nil) {
        self.done = done
        self.carried = carried
    }

    /// No worker does it.
    public var sort: WorkSort { .none }

    /// Answers at once that the rest is to be done.
    public func run(at place: borrowing Workplace) -> SlowResult { .rest(after: done, carrying: carried) }
}

extension NextTurn {
    /// Continues in another turn.
    public static func rest(after done: Int, carrying carried: (any Sendable)? = nil) -> NextTurn {
        NextTurn(after: done, carrying: carried)
    }
}

/// A worker's result from a file. The method takes the blob over as a member's; where it does not, the keeper removes
/// it.
public protocol MadeOfFile: Sendable {
    /// The blob; `nil` where everything is in memory.
    var blob: String? { get }
}

/// The result of slow work.
public enum SlowResult: Sendable {
    /// What the method asked for: its area knows the type.
    case made(any Sendable)
    /// What was handed in cannot be used; the sentence says why.
    case refused(String)
    /// The work failed on this machine; the sentence says why.
    case failed(String)
    /// The rest of a long list may be done, after so many items.
    case rest(after: Int, carrying: (any Sendable)? = nil)
    /// Nobody looked at it: too much work of the same party waits already.
    case crowdedOut

    /// The result, if it is of a type.
    public func made<Made>(_ type: Made.Type) -> Made? { if case .made(let made) = self { made as? Made } else { nil } }

    /// The blob that a worker made.
    var blob: String? { made((any MadeOfFile).self)?.blob }

    /// Whether nobody looked at it.
    public var isCrowdedOut: Bool { if case .crowdedOut = self { true } else { false } }
}
