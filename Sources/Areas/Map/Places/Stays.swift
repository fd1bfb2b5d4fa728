import KinGeo
import KinKeeper
import KinModel
import KinStore

/// The members who are at each place: the rows of `stays`, moved by points as they come in.
enum Stays {
    /// The `about` of the log's rows about one member at one place.
    static func about(_ member: Identifier, _ place: Identifier) -> String { "stay/\(member)/\(place)" }

    /// The beginning of all of them about one member.
    static func about(_ member: Identifier) -> String { "stay/\(member)/" }

    // MARK: Asking

    /// Whether a member was ever at a place, as far as is known.
    static func hasBeen(_ member: Identifier, at place: StoredPlace, _ act: Act) throws(Rejection) -> Bool {
        try act.first(
            "SELECT 1 FROM stays WHERE member = ? AND place = ? AND since IS NOT NULL", .id(member), .int(place.number)
        ) { row in row.bool(0) } ?? false
    }

    /// Everybody who ever was at a place, as far as is known.
    static func visitors(of place: StoredPlace, _ act: Act) throws(Rejection) -> [Identifier] {
        try act.rows("SELECT member FROM stays WHERE place = ? AND since IS NOT NULL", .int(place.number)) { row in
            row.identifier(0)
        }
    }

    // MARK: Points

    /// Takes a member's good points, in the order of their times, all newer than those before. `wasSeen`: there was a
    /// point before, so that a place without a row is one the member is not at. Answers what was decided and is to be told.
    static func take(
        _ points: ArraySlice<Point>, of member: Identifier, wasSeen: Bool, _ act: Act
    ) throws(Rejection) -> [Decided] {
        guard let box = Bounds(points.lazy.map(\.coordinate)) else { return [] }
        var around = try near(member, box, act)
        guard !around.isEmpty else { return [] }
        if !wasSeen {
            for index in around.indices where !around[index].isKnown { around[index].stay.phase = .unknown }
        }
        var decided: [Decided] = []
        for point in points {
            for index in around.indices {
                let place = around[index]
                let decision = around[index].stay.take(
                    distance: place.circle.distance(to: point.coordinate), accuracy: point.accuracy,
                    at: point.at, place.circle)
                guard let decision else { continue }
                around[index].isChanged = true
                // A decision about the distant past is written down, and nobody is told.
                guard point.at >= act.now.adding(seconds: -Limits.placeTellSeconds) else { continue }
                decided.append(Decided(decision: decision, number: place.number, id: place.id, name: place.name))
            }
        }
        for place in around { try place.save(member, act) }
        return decided
    }

    /// A decision: a member arrived at a place, was found there or left it.
    struct Decided {
        let decision: Stay.Decision
        /// The place's.
        let number: Int64
        let id: Identifier
        let name: String
    }

    /// A place, and one member's stay there.
    private struct Near {
        let number: Int64
        let id: Identifier
        let name: String
        let circle: Circle
        /// Whether there is a row of it.
        let isKnown: Bool
        let before: Stay
        var stay: Stay
        var isChanged = false

        func save(_ member: Identifier, _ act: Act) throws(Rejection) {
            guard stay != before || !isKnown else { return }
            guard !stay.isBlank else {
                if isKnown {
                    try act.run("DELETE FROM stays WHERE member = ? AND place = ?", .id(member), .int(number))
                }
                return
            }
            try act.run(
                """
                INSERT OR REPLACE INTO stays (member, place, phase, since, score, start, last) VALUES (?,?,?,?,?,?,?)
                """, .id(member), .int(number), .int(stay.phase.rawValue), Value(stay.since), .double(stay.score),
                Value(stay.start), Value(stay.last))
        }
    }

    /// The places that points in a box can say something about: those nearby, and those of which something is known.
    private static func near(_ member: Identifier, _ box: Bounds, _ act: Act) throws(Rejection) -> [Near] {
        try act.rows(
            """
            SELECT p.number, p.id, p.name, p.lat, p.lon, p.radius, s.phase, s.since, s.score, s.start, s.last
            FROM places p LEFT JOIN stays s ON s.place = p.number AND s.member = ?1
            WHERE p.number IN (
                SELECT entry / 2 FROM place_index WHERE south <= ?2 AND north >= ?3 AND west <= ?4 AND east >= ?5
                UNION ALL SELECT place FROM stays WHERE member = ?1 AND NOT (phase = 0 AND score = 0)
            ) AND p.kind = 'place' AND p.radius IS NOT NULL ORDER BY p.number
            """, .id(member), .double(box.north), .double(box.south), .double(box.east), .double(box.west)
        ) { row in
            let circle = Circle(
                centre: Coordinate(lat: row.double("lat"), lon: row.double("lon")), radius: row.double("radius"))
            let isKnown = !row.isNull("phase")
            let stay = isKnown ? Stay(row) : Stay(phase: .outside)
            return Near(
                number: row.int("number"), id: row.identifier("id"), name: row.text("name"), circle: circle,
                isKnown: isKnown,
                before: stay, stay: stay)
        }
    }

    // MARK: Evidence

    /// Takes a phone's report about a region that it watches: for the place that the region was made from (its
    /// identifier is the region's own, or `region`), or else for a place with the same name that the member sees. The
    /// report alone decides nothing. It does not count where the phone knows its position only roughly, or is somewhere
    /// that does not fit.
    static func evidence(
        _ crossed: Crossing, region: Identifier?, of member: Identifier, _ act: Act
    ) throws(Rejection) {
        guard Point.isPossible(crossed.at, now: act.now) else { return }
        let places = try act.ask { (database) throws(StoreFailure) in try StoredPlace.seen(by: member, database) }
        let ids = [crossed.region.flatMap { Identifier($0) }, region].compactMap { $0 }
        let byRegion = ids.lazy.compactMap { id in places.first { $0.id == id } }.first
        let named = places.filter { $0.circle != nil && $0.name == crossed.name }
        // Several places of one name say nothing.
        guard let place = byRegion ?? (named.count == 1 ? named.first : nil), let circle = place.circle,
            crossed.fits(circle)
        else { return }
        var near = try one(place, circle, member, act)
        near.stay.hear(isEntering: crossed.isEntering, at: crossed.at)
        try near.save(member, act)
    }

    private static func one(
        _ place: StoredPlace, _ circle: Circle, _ member: Identifier, _ act: Act
    ) throws(Rejection) -> Near {
        let known = try act.first(
            "SELECT phase, since, score, start, last FROM stays WHERE member = ? AND place = ?", .id(member),
            .int(place.number)
        ) { row in Stay(row) }
        // A member whose position is unknown is not known to be outside.
        let isNowhere = try LatestPositions(member, act).own == nil
        let stay = known ?? Stay(phase: isNowhere ? .unknown : .outside)
        return Near(
            number: place.number, id: place.id, name: place.name, circle: circle, isKnown: known != nil,
            before: stay, stay: stay)
    }

    // MARK: When a place changes

    /// A place has a new circle: a member who is there already does not arrive. Known stays continue. A member whose
    /// last point may be inside is not known to be outside.
    static func circleChanged(_ place: StoredPlace, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE stays SET score = 0, start = NULL WHERE place = ?", .int(place.number))
        guard let circle = place.circle else {
            try act.run("UPDATE stays SET phase = 0 WHERE place = ?", .int(place.number))
            return
        }
        let positions = try act.rows("SELECT member, lat, lon, accuracy FROM latest_positions WHERE shown = 0") { row in
            (
                member: row.identifier("member"), at: Coordinate(lat: row.double("lat"), lon: row.double("lon")),
                accuracy: row.optionalDouble("accuracy")
            )
        }
        for position in positions {
            let sigma = max(position.accuracy ?? Point.accuracyAssumed, Point.accuracyAssumed)
            guard circle.centre.roughDistance(to: position.at) <= circle.radius + circle.margin + 2 * sigma else {
                continue
            }
            try act.run(
                """
                INSERT INTO stays (member, place, phase, score) VALUES (?,?,?,0)
                ON CONFLICT DO UPDATE SET phase = excluded.phase WHERE phase = 0
                """, .id(position.member), .int(place.number), .int(Stay.Phase.unknown.rawValue))
        }
    }
}

extension Stay {
    /// From the columns phase, since, score, start, last.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            phase: row.code("phase"), since: row.optionalInstant("since"),
            score: row.double("score"), start: row.optionalInstant("start"),
            last: row.optionalInstant("last"))
    }
}

extension Stays {
    static let entered = EventType(
        "place.entered",
        "A member arrived at a place; who sees both, the member included. Once for an arrival.", Passage.self)
    static let left = EventType(
        "place.left", "A member left a place; who sees both, the member included.", Passage.self)

    /// A member's crossing of a place's border, with its time.
    struct Passage: WireRecord {
        let member: Identifier
        let place: Identifier
        let name: String
        let at: Instant

        static let fields = Fields(
            nil, Passage.init(member:place:name:at:),
            .required("member", \.member, .id),
            .required("place", \.place, .id),
            .required("name", \.name, .name, "The place's."),
            .required("at", \.at, .time, "When, by the phone's clock: of the first point that says so."))
    }
}
