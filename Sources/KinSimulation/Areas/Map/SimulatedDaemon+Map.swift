import KinModel
import KinStore

/// What the checker of sharing reads in the database: the rules as they were given, not what they came to.
extension SimulatedDaemon {
    /// Who may see how much of whom at most, as long as nobody changes a rule: a rule that ends leaves the next one.
    func rights() throws(StoreFailure) -> MapTruth.Rights {
        struct Somebody {
            let id: Identifier
            let role: String
            let household: Identifier
            let number: Int32
        }
        let people = try reader.rows("SELECT id, role, household, number FROM members") { row in
            Somebody(
                id: row.identifier("id"), role: row.text("role"), household: row.identifier("household"),
                number: Int32(exactly: row.int("number")) ?? 0)
        }
        // Whom of a group a rule is for.
        var agreed: [Int64: [Int64: Audience]] = [:]
        _ = try reader.rows("SELECT track, kind, agreed FROM sharing_groups") { row in
            agreed[row.int("track"), default: [:]][row.int("kind")] = Audience(bytes: row.blob("agreed"))
        }
        struct Rule {
            let kind: Int64
            let viewer: Identifier?
            let precision: Precision
            let ends: Bool
        }
        var rules: [Int64: [Rule]] = [:]
        _ = try reader.rows("SELECT track, kind, viewer, precision, until FROM sharing_rules") { row in
            let viewer = row.int("kind") == 2 ? row.identifier("viewer") : nil
            rules[row.int("track"), default: []].append(
                Rule(
                    kind: row.int("kind"), viewer: viewer,
                    precision: Precision(rawValue: row.text("precision")) ?? .exact,
                    ends: row.optionalInt("until") != nil))
        }
        var rights: MapTruth.Rights = Dictionary(uniqueKeysWithValues: people.map { ($0.id, [:]) })
        _ = try reader.rows("SELECT member, track, has_rules FROM sharing WHERE is_on = 1") { row in
            let watched = row.identifier("member")
            let own = people.first { $0.id == watched }
            let first = Rule(kind: 0, viewer: nil, precision: .exact, ends: false)
            let given = row.int("has_rules") == 0 ? [first] : rules[row.int("track")] ?? []
            for viewer in people where viewer.id != watched {
                var most = Precision.off
                var bound = Precision.exact
                // From one to many.
                for kind in [2, 1, 0] as [Int64] {
                    let rule = given.first { rule in
                        guard rule.kind == kind else { return false }
                        if kind == 2 { return rule.viewer == viewer.id }
                        return viewer.role != "guest" && (kind == 0 || viewer.household == own?.household)
                    }
                    guard let rule else { continue }
                    // Who waits in a smaller group is shown no more than it says, by the wider one.
                    let isAgreed = kind == 2 || agreed[row.int("track")]?[kind]?.contains(viewer.number) == true
                    if isAgreed { most = max(most, min(bound, rule.precision)) }
                    if !rule.ends, !isAgreed { bound = min(bound, rule.precision) }
                    if !rule.ends, isAgreed { break }
                }
                rights[watched, default: [:]][viewer.id] = most
            }
        }
        return rights
    }

    /// Alarms that lend where who raised them is, and to whom.
    func lendings() throws(StoreFailure) -> [(
        alarm: Identifier, raiser: Identifier, called: Set<Identifier>, degrees: [Double]
    )] {
        try reader.rows("SELECT id, raiser, lat, lon FROM alarms WHERE kind <> 'check'") { row in
            (
                row.identifier("id"), row.identifier("raiser"),
                [row.optionalDouble("lat"), row.optionalDouble("lon")].compactMap(\.self)
            )
        }.map { (alarm, raiser, degrees) throws(StoreFailure) in
            let called = try reader.rows("SELECT member FROM alarm_called WHERE alarm = ?", .id(alarm)) { row in
                row.identifier(0)
            }
            return (alarm, raiser, Set(called), degrees)
        }
    }

    /// Who sees each place.
    func placeSeers() throws(StoreFailure) -> [(place: Identifier, member: Identifier)] {
        try reader.rows("SELECT p.id, s.member FROM place_sight s JOIN places p ON p.number = s.place") { row in
            (row.identifier("id"), row.identifier("member"))
        }
    }

    /// The latest position of each member that others are shown.
    func shown() throws(StoreFailure) -> [(member: Identifier, degrees: [Double])] {
        try reader.rows("SELECT member, lat, lon FROM latest_positions WHERE shown = 1") { row in
            (row.identifier("member"), [row.double("lat"), row.double("lon")])
        }
    }

    /// Every point of the histories.
    func points() throws(StoreFailure) -> [(member: Identifier, degrees: [Double])] {
        try reader.rows("SELECT s.member, p.lat, p.lon FROM positions p JOIN sharing s ON s.track = p.track") { row in
            (row.identifier("member"), [row.double("lat"), row.double("lon")])
        }
    }
}
