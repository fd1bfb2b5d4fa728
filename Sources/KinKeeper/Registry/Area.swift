public import KinModel
public import KinStore

/// An area of the family's life: everything the shared mechanism needs to know of it. An area is its folder and this
/// value; the mechanism names none.
public struct Area: Sendable {
    /// An act of the daemon itself, in a savepoint of its own.
    public typealias Deed = @Sendable (Act) throws(Rejection) -> Void

    /// Its name, which is its folder's.
    public let name: String
    /// The steps that make its tables, oldest first. Their numbers are unique over all areas and never used again.
    public let migrations: [Migration]
    /// Its own tables. Only the area writes them, and only the area reads them; every area may read the roster's.
    public let tables: [Table]
    /// The methods that clients call.
    public let methods: [Method]
    /// The types of events that it writes to the log.
    public let events: [any EventDeclaration]
    /// The things of it that are so for a moment, and that the log does not keep.
    public let passing: [PassingType]
    /// The word by which a view asks for it; areas may share one. `nil`: it belongs to every view.
    public let view: String?
    /// Whether its view is closed to waiting sessions, because it tells where somebody is or was.
    public let isForOwnWord: Bool
    /// Whether screens on walls show what its view has.
    public let isForWalls: Bool
    /// Its part of a snapshot, as members of the one object. They are absent where its view is not asked for.
    public let snapshot: [Field]
    /// Members of that object which are there in every view.
    public let everySnapshot: [Field]
    /// The most bytes that the area's part of any member's snapshot has, as JSON. The area refuses a change that would
    /// pass it, or leaves out the rest (``Snapshot/more``). A part that is larger all the same is left out whole, and the
    /// daemon's log says so. At most ``Limits/snapshotPartBytesMax``, whatever other areas have.
    public let snapshotBytesMax: Int
    /// Adds the area's part, as one member sees it, to an empty snapshot. It runs within the reader's transaction. Anything
    /// it adds outside the view, or to another area's part, is dropped.
    public let show: @Sendable (Database, Viewer, inout Snapshot) throws(StoreFailure) -> Void
    /// Work that falls due, by kind. It is called as the daemon itself, with the thing that it is about.
    public let due: [String: @Sendable (Act, String) throws(Rejection) -> Void]
    /// The kinds of that work which are done while the clock is doubted, too: nothing ends by them, and they do not wait.
    public let dueInDoubt: Set<String>
    /// What the area does once an hour and once at the start, as the daemon itself: rows whose time is over go.
    public let upkeep: Deed?
    /// The area's answers to events, its own and others', by type. They are called in the savepoint of the act that emitted
    /// the event, once that act has done its work. Areas are not told of the events that an answer emits, unless it says
    /// so.
    public let told: [String: @Sendable (Act, Told) throws(Rejection) -> Void]
    /// The things of it that people share. An event about the family may give or take sight of them: that is settled before
    /// the area is told of the event.
    public let shared: [SharedThings]
    /// The lines that its events make in inboxes.
    public let inbox: [InboxRule]
    /// The kinds of those lines.
    public let inboxKinds: [InboxKind]
    /// Whether a member sees a thing, by the part before the slash in its events' `about`; `nil`: the thing is gone.
    public let sees: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> Bool?]
    /// For whom a thing is that the caller sees, as far as the caller may know that, by the part before the slash in its
    /// events' `about`: these members; `nil`: every member who is no guest.
    public let readers: [String: @Sendable (Act, Identifier) throws(Rejection) -> Audience?]
    /// The answers that a member can give to a thing without opening it, by the part before the slash in its events'
    /// `about`. Empty where nothing is asked of that member, or no longer.
    public let answers: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]]
    /// Its memories: values that live across turns.
    public let memories: [any AreaMemory.Type]
    /// Quotas for each member. A member is told before one is used up.
    public let quotas: [Quota]
    /// Sums over the whole family, for admins.
    public let sums: [FamilySum]
    /// Its counters for metrics.
    public let counters: [Counter]
    /// The names of the blobs that the area's rows refer to. A blob that no area names is removed when the daemon starts.
    public let blobs: (@Sendable (Database) throws(StoreFailure) -> [String])?
    /// What this machine lacks for the area's work: for each a sentence with what to do. It is asked at the start, for the
    /// daemon's log, and when an admin has everything checked.
    public let lacks: @Sendable () -> [String]
    /// Its answers to questions of the mechanism and of other areas.
    public let hooks: Hooks
    /// Its part in what happens to all areas at once.
    public let life: Life
    /// The area's things that a search finds by their words.
    public package(set) var searched: [Searched]
    /// Makes the area again, given all areas: for one that sums up the declarations of others.
    public var completed: (@Sendable ([Area]) -> Area)?

    /// Formats from strangers that only this area reads. Each is a target of the fuzzer, by its name.
    public let formats: [Format]

    /// A reader of bytes from strangers. It must hold up whatever they are.
    public struct Format: Sendable {
        /// The name of its corpus and of the fuzzer's target.
        public let name: String
        /// Reads an input, and traps where a promise is broken. `isPlanted`: a bug is planted, to see that the fuzzer
        /// finds it.
        public let judge: @Sendable (_ input: [UInt8], _ isPlanted: Bool) -> Void

        /// A format by its name.
        public init(_ name: String, judge: @escaping @Sendable (_ input: [UInt8], _ isPlanted: Bool) -> Void) {
            self.name = name
            self.judge = judge
        }
    }

    /// Records the caller's answer to a part of something, such as a slot of a meeting, or to all of it. `false`: it keeps
    /// no such answer, and what the caller said before still holds.
    public typealias SayHook = @Sendable (Act, Identifier, _ part: Identifier?, Entry.Answer) throws(Rejection) -> Bool

    /// Those of some places that a viewer sees; also asked on a reading connection.
    public typealias PlacesHook =
        @Sendable (
            Database, _ viewer: Identifier, _ places: [Identifier]
        ) throws(StoreFailure) -> [Place]

    /// Questions that the mechanism, or another area through it, asks of whichever area knows.
    public struct Hooks: Sendable {
        /// Judges the credentials that clients show. One area has it.
        public var credentials: Credentials?
        /// The member who answers for another one's settings; `nil`: nobody does.
        public var guardian: (@Sendable (Act, Identifier) throws(Rejection) -> Identifier?)?
        /// Called when a member begins to follow with a view, so that it can be noted.
        public var followed: (@Sendable (Act, View) throws(Rejection) -> Void)?
        /// Takes back lines of inboxes.
        public var inbox: InboxHook?
        /// A member's settings, among them language and zone.
        public var settings: (@Sendable (Act, Identifier) throws(Rejection) -> Settings)?
        /// Gives a member a portrait that did not come through the area's own method.
        public var portrait: PortraitHook?
        /// Ends a secret of the area's own that was seen in plain text. Answers whether it was one.
        public var exposed: (@Sendable (Act, String) throws(Rejection) -> Bool)?
        /// The member whose secret this is, where it permits the act of this method; else `nil`.
        public var answer: (@Sendable (Act, _ secret: String, Method) throws(Rejection) -> Answerer?)?
        /// Rings again for what a member was told about a thing and has not read.
        public var ring: (@Sendable (Act, _ about: String, _ member: Identifier) throws(Rejection) -> Void)?
        /// Silences a member's devices about a thing that no longer asks anything of the member.
        public var hush: (@Sendable (Act, _ about: String, _ member: Identifier) throws(Rejection) -> Void)?
        /// Whether a device that rings is a member's.
        public var hasDevice: (@Sendable (Act, _ member: Identifier, _ device: Identifier) throws(Rejection) -> Bool)?
        /// Called when a device of a member received what rang about a thing.
        public var took: (@Sendable (Act, _ about: String, _ member: Identifier) throws(Rejection) -> Void)?
        /// A member's last position, as only the member knows it.
        public var position: (@Sendable (Act, Identifier) throws(Rejection) -> Position?)?
        /// Called with a member's new position, as only the member knows it.
        public var moved: (@Sendable (Act, Position) throws(Rejection) -> Void)?
        /// The parts in a thing of all who are invited to it or answered uninvited; `nil`: there is no such thing.
        public var parts: (@Sendable (Act, Identifier) throws(Rejection) -> [Identifier: OwnPart]?)?
        /// Says for the caller what they say to a part of something that they are asked to.
        public var say: SayHook?
        /// A member's plans between two moments, by their beginnings, as far as the caller may know; `nil`: none is
        /// known.
        public var plans: (@Sendable (Act, _ member: Identifier, Instant, Instant) throws(Rejection) -> [Plan]?)?
        /// Birthdays that a member may know.
        public var birthdays: (@Sendable (Act, _ member: Identifier) throws(Rejection) -> [KnownBirthday])?
        /// Those of some places of the map that a member sees.
        public var places: PlacesHook?
        /// The e-mail addresses of members that a member may know.
        public var mailboxes: (@Sendable (Act, _ viewer: Identifier) throws(Rejection) -> [Identifier: [String]])?
        /// Pictures hang in things that are shared, and are taken down with them.
        public var hanging: HangingHook?
        /// A picture is gone from where it hung, because it is removed.
        public var unhung: (@Sendable (Act, _ picture: Identifier, HangingPlace) throws(Rejection) -> Void)?
        /// Puts things on a list.
        public var listing: ListHook?
        /// Makes a one-time secret with which the family can be founded through a link. The secret before becomes
        /// invalid.
        public var setUpLink: (@Sendable (Act) throws(Rejection) -> String)?

        /// No hooks.
        public init(
            credentials: Credentials? = nil,
            guardian: (@Sendable (Act, Identifier) throws(Rejection) -> Identifier?)? = nil,
            followed: (@Sendable (Act, View) throws(Rejection) -> Void)? = nil, inbox: InboxHook? = nil,
            settings: (@Sendable (Act, Identifier) throws(Rejection) -> Settings)? = nil,
            portrait: PortraitHook? = nil, exposed: (@Sendable (Act, String) throws(Rejection) -> Bool)? = nil,
            answer: (@Sendable (Act, String, Method) throws(Rejection) -> Answerer?)? = nil,
            ring: (@Sendable (Act, String, Identifier) throws(Rejection) -> Void)? = nil,
            hush: (@Sendable (Act, String, Identifier) throws(Rejection) -> Void)? = nil,
            hasDevice: (@Sendable (Act, Identifier, Identifier) throws(Rejection) -> Bool)? = nil,
            took: (@Sendable (Act, String, Identifier) throws(Rejection) -> Void)? = nil,
            position: (@Sendable (Act, Identifier) throws(Rejection) -> Position?)? = nil,
            moved: (@Sendable (Act, Position) throws(Rejection) -> Void)? = nil,
            parts: (@Sendable (Act, Identifier) throws(Rejection) -> [Identifier: OwnPart]?)? = nil,
            say: SayHook? = nil,
            plans: (@Sendable (Act, Identifier, Instant, Instant) throws(Rejection) -> [Plan]?)? = nil,
            birthdays: (@Sendable (Act, Identifier) throws(Rejection) -> [KnownBirthday])? = nil,
            places: PlacesHook? = nil,
            mailboxes: (@Sendable (Act, Identifier) throws(Rejection) -> [Identifier: [String]])? = nil,
            hanging: HangingHook? = nil,
            unhung: (@Sendable (Act, Identifier, HangingPlace) throws(Rejection) -> Void)? = nil,
            listing: ListHook? = nil,
            setUpLink: (@Sendable (Act) throws(Rejection) -> String)? = nil
        ) {
            self.credentials = credentials
            self.guardian = guardian
            self.followed = followed
            self.inbox = inbox
            self.settings = settings
            self.portrait = portrait
            self.exposed = exposed
            self.answer = answer
            self.ring = ring
            self.hush = hush
            self.hasDevice = hasDevice
            self.took = took
            self.position = position
            self.moved = moved
            self.parts = parts
            self.say = say
            self.plans = plans
            self.birthdays = birthdays
            self.places = places
            self.mailboxes = mailboxes
            self.hanging = hanging
            self.unhung = unhung
            self.listing = listing
            self.setUpLink = setUpLink
        }
    }

    /// The member who may do the one act that a secret permits.
    public struct Answerer: Sendable {
        /// The member.
        public let member: Identifier
        /// The secret that was shown. It stands in the place of a session.
        public let secret: Identifier

        /// A member and the secret that was shown.
        public init(member: Identifier, secret: Identifier) {
            self.member = member
            self.secret = secret
        }
    }

    /// Finds the caller whom a credential belongs to.
    public struct Credentials: Sendable {
        /// The caller of a method; 1401 where the credential is no longer valid.
        public let resolve: @Sendable (Credential, Method, Act) throws(Rejection) -> Caller
        /// Whether a cursor is older than the time from which the session sees everything. Its follower then begins
        /// anew.
        public let isOutlived: @Sendable (_ cursor: String, _ session: Identifier, Act) throws(Rejection) -> Bool

        /// Both of them.
        public init(
            resolve: @escaping @Sendable (Credential, Method, Act) throws(Rejection) -> Caller,
            isOutlived: @escaping @Sendable (String, Identifier, Act) throws(Rejection) -> Bool
        ) {
            self.resolve = resolve
            self.isOutlived = isOutlived
        }
    }

    /// The way in which a picture becomes a member's portrait.
    public struct PortraitHook: Sendable {
        /// The slow part, for a picture's bytes; `nil` where the caller has set as many pictures today as are allowed.
        public let work: @Sendable (Act, [UInt8]) throws(Rejection) -> (any SlowWork)?
        /// Stores the picture that a worker made of it.
        public let put: @Sendable (SlowResult?, Member, Act) throws(Rejection) -> Void
        /// A member's own picture in the small size that phones show.
        public let face: @Sendable (Act, Identifier) throws(Rejection) -> [UInt8]?

        /// All three of them.
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

    /// A place in which pictures hang.
    public enum HangingPlace: Sendable, Hashable {
        /// In a thing.
        case thing(Identifier)
        /// In a part of a thing.
        case part(Identifier, of: Identifier)
        /// In any part of a thing.
        case parts(of: Identifier)
    }

    /// The functions by which pictures stand in things of other areas.
    public struct HangingHook: Sendable {
        /// The caller's pictures become part of a thing, or stay so: those it is shared with see them, and nobody else. They
        /// are answered in the same order.
        package let hang:
            @Sendable (
                Act, _ pictures: [Identifier], HangingPlace, SharedWith
            ) throws(Rejection) -> [Picture]
        /// The place is gone, and its pictures with it.
        package let takeDown: @Sendable (Act, HangingPlace) throws(Rejection) -> Void
        /// Members see a place no longer, nor its pictures.
        package let close: @Sendable (Act, HangingPlace, _ lost: Audience) throws(Rejection) -> Void
        /// The blob with a picture's pixels in a size, whoever asks; `nil` where the picture does not hang there.
        package let pixels:
            @Sendable (Act, _ picture: Identifier, HangingPlace, Picture.Size) throws(Rejection) -> String?
        /// A member leaves and takes along every picture, wherever it hangs. Called before places of that member are taken
        /// down, whose pictures are then gone already, or go in the next turns.
        package let leave: @Sendable (Act, _ member: Identifier) throws(Rejection) -> Void

        /// The five of them.
        package init(
            hang: @escaping @Sendable (Act, [Identifier], HangingPlace, SharedWith) throws(Rejection) -> [Picture],
            takeDown: @escaping @Sendable (Act, HangingPlace) throws(Rejection) -> Void,
            close: @escaping @Sendable (Act, HangingPlace, Audience) throws(Rejection) -> Void,
            pixels: @escaping @Sendable (Act, Identifier, HangingPlace, Picture.Size) throws(Rejection) -> String?,
            leave: @escaping @Sendable (Act, Identifier) throws(Rejection) -> Void
        ) {
            self.hang = hang
            self.takeDown = takeDown
            self.close = close
            self.pixels = pixels
            self.leave = leave
        }
    }

    /// The functions by which other areas put things on a list that the caller sees; 1404 for other lists.
    public struct ListHook: Sendable {
        /// The items of a list.
        package let items: @Sendable (Act, _ list: Identifier) throws(Rejection) -> [ListItem]
        /// Puts items on it, or gives items another text, amount, unit and section. They are answered as they are now.
        package let put: @Sendable (Act, _ list: Identifier, [ListItem]) throws(Rejection) -> [ListItem]
        /// Takes items off it.
        package let remove: @Sendable (Act, _ list: Identifier, [Identifier]) throws(Rejection) -> Void

        /// The three of them.
        package init(
            items: @escaping @Sendable (Act, Identifier) throws(Rejection) -> [ListItem],
            put: @escaping @Sendable (Act, Identifier, [ListItem]) throws(Rejection) -> [ListItem],
            remove: @escaping @Sendable (Act, Identifier, [Identifier]) throws(Rejection) -> Void
        ) {
            self.items = items
            self.put = put
            self.remove = remove
        }
    }

    /// Events in the life of the family that concern all areas. An area that does nothing then leaves them out.
    public struct Life: Sendable {
        /// Called when the clock begins to be doubted (``Act/isClockDoubted``), and when it is believed again. Things with
        /// an end are withheld, or given back.
        public var clockDoubted: Deed?
        /// Gives what a leaving member owns to another.
        public var inherit: (@Sendable (Act, _ from: Identifier, _ to: Identifier) throws(Rejection) -> Void)?
        /// Deletes what a leaving member owns and does not hand over, and what can never be handed over.
        public var deleteOwned: (@Sendable (Act, Identifier) throws(Rejection) -> Void)?
        /// Called after a move with the guests who know other members from then on: guests know whoever lives with them.
        public var acquaintances: (@Sendable (Act, _ guests: Audience) throws(Rejection) -> Void)?
        /// Called when every table was emptied: the area makes its derived rows anew.
        public var wiped: Deed?
        /// Called when the family was put back from a backup: ends every permission that somebody may have revoked since.
        public var restored: Deed?
        /// Called when the clock was put right. The area dates moments anew that are in no column of its tables.
        public var redated: (@Sendable (Act, Redating) throws(Rejection) -> Void)?
        /// Called at the end of each act, when its own work is done and the areas are told of it.
        public var settled: Deed?

        /// An area that does nothing.
        public init(
            clockDoubted: Deed? = nil,
            inherit: (@Sendable (Act, Identifier, Identifier) throws(Rejection) -> Void)? = nil,
            deleteOwned: (@Sendable (Act, Identifier) throws(Rejection) -> Void)? = nil,
            acquaintances: (@Sendable (Act, Audience) throws(Rejection) -> Void)? = nil,
            wiped: Deed? = nil, restored: Deed? = nil,
            redated: (@Sendable (Act, Redating) throws(Rejection) -> Void)? = nil, settled: Deed? = nil
        ) {
            self.clockDoubted = clockDoubted
            self.inherit = inherit
            self.deleteOwned = deleteOwned
            self.acquaintances = acquaintances
            self.wiped = wiped
            self.restored = restored
            self.redated = redated
            self.settled = settled
        }
    }

    /// An area.
    public init(
        _ name: String, view: String? = nil, isForOwnWord: Bool = false, isForWalls: Bool = false, tables: [Table],
        migrations: [Migration],
        methods: [Method],
        events: [any EventDeclaration], passing: [PassingType] = [],
        due: [String: @Sendable (Act, String) throws(Rejection) -> Void] = [:], dueInDoubt: Set<String> = [],
        upkeep: Deed? = nil,
        told: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [:], shared: [SharedThings] = [],
        inbox: [InboxRule] = [],
        inboxKinds: [InboxKind] = [],
        sees: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> Bool?] = [:],
        readers: [String: @Sendable (Act, Identifier) throws(Rejection) -> Audience?] = [:],
        answers: [String: @Sendable (Act, Identifier, Roster.Entry) throws(Rejection) -> [InboxAnswer]] = [:],
        memories: [any AreaMemory.Type] = [], quotas: [Quota] = [], sums: [FamilySum] = [], counters: [Counter] = [],
        blobs: (@Sendable (Database) throws(StoreFailure) -> [String])? = nil,
        lacks: @escaping @Sendable () -> [String] = { [] }, hooks: Hooks = Hooks(),
        life: Life = Life(), formats: [Format] = [], searched: [Searched] = [], snapshot: [Field] = [],
        everySnapshot: [Field] = [], snapshotBytesMax: Int = 0,
        show: @escaping @Sendable (Database, Viewer, inout Snapshot) throws(StoreFailure) -> Void = {
            (_, _, _) throws(StoreFailure) in
        }
    ) {
        self.name = name
        self.view = view
        self.isForOwnWord = isForOwnWord
        self.isForWalls = isForWalls
        self.tables = tables
        self.migrations = migrations
        self.methods = methods
        self.events = events
        self.passing = passing
        self.due = due
        self.dueInDoubt = dueInDoubt
        self.upkeep = upkeep
        self.told = told
        self.shared = shared
        self.inbox = inbox
        self.inboxKinds = inboxKinds
        self.sees = sees
        self.readers = readers
        self.answers = answers
        self.memories = memories
        self.quotas = quotas
        self.sums = sums
        self.counters = counters
        self.blobs = blobs
        self.lacks = lacks
        self.hooks = hooks
        self.life = life
        self.formats = formats
        self.searched = searched
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
    /// Columns that say when something was, by the daemon's clock; never later than now. They are dated anew when the
    /// clock was put right.
    public let dated: [String]
    /// Columns that say when something was, by phones' clocks; these need not be wrong when the daemon's is.
    public let datedByPhones: [String]
    /// Columns of moments that may lie ahead, such as ends, or that decide nothing. They stay as they are.
    public let ahead: [String]
    /// The seconds that its times are rounded down to when they are told; 0: not rounded.
    public let roundedSeconds: Int64
    /// Whether it stays when the family is closed, because it says nothing about anybody.
    public let isKept: Bool
    /// Whether its rows let somebody in. A restore leaves them out: else a way in that was revoked since the backup
    /// would work again.
    public let givesWayIn: Bool

    /// A table.
    public init(
        _ name: String, dated: [String] = [], datedByPhones: [String] = [], ahead: [String] = [],
        roundedSeconds: Int64 = 0, isKept: Bool = false, givesWayIn: Bool = false
    ) {
        let moments = dated + datedByPhones + ahead
        precondition(Set(moments).count == moments.count, "\(name) has a moment that is to be dated in two ways")
        precondition(!isKept || !givesWayIn, "\(name) says nothing about anybody, and lets somebody in")
        self.name = name
        self.dated = dated
        self.datedByPhones = datedByPhones
        self.ahead = ahead
        self.roundedSeconds = roundedSeconds
        self.isKept = isKept
        self.givesWayIn = givesWayIn
    }

    /// A moment as the table's rows tell it.
    package func rounded(_ moment: Instant) -> Instant {
        guard roundedSeconds > 0 else { return moment }
        return moment.adding(milliseconds: -(moment.milliseconds % (roundedSeconds * 1000)))
    }
}

/// The member who gets a snapshot.
public struct Viewer: Sendable, Hashable {
    /// The member.
    public let id: Identifier
    /// The number in audiences.
    public let number: Int32
    /// The role.
    public let role: Role
    /// The household.
    public let household: Identifier
    /// The view that the member asked for.
    public let view: View
}
