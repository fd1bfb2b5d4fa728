package import KinKeeper
import KinModel
import KinStore

/// Pins on the family's map: a name, a circle, an owner and who sees it; and who is where, decided once for all clients.
/// The rules stand in the documentation's page Places.
package enum Places {
    package static let area = Area(
        "Places", view: "map", isForOwnWord: true,
        tables: [
            Table("places"), Table("place_members"), Table("place_sight"), Table("place_index"), Table("place_rules"),
            Table("stays", datedByPhones: ["since", "start", "last"]), Table("place_agreements"),
        ],
        migrations: migrations,
        methods: [add, update, remove, list, near, notify, unnotify, rules].map { $0.forOwnWord() }
            + [admit.forOwnWord { $0["admit"]?.bool == true }],
        events: events,
        due: [
            PlaceAgreements.upgradeDue: { (act, _) throws(Rejection) in try PlaceAgreements.upgrade(act) },
            PlaceAgreements.lapseDue: { (act, _) throws(Rejection) in try PlaceAgreements.lapse(act) },
        ],
        told: ["household.removed": closeHousehold],
        inbox: inboxRules, inboxKinds: inboxKinds, quotas: [.places],
        sums: [
            FamilySum("places") { (act) throws(Rejection) in
                try act.first("SELECT count(*) FROM places") { row in row.int(0) } ?? 0
            }
        ],
        life: Area.Life(
            handOver: { (act, from, to) throws(Rejection) in try handOver(act, from, to) },
            deleteOwned: { (act, member) throws(Rejection) in try deleteOwned(act, member) }),
        snapshot: [
            .required("places", .list(place, max: shownMax), "Those in sight, without their notes.")
        ],
        snapshotBytesMax: Limits.placesSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let seen = try Pin.seen(by: viewer.id, database).map(\.place.brief)
            let sorted = seen.filter { $0.owner == viewer.id } + seen.filter { $0.owner != viewer.id }
            let shown = snapshot.fitting(
                sorted, in: "places", bytesMax: Limits.placesSnapshotBytesMax - PlaceRoom.frameBytes,
                largest: PlaceRoom.largest, PlaceRoom.bytes)
            for place in shown { snapshot.places[place.id] = place }
        })

    /// A bound on the places in one snapshot: the smallest takes more than 150 bytes.
    static let shownMax = Limits.placesSnapshotBytesMax / 150
    /// A bound on the places there can be.
    static let countMax = Limits.membersMax * (Limits.keptPlacesBytesMax + Limits.sharedPlacesBytesMax) / 150

    /// What the log's rows about a place are about.
    static func about(_ place: Identifier) -> String { "place/\(place)" }

    static let events = [
        EventType("place.added", "A place was put on the map; who sees it.", data: whole),
        EventType("place.updated", "A place changed; who sees it.", data: whole),
        EventType("place.shown", "The whole place, to each who sees it from now on.", data: whole, sight: .gives),
        EventType(
            "place.hidden", "To each who sees the place no longer.", data: named, sight: .takes, abouts: abouts),
        EventType("place.removed", "A place is gone; who saw it.", data: named, sight: .ends, abouts: abouts),
        EventType(
            "place.entered",
            "A member arrived at a place; who sees both, the member included. Once for an arrival.", data: moment),
        EventType("place.left", "A member left a place; who sees both, the member included.", data: moment),
        askedEvent,
    ]

    private static let whole = Shape.object([.required("place", place)])
    private static let named = Shape.object([.required("place", .id)])
    private static let moment = Shape.object([
        .required("member", .id), .required("place", .id), .required("name", name, "The place's."),
        .required("at", .time, "When, by the phone's clock: of the first point that says so."),
    ])

    // MARK: When the family changes

    /// Somebody came, moved, or has another role: places come into sight or leave it. ``Map`` calls it when it hears so.
    static func sightChanged(of member: Identifier, _ act: Act) throws(Rejection) {
        guard let entry = try act.roster[member] else { return }
        for pin in try Pin.all(act) { try pin.settleSight(of: [entry], act) }
    }

    /// Nobody lives there any more: what was for the household is its owner's alone.
    @Sendable private static func closeHousehold(_ act: Act, _ told: Told) throws(Rejection) {
        guard let household = told.data["household"]?.identifier else { return }
        for var pin in try Pin.all(act) where pin.household == household {
            pin.household = nil
            pin.place.homeOf = nil
            if pin.audience == .household { pin.audience = .members([]) }
            try pin.save(act)
            try pin.settleSight(isChanged: true, act)
        }
    }

    private static func handOver(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        let all = try Pin.all(act)
        var room = PlaceRoom(all)
        for var pin in all where pin.place.owner == from {
            pin.place.owner = to
            // What nobody else saw goes on only where there is room for it.
            if pin.isKept {
                room.add(pin)
                guard room.hasRoomForKept(of: to) else {
                    room.take(pin)
                    try pin.remove(act)
                    continue
                }
            }
            try pin.save(act)
            try pin.settleSight(isChanged: true, act)
        }
    }

    private static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let leaving = try act.roster.only(member)
        for var pin in try Pin.all(act) {
            if pin.place.owner == member {
                try pin.remove(except: leaving, act)
                continue
            }
            if try Stays.hasBeen(member, at: pin, act) { try act.erase(about: Stays.about(member, pin.place.id)) }
            guard case .members(var members) = pin.audience, members.contains(member) else { continue }
            members.removeAll { $0 == member }
            pin.audience = .members(members)
            try pin.save(act)
        }
        for table in ["stays", "place_sight"] { try act.run("DELETE FROM \(table) WHERE member = ?", .id(member)) }
        try act.run("DELETE FROM place_rules WHERE owner = ?1 OR who = ?1", .id(member))
    }
}

extension Quota {
    /// Bytes of places in a snapshot.
    static let places = Quota("places")
}
