import KinKeeper
import KinMap
import KinModel
import KinStore

/// How a family stands after a step, read from its database: who is who, who sees whom, which places there are.
struct SharingFacts {
    /// A member.
    struct Person: Hashable {
        let id: Identifier
        let number: Int32
        let names: [String]
        let role: Role
        let kind: MemberKind
        let household: Identifier
        /// Who made the invite, or added the member.
        let bringer: Identifier?
        var isGrown: Bool { kind == .adult && role != .guest }
    }

    /// A place as it stands, without its name.
    struct Circle: Hashable {
        let lat: Double
        let lon: Double
        let radius: Double?
        let homeOf: Identifier?

        /// Whether who agreed to `other` agreed to this: one that is nobody's home any more says less than it did.
        func isAgreed(by other: Circle) -> Bool {
            self == other || homeOf == nil && (lat, lon, radius) == (other.lat, other.lon, other.radius)
        }
    }

    /// A place with its name and who sees it.
    struct Place {
        let id: Identifier
        let name: String
        let circle: Circle
        let seers: Set<Identifier>
    }

    /// Everybody, in the order they came.
    private(set) var people: [Person] = []
    private(set) var households: [Identifier] = []
    private(set) var parents: [Identifier: Set<Identifier>] = [:]
    private(set) var holders: [Identifier: Identifier] = [:]
    private(set) var sharing: Set<Identifier> = []
    private(set) var places: [Place] = []
    /// By who is seen, then by who sees.
    private(set) var sight: [Identifier: [Identifier: Seeing]] = [:]

    /// A family that is not there yet.
    init() {}

    init(_ database: Database) throws(StoreFailure) {
        people = try database.rows(
            "SELECT id, number, username, display_name, role, kind, household, brought_by FROM members ORDER BY number"
        ) { (row) throws(StoreFailure) in
            Person(
                id: row.identifier("id"), number: Int32(row.int("number")),
                names: [row.text("username"), row.text("display_name")],
                role: Role(rawValue: row.text("role")) ?? .guest,
                kind: MemberKind(rawValue: row.text("kind")) ?? .child,
                household: row.identifier("household"), bringer: row.optionalIdentifier("brought_by"))
        }
        households = try database.rows("SELECT id FROM households ORDER BY id") { row in row.identifier(0) }
        _ = try database.rows("SELECT child, parent FROM parents") { row in
            parents[row.identifier("child"), default: []].insert(row.identifier("parent"))
        }
        _ = try database.rows("SELECT member, holder, is_on FROM sharing") { row in
            holders[row.identifier("member")] = row.optionalIdentifier("holder")
            if row.bool("is_on") { sharing.insert(row.identifier("member")) }
        }
        var seers: [Int64: Set<Identifier>] = [:]
        _ = try database.rows("SELECT place, member FROM place_sight") { row in
            seers[row.int("place"), default: []].insert(row.identifier("member"))
        }
        places = try database.rows("SELECT number, id, name, lat, lon, radius, home_of FROM places ORDER BY number") {
            (row) throws(StoreFailure) in
            Place(
                id: row.identifier("id"), name: row.text("name"),
                circle: Circle(
                    lat: row.double("lat"), lon: row.double("lon"), radius: row.optionalDouble("radius"),
                    homeOf: row.optionalIdentifier("home_of")), seers: seers[row.int("number")] ?? [])
        }
        let ids = Dictionary(uniqueKeysWithValues: people.map { ($0.number, $0.id) })
        for (watched, viewers) in try Seeing.all(by: people.map(\.number), database) {
            for (number, seeing) in viewers { if let id = ids[number] { sight[watched, default: [:]][id] = seeing } }
        }
    }

    subscript(id: Identifier) -> Person? { people.first { $0.id == id } }

    /// How much somebody sees of somebody.
    func seeing(_ viewer: Identifier, of watched: Identifier) -> Seeing { sight[watched]?[viewer] ?? .nothing }

    /// Whether two live together.
    func areTogether(_ one: Identifier, _ other: Identifier) -> Bool {
        guard let one = self[one], let other = self[other] else { return false }
        return one.household == other.household
    }

    /// Who admits to a household, but for the one who moves.
    func admitters(of household: Identifier, but mover: Identifier) -> Set<Identifier> {
        let grown = people.filter { $0.isGrown && $0.id != mover }
        let heads = grown.filter { $0.household == household && ($0.role == .head || $0.role == .admin) }
        if !heads.isEmpty { return Set(heads.map(\.id)) }
        let admins = grown.filter { $0.role == .admin }
        if !admins.isEmpty { return Set(admins.map(\.id)) }
        return Set(grown.filter { $0.household == household }.map(\.id))
    }

    /// A member's parents, as far as they are grown.
    func grownParents(of child: Identifier) -> Set<Identifier> {
        (parents[child] ?? []).filter { self[$0]?.isGrown == true }
    }

    /// Who speaks for a child that has no parent: who brought it in, or else the heads of its household.
    func standIns(for child: Identifier) -> Set<Identifier> {
        guard let child = self[child] else { return [] }
        if let bringer = child.bringer, self[bringer]?.isGrown == true { return [bringer] }
        return admitters(of: child.household, but: child.id)
    }

    /// Whether somebody may take what nobody holds: a grown-up of the child's household who is a parent or brought it in.
    func mayTake(_ adult: Identifier, _ child: Identifier) -> Bool {
        guard mayHold(adult, child) else { return false }
        return parents[child]?.contains(adult) == true || self[child]?.bringer == adult
    }

    /// Whether somebody may go on holding, or be handed what another holds.
    func mayHold(_ adult: Identifier, _ child: Identifier) -> Bool {
        self[adult]?.isGrown == true && self[child]?.kind == .child && areTogether(adult, child)
    }
}
