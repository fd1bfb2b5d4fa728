public import KinModel
public import KinStore

/// All areas together, and what is derived from them.
public struct Registry: Sendable {
    /// The event that tells the loop to send fresh snapshots; clients see the `reset` notification instead.
    package static let reset = EventType("reset", "The member's view was built anew.")
    package static let resetType = reset.name

    /// The areas that were given, without the mechanism's own.
    let given: [Area]
    /// The areas, in the order their snapshots are put together.
    public let areas: [Area]
    /// Every method by name.
    public let methods: [String: Method]
    /// The words before the dot of methods' names, sorted. The first stands for methods that do not exist.
    public let methodFamilies: [String]
    /// Every event type by name.
    public let events: [String: any EventDeclaration]
    /// The views of things that pass, by their types.
    let passing: [String: View.Place]
    /// The areas' answers to events, by type. Most types have none, so that an event costs one look-up.
    package let told: [String: [@Sendable (Act, Told) throws(Rejection) -> Void]]
    /// Every migration, in order.
    public let migrations: [Migration]

    /// The areas' answers to questions of each other and of the keeper.
    public let hooks: Hooks
    /// The kinds of lines that inboxes know.
    public let inboxKinds: InboxKinds
    /// Everything a member sees at one cursor.
    public let snapshot: Shape
    /// Bytes that the areas' parts of a snapshot have at most, all together.
    public var snapshotBytesMax: Int { areas.reduce(0) { $0 + $1.snapshotBytesMax } }
    /// What this machine lacks for the areas' work: for each a sentence with what to do.
    package var lacks: [String] { areas.flatMap { $0.lacks() } }
    /// The functions that areas run at the end of each act.
    let settled: [Area.Deed]
    /// The things that a search finds by their words, by the table that they stand in.
    package let searched: [String: Searched]
    /// The same, in the order of the areas.
    package let searchedKinds: [Searched]
    /// The family's sums, for admins.
    public let sums: [FamilySum]
    /// The words that a view can be made of.
    public let views: View.Words
    /// The properties of each type of event that the feed needs.
    public let eventTraits: EventTraits

    /// Types of events that tell somebody that a thing is hidden. They stay when the log's other rows about the thing
    /// are erased.
    let typesThatHide: [String]

    /// A registry of areas; the mechanism's areas come after them. It traps when declarations contradict each other.
    init(_ given: [Area], mechanism: [Area]) {
        let declared = given + mechanism
        // Twice: one completed area may sum up what another has completed.
        let once = declared.map { $0.completed?(declared) ?? $0 }
        let areas = declared.map { $0.completed?(once) ?? $0 }
        self.given = given
        self.areas = areas
        let families = ["unknown"] + Set(areas.flatMap(\.methods).map(\.familyName)).sorted()
        methodFamilies = families
        methods = Dictionary(
            uniqueKeysWithValues: areas.flatMap(\.methods).map { method in
                var method = method
                method.family = families.firstIndex(of: method.familyName) ?? 0
                return (method.name, method)
            })
        events = Dictionary(
            uniqueKeysWithValues: (areas.flatMap(\.events) + [Self.reset]).map { ($0.name, $0) })
        passing = Dictionary(
            uniqueKeysWithValues: areas.flatMap { area -> [(String, View.Place)] in
                let place = area.view.map { View.Place.view($0) } ?? .everyView
                return area.passing.map { ($0.name, place) }
            })
        typesThatHide = events.values.filter { $0.sight == .takes }.map(\.name).sorted()
        var told = areas.reduce(into: [String: [@Sendable (Act, Told) throws(Rejection) -> Void]]()) { all, area in
            // Sight comes first, since the area's own answers depend on it.
            for own in area.shared.map(\.told) + [area.told] {
                for (type, hear) in own { all[type, default: []].append(hear) }
            }
        }
        for (type, hear) in areas.flatMap(\.shared).flatMap(\.toldLast) { told[type, default: []].append(hear) }
        self.told = told
        migrations = Migration.steps(of: areas)
        hooks = Hooks(areas)
        inboxKinds = InboxKinds(areas)
        snapshot = Shape.snapshot(of: areas)
        settled = areas.compactMap(\.life.settled)
        searchedKinds = areas.flatMap(\.searched)
        searched = Dictionary(uniqueKeysWithValues: searchedKinds.map { ($0.table, $0) })
        sums = FamilySum.all(areas)
        views = View.Words(areas)
        eventTraits = EventTraits(areas)
        check()
    }

    /// What must hold for all areas together.
    private func check() {
        checkNames()
        checkEach()
        let tables = areas.flatMap(\.tables).map(\.name)
        precondition(Set(tables).count == tables.count, "two areas have a table of the same name")
        let mechanism = areas.suffix(areas.count - given.count)
        for area in areas {
            Migration.check(of: area, among: areas, isMechanism: mechanism.contains { $0.name == area.name })
        }
        let kinds = searchedKinds.map(\.kind)
        precondition(Set(kinds).count == kinds.count, "two areas have found things of the same kind")
        for area in areas {
            for one in area.searched where !area.tables.contains(where: { $0.name == one.table }) {
                preconditionFailure("\(area.name) has words looked for in \(one.table), which is not its table")
            }
        }
        let parts = areas.flatMap { $0.everySnapshot + $0.snapshot }.map(\.name)
        precondition(Set(parts).count == parts.count, "two areas have a part of a snapshot of the same name")
        for area in areas {
            precondition(
                area.snapshotBytesMax <= Limits.snapshotPartBytesMax,
                "\(area.name) may have \(Limits.snapshotPartBytesMax) bytes of a snapshot")
            precondition(
                area.snapshot.isEmpty || area.snapshotBytesMax > 0, "\(area.name) bounds its part of a snapshot")
        }
        for method in methods.values {
            for event in method.events where events[event] == nil {
                preconditionFailure("\(method.name) names the event \(event), which no area declares")
            }
        }
        for rule in areas.flatMap(\.inbox) {
            precondition(events[rule.event] != nil, "an inbox tells of \(rule.event), which no area declares")
            precondition(inboxKinds[rule.kind.name] != nil, "no area declares the lines \(rule.kind.name)")
        }
        for type in told.keys where events[type] == nil {
            preconditionFailure("an area hears \(type), which no area declares")
        }
    }

    /// Questions to areas. At most one area answers each, except where there is a list. A class, because of a struct all
    /// two dozen of them were copied for each that is asked.
    public final class Hooks: Sendable {
        /// The area that judges credentials.
        public let credentials: Area.Credentials
        /// The member who answers for another member's settings.
        public let guardian: (@Sendable (Act, Identifier) throws(Rejection) -> Identifier?)?
        /// The functions that areas run when a member begins to follow.
        public let followed: [@Sendable (Act, View) throws(Rejection) -> Void]
        /// Takes back what was told in inboxes.
        public let inbox: InboxHook?
        /// A member's settings, among them language and zone.
        public let settings: (@Sendable (Act, Identifier) throws(Rejection) -> Settings)?
        /// Gives a member a portrait.
        public let portrait: Area.PortraitHook?
        /// Ends areas' own secrets that were seen in plain text.
        public let exposed: [@Sendable (Act, String) throws(Rejection) -> Bool]
        /// The member whose secret this is, where it permits one act.
        public let answer: [@Sendable (Act, _ secret: String, Method) throws(Rejection) -> Area.Answerer?]
        /// Rings once more.
        public let ring: (@Sendable (Act, _ about: String, _ member: Identifier) throws(Rejection) -> Void)?
        /// Silences a member's devices about a thing that no longer asks anything of the member.
        public let hush: (@Sendable (Act, _ about: String, _ member: Identifier) throws(Rejection) -> Void)?
        /// Whether a device that rings is a member's.
        public let hasDevice: (@Sendable (Act, _ member: Identifier, _ device: Identifier) throws(Rejection) -> Bool)?
        /// Called when a device of a member received what rang about a thing.
        public let took: [@Sendable (Act, _ about: String, _ member: Identifier) throws(Rejection) -> Void]
        /// A member's last position, as only the member knows it.
        public let position: (@Sendable (Act, Identifier) throws(Rejection) -> Position?)?
        /// Areas that are told members' new positions, as only the members know them.
        public let moved: [@Sendable (Act, Position) throws(Rejection) -> Void]
        /// The parts in a thing of all who are invited to it or answered uninvited.
        public let parts: (@Sendable (Act, Identifier) throws(Rejection) -> [Identifier: OwnPart]?)?
        /// Says for the caller what they say to a part of something that they are asked to.
        public let say: Area.SayHook?
        /// A member's plans between two moments, as far as the caller may know.
        public let plans: (@Sendable (Act, _ member: Identifier, Instant, Instant) throws(Rejection) -> [Plan]?)?
        /// Birthdays that a member may know, of each area that knows some.
        public let birthdays: [@Sendable (Act, _ member: Identifier) throws(Rejection) -> [KnownBirthday]]
        /// Those of some places of the map that a member sees.
        public let places: Area.PlacesHook?
        /// The e-mail addresses of members that a member may know.
        public let mailboxes: (@Sendable (Act, _ viewer: Identifier) throws(Rejection) -> [Identifier: [String]])?
        /// Pictures hang in things that are shared.
        public let hanging: Area.HangingHook?
        /// Areas that are told that a picture is gone from where it hung.
        public let unhung: [@Sendable (Act, _ picture: Identifier, Area.HangingPlace) throws(Rejection) -> Void]
        /// Puts things on a list.
        public let listing: Area.ListHook?
        /// A secret for founding the family through a link.
        package let setUpLink: (@Sendable (Act) throws(Rejection) -> String)?

        fileprivate init(_ areas: [Area]) {
            func only<Hook>(_ hooks: [Hook], _ name: String) -> Hook? {
                precondition(hooks.count <= 1, "several areas answer for \(name)")
                return hooks.first
            }
            let hooks = areas.map(\.hooks)
            // Where no area knows members, nobody is signed in.
            credentials =
                only(hooks.compactMap(\.credentials), "credentials")
                ?? Area.Credentials(
                    resolve: { (credential, _, _) throws(Rejection) in
                        if case .machine = credential { .machine } else { .nobody }
                    }, isOutlived: { (_, _, _) throws(Rejection) in false })
            guardian = only(hooks.compactMap(\.guardian), "guardians")
            followed = hooks.compactMap(\.followed)
            inbox = only(hooks.compactMap(\.inbox), "inboxes")
            settings = only(hooks.compactMap(\.settings), "settings")
            portrait = only(hooks.compactMap(\.portrait), "portraits")
            exposed = hooks.compactMap(\.exposed)
            answer = hooks.compactMap(\.answer)
            ring = only(hooks.compactMap(\.ring), "what rings")
            hush = only(hooks.compactMap(\.hush), "what falls silent")
            hasDevice = only(hooks.compactMap(\.hasDevice), "devices that ring")
            took = hooks.compactMap(\.took)
            position = only(hooks.compactMap(\.position), "positions")
            moved = hooks.compactMap(\.moved)
            parts = only(hooks.compactMap(\.parts), "what people say to what they are asked to")
            say = only(hooks.compactMap(\.say), "what somebody says to what they are asked to")
            plans = only(hooks.compactMap(\.plans), "what members have on")
            birthdays = hooks.compactMap(\.birthdays)
            places = only(hooks.compactMap(\.places), "places of the map")
            mailboxes = only(hooks.compactMap(\.mailboxes), "members' e-mail addresses")
            hanging = only(hooks.compactMap(\.hanging), "pictures that hang somewhere")
            unhung = hooks.compactMap(\.unhung)
            listing = only(hooks.compactMap(\.listing), "lists that others fill")
            setUpLink = only(hooks.compactMap(\.setUpLink), "set-up links")
        }
    }
}

/// The traits of a type of event that count when one is sent: its views, and whether it hides something. They are
/// declared with the type, and never guessed from the type's name.
public struct EventTraits: Sendable {
    /// The traits of one type.
    public struct Traits: Sendable {
        /// The views it belongs to.
        public let place: View.Place
        /// Whether a snapshot that was taken before it must no longer be sent.
        public let isHiding: Bool
    }

    private let byType: [String: Traits]

    package init(_ areas: [Area]) {
        var byType: [String: Traits] = [Registry.resetType: Traits(place: .everyView, isHiding: true)]
        for area in areas {
            for type in area.events {
                let place = type.isInEveryView ? .everyView : area.view.map { View.Place.view($0) } ?? .everyView
                byType[type.name] = Traits(place: place, isHiding: type.sight == .takes || type.sight == .ends)
            }
        }
        self.byType = byType
    }

    /// The traits of a type. A type of another version counts as one that may hide something.
    public subscript(type: String) -> Traits {
        byType[type] ?? Traits(place: .wholeViewOnly, isHiding: true)
    }
}
