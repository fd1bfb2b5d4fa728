public import KinModel
public import KinStore

/// Work that would hold the keeper up, done by a worker that owns nothing and sees only this value. An area makes its
/// own, and knows its own result again.
public protocol SlowWork: Sendable {
    /// Who does it.
    var sort: WorkSort { get }
    /// Does it, on whichever thread.
    func run(at place: borrowing Workplace) -> SlowResult
}

extension SlowWork {
    /// Does it where there is no store.
    public func run() -> SlowResult { run(at: Workplace(store: nil)) }
}

/// Who does slow work: work of one sort never waits for that of another.
public enum WorkSort: Sendable {
    /// 32 MiB and a tenth of a second.
    case password
    /// As much memory as `Picture.bytesMax`, for seconds.
    case picture
    /// Minutes.
    case long
    /// A look into the database.
    case read
    /// Something outside the house is asked, which may take as long as that likes.
    case outside
    /// Nobody: it is only somebody else's turn.
    case none
}

/// What a worker has besides the work itself.
public struct Workplace: ~Copyable {
    /// The store, as far as there is one.
    public let store: (any StoreDesk)?
    /// Monotonic nanoseconds.
    public let clock: () -> UInt64
    /// The way out of the house, where there is one.
    public let outside: (any OutsideDesk)?

    /// A place with a store, or with none.
    public init(
        store: (any StoreDesk)?, clock: @escaping () -> UInt64 = { 0 }, outside: (any OutsideDesk)? = nil
    ) {
        self.store = store
        self.clock = clock
        self.outside = outside
    }
}

/// What work may do with the store, on a worker's own thread.
public protocol StoreDesk {
    /// A connection that reads, open as long as the worker lives.
    var database: Database { get }
    /// Another connection to the same database, for what is opened once and asked often; made by `open` when it is first
    /// asked for, and anew after a failure.
    func desk(_ name: String, open: (ReaderSource) throws(StoreFailure) -> Database) throws(StoreFailure) -> Database
    /// Writes one archive into the folder of backups, which says when that was, and answers its path and size in bytes.
    func backUp(as name: String, at: Instant) throws(StoreFailure) -> (path: String, bytes: Int64)
    /// Lets a connection of that name be opened anew.
    func reopen(_ name: String)
    /// A read failed: the reading connection is opened anew.
    func renew()
    /// What is wrong with the database, the blobs and the folder, a sentence each.
    func problems() throws(StoreFailure) -> [String]
}

/// Nothing slow: so many of a long list are done, and the rest waits until others had their turn. What the method carries
/// along comes back to it.
public struct NextTurn: SlowWork {
    /// How many are done.
    public let done: Int
    /// What comes back.
    public let carried: (any Sendable)?

    /// Goes on in another turn.
    public init(after done: Int, carrying carried: (any Sendable)? = nil) {
        self.done = done
        self.carried = carried
    }

    /// Who does it.
    public var sort: WorkSort { .none }

    /// Does it.
    public func run(at place: borrowing Workplace) -> SlowResult { .rest(after: done, carrying: carried) }
}

extension NextTurn {
    /// Goes on in another turn.
    public static func rest(after done: Int, carrying carried: (any Sendable)? = nil) -> NextTurn {
        NextTurn(after: done, carrying: carried)
    }
}

/// What a worker made of it.
public enum SlowResult: Sendable {
    /// What the method asked for: its area knows the type.
    case made(any Sendable)
    /// What was handed in cannot be used; the sentence says why.
    case refused(String)
    /// It did not work here; the sentence says why.
    case failed(String)
    /// It is its turn again, after so many.
    case rest(after: Int, carrying: (any Sendable)? = nil)
    /// Nobody looked at it: too much of the same party waits already.
    case crowdedOut

    /// What was made, where it is of a type.
    public func made<Made>(_ type: Made.Type) -> Made? { if case .made(let made) = self { made as? Made } else { nil } }

    /// Whether nobody looked at it.
    public var isCrowdedOut: Bool { if case .crowdedOut = self { true } else { false } }
}
