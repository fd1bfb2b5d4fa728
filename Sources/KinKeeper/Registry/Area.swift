public import KinModel
public import KinStore

/// An area of the family's life: everything the shared mechanism needs to know of it. An area is its folder and this
/// value; the mechanism names none.
public struct Area: Sendable {
    /// Something that is done by the daemon itself, in a savepoint of its own.
    public typealias Deed = @Sendable (Act) throws(Rejection) -> Void

    /// Its name, which is its folder's.
    public let name: String
    /// What its tables look like, oldest first. Numbers are unique over all areas and never used again.
    public let migrations: [Migration]
    /// The tables that are its own. Nobody else writes them; nobody else reads them but those of the roster.
    public let tables: [Table]
    /// What can be asked of it.
    public let methods: [Method]
    /// What it writes to the log.
    public let events: [any EventDeclaration]
    /// The word by which a view asks for it; areas may share one. `nil`: it belongs to every view.
    public let view: String?
    /// Whether its view is closed to sessions that wait: it tells where somebody is or was.
    public let isForOwnWord: Bool
    /// Its part of a snapshot, as members of the one object. They are absent where its view is not asked for.
    public let snapshot: [Field]
    /// Members of that object which are there in every view.
    public let everySnapshot: [Field]
    /// Bytes that the area's part of any member's snapshot stays below, as JSON: it refuses what would grow beyond, or
    /// leaves out what does not fit (``Snapshot/more``). A part that is larger all the same is left out whole, and the
    /// daemon's log says so. At most ``Limits/snapshotPartBytesMax``, whatever other areas have.
    public let snapshotBytesMax: Int
    /// Adds what a member sees of the area to a snapshot that is empty, within the reader's transaction. What it adds
    /// outside the view, or to another area's part, is dropped.
    public let show: @Sendable (Database, Viewer, inout Snapshot) throws(StoreFailure) -> Void
    /// Work that falls due, by kind: called with what it is about, as the daemon itself.
    public let due: [String: @Sendable (Act, String) throws(Rejection) -> Void]
    /// What the area makes of events, its own and others', by their type: called once the act that emitted them has
    /// done its work, in its savepoint. What it emits itself is told to nobody, unless it says so.
    public let told: [String: @Sendable (Act, Told) throws(Rejection) -> Void]
    /// What of it people share. Who gains or loses sight of it by an event about the family is found before the area is
    /// told of that event.
    public let shared: [SharedThings]
    /// What lines its events make in inboxes.
    public let inbox: [InboxRule]
    /// The kinds of those lines.
    public let inboxKinds: [InboxKind]
    /// Whether a member sees a thing, by what stands before the slash in what its events are about; `nil`: it is gone.
    public let sees: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> Bool?]
    /// What it keeps in memory across turns.
    public let memories: [any AreaMemory.Type]
    /// What one member may use up of it, and is told before it is.
    public let quotas: [Quota]
    /// What admins are told that there is of it in the family.
    public let sums: [FamilySum]
    /// What of it is counted for metrics.
    public let counters: [Counter]
    /// The names of the blobs that rows of the area name; what no area names is removed at the start.
    public let blobs: (@Sendable (Database) throws(StoreFailure) -> [String])?
    /// What it knows that others ask.
    public let hooks: Hooks
    /// What happens to all areas at once.
    public let life: Life
    /// Makes the whole area once it is known what all declare: for those that sum up what others say.
    public var completed: (@Sendable ([Area]) -> Area)?

    /// Questions that the mechanism, or another area through it, asks of whichever area knows.
    public struct Hooks: Sendable {
        /// Judges what a client showed to say who it is. One area has it.
        public var credentials: Credentials?
        /// Who answers for a member's settings in that member's stead; `nil`: nobody does.
        public var guardian: (@Sendable (Act, Identifier) throws(Rejection) -> Identifier?)?
        /// A member begins to follow with a view: what is to be noted of that is.
        public var followed: (@Sendable (Act, View) throws(Rejection) -> Void)?
        /// What was told in inboxes is taken back.
        public var inbox: InboxHook?
        /// A member gets a picture that came by another way than the area's own method.
        public var picture: PictureHook?

        /// None.
        public init(
            credentials: Credentials? = nil,
            guardian: (@Sendable (Act, Identifier) throws(Rejection) -> Identifier?)? = nil,
            followed: (@Sendable (Act, View) throws(Rejection) -> Void)? = nil, inbox: InboxHook? = nil,
            picture: PictureHook? = nil
        ) {
            self.credentials = credentials
            self.guardian = guardian
            self.followed = followed
            self.inbox = inbox
            self.picture = picture
        }
    }

    /// Who a credential belongs to.
    public struct Credentials: Sendable {
        /// Who that is, for a method; 1401 where the credential is no longer good.
        public let resolve: @Sendable (Credential, Method, Act) throws(Rejection) -> Caller
        /// Whether a cursor belongs to what a session saw before, so that it begins anew.
        public let isOutlived: @Sendable (_ cursor: String, _ session: Identifier, Act) throws(Rejection) -> Bool

        /// The two of them.
        public init(
            resolve: @escaping @Sendable (Credential, Method, Act) throws(Rejection) -> Caller,
            isOutlived: @escaping @Sendable (String, Identifier, Act) throws(Rejection) -> Bool
        ) {
            self.resolve = resolve
            self.isOutlived = isOutlived
        }
    }

    /// How a picture becomes a member's.
    public struct PictureHook: Sendable {
        /// The slow part, for a picture's bytes; `nil` where the caller has set as many today as one may.
        public let work: @Sendable (Act, [UInt8]) throws(Rejection) -> (any SlowWork)?
        /// Puts what a worker made of it in its place.
        public let put: @Sendable (SlowResult?, Member, Act) throws(Rejection) -> Void
        /// The small one of a member's own, as phones show it.
        public let face: @Sendable (Act, Identifier) throws(Rejection) -> [UInt8]?

        /// What it takes.
        public init(
            work: @escaping @Sendable (Act, [UInt8]) throws(Rejection) -> (any SlowWork)?,
            put: @escaping @Sendable (SlowResult?, Member, Act) throws(Rejection) -> Void,
            face: @escaping @Sendable (Act, Identifier) throws(Rejection) -> [UInt8]?
        ) {
            self.work = work
            self.put = put
            self.face = face
        }
    }

    /// What happens to all areas at once.
    public struct Life: Sendable {
        /// The clock began to be doubted (``Act/isClockDoubted``), or is believed again: withholds what has an end, or
        /// gives it back.
        public var clockDoubted: Deed?
        /// Gives what a leaving member owns to another.
        public var handOver: (@Sendable (Act, _ from: Identifier, _ to: Identifier) throws(Rejection) -> Void)?
        /// Deletes what a leaving member owns and does not hand over, and what is never handed over.
        public var deleteOwned: (@Sendable (Act, Identifier) throws(Rejection) -> Void)?
        /// Every table was emptied: what is derived from them is made anew.
        public var wiped: Deed?
        /// The family was put back from a backup: what somebody may have taken back since then ends.
        public var restored: Deed?
        /// The clock was put right: what is not in a column of its tables is dated anew.
        public var redated: (@Sendable (Act, Redating) throws(Rejection) -> Void)?

        /// Nothing happens to it.
        public init(
            clockDoubted: Deed? = nil,
            handOver: (@Sendable (Act, Identifier, Identifier) throws(Rejection) -> Void)? = nil,
            deleteOwned: (@Sendable (Act, Identifier) throws(Rejection) -> Void)? = nil,
            wiped: Deed? = nil, restored: Deed? = nil,
            redated: (@Sendable (Act, Redating) throws(Rejection) -> Void)? = nil
        ) {
            self.clockDoubted = clockDoubted
            self.handOver = handOver
            self.deleteOwned = deleteOwned
            self.wiped = wiped
            self.restored = restored
            self.redated = redated
        }
    }

    /// An area.
    public init(
        _ name: String, view: String? = nil, isForOwnWord: Bool = false, tables: [Table], migrations: [Migration],
        methods: [Method],
        events: [any EventDeclaration],
        due: [String: @Sendable (Act, String) throws(Rejection) -> Void] = [:],
        told: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [:], shared: [SharedThings] = [],
        inbox: [InboxRule] = [],
        inboxKinds: [InboxKind] = [],
        sees: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> Bool?] = [:],
        memories: [any AreaMemory.Type] = [], quotas: [Quota] = [], sums: [FamilySum] = [], counters: [Counter] = [],
        blobs: (@Sendable (Database) throws(StoreFailure) -> [String])? = nil, hooks: Hooks = Hooks(),
        life: Life = Life(), snapshot: [Field] = [], everySnapshot: [Field] = [],
        snapshotBytesMax: Int = 0,
        show: @escaping @Sendable (Database, Viewer, inout Snapshot) throws(StoreFailure) -> Void = {
            (_, _, _) throws(StoreFailure) in
        }
    ) {
        self.name = name
        self.view = view
        self.isForOwnWord = isForOwnWord
        self.tables = tables
        self.migrations = migrations
        self.methods = methods
        self.events = events
        self.due = due
        self.told = told
        self.shared = shared
        self.inbox = inbox
        self.inboxKinds = inboxKinds
        self.sees = sees
        self.memories = memories
        self.quotas = quotas
        self.sums = sums
        self.counters = counters
        self.blobs = blobs
        self.hooks = hooks
        self.life = life
        self.snapshot = snapshot
        self.everySnapshot = everySnapshot
        self.snapshotBytesMax = snapshotBytesMax
        self.show = show
    }
}

/// A table of an area, and what the mechanism has to know of it.
public struct Table: Sendable {
    /// Its name.
    public let name: String
    /// Columns that say when something was by the daemon's clock: never later than now. A clock that was put right dates
    /// them anew.
    public let dated: [String]
    /// The same by the clocks of phones, which need not be wrong with it.
    public let datedByPhones: [String]
    /// To how many seconds its times are told rounded down; 0: they are not.
    public let roundedSeconds: Int64
    /// Whether it stays when the family is closed: it says nothing about anybody.
    public let isKept: Bool
    /// Whether its rows give a way in: they are not there after a restore, when whoever lost one since would have it again.
    public let givesWayIn: Bool

    /// A table.
    public init(
        _ name: String, dated: [String] = [], datedByPhones: [String] = [], roundedSeconds: Int64 = 0,
        isKept: Bool = false, givesWayIn: Bool = false
    ) {
        self.name = name
        self.dated = dated
        self.datedByPhones = datedByPhones
        self.roundedSeconds = roundedSeconds
        self.isKept = isKept
        self.givesWayIn = givesWayIn
    }

    /// A moment as its rows say it.
    package func rounded(_ moment: Instant) -> Instant {
        guard roundedSeconds > 0 else { return moment }
        return moment.adding(milliseconds: -(moment.milliseconds % (roundedSeconds * 1000)))
    }
}

/// Who looks at a snapshot.
public struct Viewer: Sendable, Hashable {
    /// The member.
    public let id: Identifier
    /// The number in audiences.
    public let number: Int32
    /// The role.
    public let role: Role
    /// The household.
    public let household: Identifier
    /// What the member asked to see.
    public let view: View
}
