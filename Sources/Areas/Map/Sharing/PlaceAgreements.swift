import KinKeeper
import KinModel
import KinStore

/// The places at which a member agreed to be seen by viewers without coordinates, each with its circle of then.
///
/// A place tells a position as precisely as its circle is drawn, and others draw it. So for viewers of place names, or
/// of whether somebody is at home, a place counts only if the watched member sees it and knew it when the rule was made
/// or confirmed. A place that was made, moved, resized, shown or made a home since then waits. The member agrees
/// (`place.admit`), or the adult who holds a child's settings and sees the place too. A refusal stays, however the
/// place is moved.
enum PlaceAgreements {
    /// The numbers are the database's.
    enum State: Int64 {
        /// It waits, and who decides was asked.
        case asked = 0
        case agreed = 1
        case refused = 2
    }

    /// Due work after an update: places at which members were seen continue to count for a while.
    static let upgradeDue = "places.upgrade"
    /// Due work at the end of that.
    static let lapseDue = "places.lapse"

    /// Whether a place `p` counts for a member `?1` at a time `?2`, in SQL.
    static let counts = """
        EXISTS (SELECT 1 FROM place_agreements a JOIN sharing h ON h.track = a.track
        WHERE h.member = ?1 AND a.place = p.number AND a.state = 1 AND (a.until IS NULL OR a.until > ?2)
        AND a.lat = p.lat AND a.lon = p.lon AND a.radius IS p.radius
        AND (p.home_of IS NULL OR a.home_of IS p.home_of))
        AND EXISTS (SELECT 1 FROM place_sight g WHERE g.member = ?1 AND g.place = p.number)
        """

    /// What the log's rows and an inbox's lines about one question are about.
    static func about(_ member: Identifier, _ place: Identifier) -> String { about(member) + "/\(place)" }
    /// The beginning of all of them about one member.
    static func about(_ member: Identifier) -> String { "agreement/\(member)" }
    /// The log's key of the question.
    private static func key(_ member: Identifier, _ place: Identifier) -> String { about(member, place) + "/asked" }

    /// The same as long as the rule is kept.
    static func counts(_ act: Act) -> String { act.keeps(.placesCountAsAgreed) ? counts : "(?2 IS NOT NULL)" }

    static func counts(_ place: Int64, for member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        try act.first(
            "SELECT 1 FROM places p WHERE p.number = ?3 AND \(counts)", .id(member), .time(act.now), .int(place)
        ) { row in row.bool(0) } ?? false
    }

    // MARK: What there is

    /// A place with a circle that both the watched member and the decider see, and the state of its agreement.
    private struct Standing {
        let number: Int64
        let id: Identifier
        let name: String
        let homeOf: Identifier?
        let state: State?
        /// It counts: it was agreed to as it is.
        let isAgreed: Bool
    }

    /// The member who decides: the watched one, or the holder of the settings.
    private static func decider(_ sharing: MemberSharing) -> Identifier { sharing.holder ?? sharing.member }

    private static func standings(
        _ sharing: MemberSharing, at place: Identifier? = nil, _ act: Act
    ) throws(Rejection) -> [Standing] {
        try act.rows(
            """
            SELECT p.number, p.id, p.name, p.home_of, a.state, \(counts) AS is_agreed
            FROM places p LEFT JOIN place_agreements a ON a.place = p.number AND a.track = ?3
            WHERE p.kind = 'place' AND p.radius IS NOT NULL AND p.id = coalesce(?5, p.id)
            AND EXISTS (SELECT 1 FROM place_sight s WHERE s.member = ?1 AND s.place = p.number)
            AND EXISTS (SELECT 1 FROM place_sight s WHERE s.member = ?4 AND s.place = p.number) ORDER BY p.id
            """, .id(sharing.member), .time(act.now), .int(sharing.track), .id(decider(sharing)), Value(place)
        ) { row in
            Standing(
                number: row.int("number"), id: row.identifier("id"), name: row.text("name"),
                homeOf: row.optionalIdentifier("home_of"),
                state: row.optionalInt("state").flatMap { State(rawValue: $0) }, isAgreed: row.bool("is_agreed"))
        }
    }

    /// Places that wait for an answer, and would count for somebody if they were agreed to.
    private static func waiting(
        _ sharing: MemberSharing, at place: Identifier? = nil, _ act: Act
    ) throws(Rejection) -> [Standing] {
        guard sharing.isOn, Stopover.isWanted(sharing.viewers) else { return [] }
        let household = try act.roster[sharing.member]?.household
        var waiting: [Standing] = []
        for standing in try standings(sharing, at: place, act) where !standing.isAgreed && standing.state != .refused {
            let isHome = standing.homeOf == household && !sharing.viewers[.home].isEmpty
            let seers = try Places.shared.seers(of: standing.number, act)
            if isHome || !sharing.viewers[.place].intersection(seers).isEmpty { waiting.append(standing) }
        }
        return waiting
    }

    /// A place that waits for an answer, as the wire has it.
    struct Waiting: WireRecord {
        let place: Identifier
        let name: String

        static let fields = Fields(
            nil, Waiting.init(place:name:), .required("place", \.place, .id), .required("name", \.name, .name))
    }

    /// What waits, as the wire has it.
    static func waiting(for sharing: MemberSharing, _ act: Act) throws(Rejection) -> [Waiting] {
        try waiting(sharing, act).map { Waiting(place: $0.id, name: $0.name) }
    }

    // MARK: Agreeing

    /// The rules were made or confirmed: every visible place counts as it is now, except refused ones.
    static func confirmAll(of sharing: MemberSharing, until: Instant? = nil, _ act: Act) throws(Rejection) {
        for standing in try standings(sharing, act) where standing.state != .refused {
            try agree(sharing, standing.number, until: until, act)
            if standing.state == .asked { try answered(sharing, standing.id, act) }
        }
        guard until == nil else { return }
        try act.withdraw(key: about(sharing.member) + "/asked")
        try forgetLines(about(sharing.member), act)
    }

    private static func agree(
        _ sharing: MemberSharing, _ place: Int64, until: Instant? = nil, _ act: Act
    ) throws(Rejection) {
        try act.run(
            """
            INSERT OR REPLACE INTO place_agreements (track, place, state, lat, lon, radius, home_of, until)
            SELECT ?1, number, 1, lat, lon, radius, home_of, ?3 FROM places WHERE number = ?2
            """, .int(sharing.track), .int(place), Value(until))
    }

    private static func set(_ state: State, _ sharing: MemberSharing, _ place: Int64, _ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO place_agreements (track, place, state) VALUES (?, ?, ?)", .int(sharing.track),
            .int(place), .int(state.rawValue))
    }

    /// Somebody made or moved a place: for the one who did it, and for children whose settings that one holds, it counts
    /// as it is now.
    @Sendable static func made(_ place: StoredPlace, _ act: Act) throws(Rejection) {
        guard let caller = act.caller.memberID else { return }
        for sharing in try MemberSharing.all(act) where sharing.member == caller || sharing.holder == caller {
            let standing = try standings(sharing, at: place.id, act).first
            guard let standing, standing.state != .refused else { continue }
            try agree(sharing, standing.number, act)
        }
    }

    /// The watched person answers, or the holder of the settings.
    static func answer(
        _ sharing: MemberSharing, _ place: Identifier, admits: Bool, _ act: Act
    ) throws(Rejection) {
        guard let standing = try standings(sharing, at: place, act).first else {
            throw Rejection.notFound("place", place.description, field: "place")
        }
        if admits {
            try agree(sharing, standing.number, act)
        } else {
            try set(.refused, sharing, standing.number, act)
            try Traces.takeBack(of: sharing.member, at: place, from: sharing.viewers[.place], act)
        }
        try answered(sharing, place, act)
        try Stopover.stayChanged(sharing.member, act)
    }

    /// There is no question any more.
    private static func answered(_ sharing: MemberSharing, _ place: Identifier, _ act: Act) throws(Rejection) {
        try act.withdraw(key: key(sharing.member, place))
        try forgetLines(about(sharing.member, place), act)
    }

    private static func forgetLines(_ about: String, _ act: Act) throws(Rejection) {
        try act.hooks.inbox?.remove(act, [about], nil)
    }

    // MARK: Asking

    /// Takes back questions that no longer matter, because nobody would be shown the member by them. They are asked
    /// again when somebody would.
    static func settleQuestions(_ sharing: MemberSharing, _ act: Act) throws(Rejection) {
        let asked = try asked(sharing, act)
        guard !asked.isEmpty else { return }
        let waiting = try waiting(sharing, act).map(\.id)
        for place in asked where !waiting.contains(place) { try forgetQuestion(sharing, place, act) }
    }

    /// From here on another adult decides for a child, and is asked what the previous one was asked.
    static func deciderChanged(_ sharing: MemberSharing, _ act: Act) throws(Rejection) {
        for place in try asked(sharing, act) { try forgetQuestion(sharing, place, act) }
        try viewersChanged(sharing, act)
    }

    private static func asked(_ sharing: MemberSharing, _ act: Act) throws(Rejection) -> [Identifier] {
        try act.rows(
            "SELECT p.id FROM place_agreements a JOIN places p ON p.number = a.place WHERE a.track = ? AND a.state = 0",
            .int(sharing.track)
        ) { row in row.identifier(0) }
    }

    private static func forgetQuestion(_ sharing: MemberSharing, _ place: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            """
            DELETE FROM place_agreements WHERE track = ? AND state = 0
            AND place = (SELECT number FROM places WHERE id = ?)
            """, .int(sharing.track), .id(place))
        try answered(sharing, place, act)
    }

    /// A place has changed, or others see it: members who may be seen there are asked.
    static func placeChanged(_ place: Identifier, _ act: Act) throws(Rejection) {
        for sharing in try MemberSharing.all(act) where sharing.isOn && Stopover.isWanted(sharing.viewers) {
            for standing in try waiting(sharing, at: place, act) { try ask(sharing, standing, act) }
        }
    }

    /// Other viewers see a member by places: the member is asked about places that would count for them and were not
    /// agreed to.
    static func viewersChanged(_ sharing: MemberSharing, _ act: Act) throws(Rejection) {
        for standing in try waiting(sharing, act) { try ask(sharing, standing, act) }
    }

    private static func ask(_ sharing: MemberSharing, _ standing: Standing, _ act: Act) throws(Rejection) {
        guard standing.state != .asked else { return }
        try set(.asked, sharing, standing.number, act)
        try act.emit(
            Places.askedEvent, .init(member: sharing.member, place: standing.id, name: standing.name),
            about: about(sharing.member, standing.id), to: try act.roster.only(decider(sharing)),
            key: key(sharing.member, standing.id), isHeard: true, title: standing.name)
    }

    /// Members no longer see a place: agreements and questions about it, for one of them or by one of them, end.
    static func sightLost(of place: StoredPlace, by lost: Audience, _ act: Act) throws(Rejection) {
        guard !lost.isEmpty else { return }
        let known = try act.rows(
            """
            SELECT h.member, h.holder FROM place_agreements a JOIN sharing h ON h.track = a.track
            WHERE a.place = ? AND a.state <> 2
            """, .int(place.number)
        ) { row in (member: row.identifier("member"), holder: row.optionalIdentifier("holder")) }
        let roster = try act.roster
        for (member, holder) in known {
            let isLost = [member, holder].contains { id in
                id.flatMap { roster[$0] }.map { lost.contains($0.number) } ?? false
            }
            guard isLost else { continue }
            let sharing = try MemberSharing.of(member, act)
            try act.run(
                "DELETE FROM place_agreements WHERE track = ? AND place = ?", .int(sharing.track), .int(place.number))
            try answered(sharing, place.id, act)
        }
    }

    /// The place is about to be gone.
    @Sendable static func removing(_ place: StoredPlace, _ act: Act) throws(Rejection) {
        let asked = try act.rows(
            "SELECT h.member FROM place_agreements a JOIN sharing h ON h.track = a.track WHERE a.place = ?",
            .int(place.number)
        ) { row in row.identifier(0) }
        for member in asked {
            try act.withdraw(key: key(member, place.id))
            try forgetLines(about(member, place.id), act)
        }
    }

    // MARK: After an update

    /// Places from before there were agreements count for a while as they stand. The member who decides is told so.
    static func upgrade(_ act: Act) throws(Rejection) {
        let until = act.now.adding(days: Limits.placesUnconfirmedDays)
        for sharing in try MemberSharing.all(act) {
            let isSeen = try !waiting(sharing, act).isEmpty
            try confirmAll(of: sharing, until: until, act)
            guard isSeen else { continue }
            try act.emit(
                Places.askedEvent, .init(member: sharing.member, until: until), about: about(sharing.member),
                to: try act.roster.only(decider(sharing)), key: about(sharing.member) + "/asked")
        }
        try act.plan(lapseDue, about: "places", at: until)
    }

    /// Works out anew who sees whom, now that questions which nobody confirmed no longer count.
    static func lapse(_ act: Act) throws(Rejection) {
        for sharing in try MemberSharing.all(act) where sharing.isOn {
            try Stopover.stayChanged(sharing.member, act)
            try viewersChanged(sharing, act)
        }
    }
}

extension Places {
    static let admit = Method.command(
        "place.admit",
        "Says whether the caller is seen at a place by those who see the names of places, or whether somebody is at home.",
        access: .signedIn,
        note: """
            About oneself, or a child whose settings the caller holds. For who sees no coordinates a place counts as it \
            stood when the rules were made or confirmed (sharing.set); one that was made, moved, resized or shown since \
            waits for this. What was refused stays refused until it is admitted.
            """,
        [
            .required("place", .id), .required("admit", .bool),
            .optional("member", .id, "A child whose settings the caller holds; the caller if left out."),
        ],
        result: .object([.required("sharing", OwnSharing.shape)]),
        route: Route("PUT", "/api/places/{place}/agreement"), events: [Position.seen],
        again: { (act, ids) throws(Rejection) in
            try Map.shownSharing(of: try MemberSharing.settings(of: ids.first, toChange: false, act), act)
        },
        apply: { (act, params) throws(Rejection) in
            let member = try MemberSharing.settings(of: params.optionalID("member"), toChange: true, act)
            let place = try StoredPlace.visible(act, try params.id("place"))
            let sharing = try MemberSharing.of(member, act)
            let admits = params["admit"]?.bool ?? false
            try PlaceAgreements.answer(sharing, place.id, admits: admits, act)
            return .done(try Map.shownSharing(of: member, act), ids: [member])
        })
}
