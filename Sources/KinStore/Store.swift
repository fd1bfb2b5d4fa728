public import KinModel
internal import CSQLite

/// The family's storage: one directory, one database, one owner. Made, used and closed on one thread, the keeper's;
/// what other threads get is a ``reader()`` each, ``Epochs`` and ``Blobs``.
public final class Store {
    // MARK: Fixed at birth

    /// The directory, which is held for this process as long as the store lives.
    public let directory: String
    /// The directory's place: on disk, or in a simulation's memory.
    public let files: Files
    /// The only connection that writes.
    public let database: Database
    /// The one ordered log.
    public let log: Log
    /// This log's epochs; the last was opened by this start.
    public let epochs: Epochs
    /// Bytes too large for the database: pictures.
    public let blobs: Blobs
    /// Commands already applied, by their `op`.
    public let operations: Operations
    /// Deadlines, expiries, reminders.
    public let due: DueTable
    let ballast: Ballast
    /// The database file that was opened.
    private let identity: FileIdentity?

    // MARK: Lives across turns

    /// COMMITs that wrote something.
    public internal(set) var commitCount = 0
    /// Pages in the WAL after the last commit or checkpoint.
    public internal(set) var walPages = 0
    /// The failure of the last checkpoint, if it failed: nothing is lost by that, but the disk should be checked.
    public internal(set) var checkpointFailure: StoreFailure?
    /// By when the WAL is to be truncated, because something was deleted. The keeper wakes for it.
    public internal(set) var truncateBy: Instant?
    /// Blobs that this turn made.
    var madeBlobs: [String] = []
    /// Blobs to remove when this turn is on disk.
    var removals: [String] = []
    /// Blobs that turns gave up, and that still exist.
    package internal(set) var leftBlobs: [String] = []
    var changesAtBegin = 0
    /// The count of commits at which free pages are looked for next.
    var nextLook = 0

    init(
        directory: String, files: Files, database: Database, log: Log, epochs: Epochs, blobs: Blobs,
        ballast: Ballast, identity: FileIdentity?
    ) {
        self.directory = directory
        self.files = files
        self.database = database
        self.log = log
        self.epochs = epochs
        self.blobs = blobs
        self.operations = Operations(database: database)
        self.due = DueTable(database: database)
        self.ballast = ballast
        self.identity = identity
    }

    /// Throws ``StoreFailure/gone(path:)`` when another file, or none, has the database's path: its directory was
    /// removed, moved or unmounted. SQLite would go on writing into a file that nobody can find.
    public func checkPlace() throws(StoreFailure) {
        guard files.system.identity(database.path) != identity else { return }
        // Closing must not tidy up beside a database that is not this one.
        database.leaveFilesAlone()
        throw .gone(path: directory)
    }
}
