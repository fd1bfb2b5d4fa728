public import KinModel
public import KinStore

/// An area of the family's life: everything the shared mechanism needs to know of it.
public struct Area: Sendable {
    /// Its name, which is its folder's.
    public let name: String
    /// Its tables, oldest first. Numbers are unique over all areas and never used again.
    public let migrations: [Migration]
    /// What can be asked of it.
    public let methods: [Method]
    /// What it writes to the log.
    public let events: [EventType]
    /// Work that falls due, by kind: called with what it is about, as the daemon itself.
    public let due: [String: @Sendable (Act, String) throws(Rejection) -> Void]
    /// Bytes that the area's part of any member's snapshot stays below, as JSON: it refuses what would grow beyond.
    /// All areas' together stay within ``Limits/snapshotBytesMax``.
    public let snapshotBytesMax: Int
    /// What the area makes of events, its own and others', by their type: called once the act that emitted them has
    /// done its work, in its savepoint. What it emits itself is told to nobody.
    public let told: [String: @Sendable (Act, Told) throws(Rejection) -> Void]
    /// Adds what a member sees of the area to a snapshot, within the reader's transaction.
    public let show: @Sendable (Database, Viewer, inout Snapshot) throws(StoreFailure) -> Void
    /// The clock began to be doubted (``Act/isClockDoubted``), or is believed again: withholds what has an end, or gives it
    /// back.
    public let clockDoubted: (@Sendable (Act) throws(Rejection) -> Void)?
    /// Gives what a leaving member owns to another.
    public let handOver: (@Sendable (Act, _ from: Identifier, _ to: Identifier) throws(Rejection) -> Void)?
    /// Deletes what a leaving member owns and does not hand over, and what is never handed over.
    public let deleteOwned: (@Sendable (Act, Identifier) throws(Rejection) -> Void)?
    /// The names of the blobs that rows of the area name; what no area names is removed at the start.
    public let blobs: (@Sendable (Database) throws(StoreFailure) -> [String])?

    /// An area.
    public init(
        _ name: String, migrations: [Migration], methods: [Method], events: [EventType],
        due: [String: @Sendable (Act, String) throws(Rejection) -> Void] = [:],
        told: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [:],
        clockDoubted: (@Sendable (Act) throws(Rejection) -> Void)? = nil,
        handOver: (@Sendable (Act, _ from: Identifier, _ to: Identifier) throws(Rejection) -> Void)? = nil,
        deleteOwned: (@Sendable (Act, Identifier) throws(Rejection) -> Void)? = nil,
        blobs: (@Sendable (Database) throws(StoreFailure) -> [String])? = nil,
        snapshotBytesMax: Int = 0,
        show: @escaping @Sendable (Database, Viewer, inout Snapshot) throws(StoreFailure) -> Void = {
            (_, _, _) throws(StoreFailure) in
        }
    ) {
        self.name = name
        self.migrations = migrations
        self.methods = methods
        self.events = events
        self.due = due
        self.told = told
        self.clockDoubted = clockDoubted
        self.handOver = handOver
        self.deleteOwned = deleteOwned
        self.blobs = blobs
        self.snapshotBytesMax = snapshotBytesMax
        self.show = show
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

/// All areas together. To add one: its folder, its values in KinModel, and one line in ``family``.
public struct Registry: Sendable {
    /// The event that tells the loop to send fresh snapshots; clients see the `reset` notification instead.
    package static let resetType = "reset"

    /// The areas of a family.
    public static let family = Registry(areas: [
        Members.area,
        Activity.area,
        Map.area,
        Places.area,
        Meetings.area,
        Live.area,
        Upkeep.area,
    ])

    /// The areas, in the order their snapshots are put together.
    public let areas: [Area]
    /// Every method by name.
    public let methods: [String: Method]
    /// What stands before the dot of methods' names, sorted; the first is for methods there are none of.
    public let methodFamilies: [String]
    /// Every event type by name.
    public let events: [String: EventType]
    /// What areas make of events, by type. Most types concern nobody and are not in it, so an event costs one look-up.
    let told: [String: [@Sendable (Act, Told) throws(Rejection) -> Void]]
    /// Every migration, in order.
    public let migrations: [Migration]

    /// A registry of areas; names must be unique.
    public init(areas: [Area]) {
        self.areas = areas
        let families = ["unknown"] + Set(areas.flatMap(\.methods).map(\.familyName)).sorted()
        methodFamilies = families
        methods = Dictionary(
            uniqueKeysWithValues: areas.flatMap(\.methods).map { method in
                var method = method
                method.family = families.firstIndex(of: method.familyName) ?? 0
                return (method.name, method)
            })
        let reset = EventType(Self.resetType, "The member's view was built anew.", data: .object([]))
        events = Dictionary(uniqueKeysWithValues: (areas.flatMap(\.events) + [reset]).map { ($0.name, $0) })
        told = areas.reduce(into: [:]) { all, area in
            for (type, hear) in area.told { all[type, default: []].append(hear) }
        }
        migrations = areas.flatMap(\.migrations).sorted { $0.number < $1.number }
        precondition(Set(migrations.map(\.number)).count == migrations.count, "two migrations share a number")
        for method in methods.values {
            for event in method.events where events[event] == nil {
                preconditionFailure("\(method.name) names the event \(event), which no area declares")
            }
        }
    }
}
