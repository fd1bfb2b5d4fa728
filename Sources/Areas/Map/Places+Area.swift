package import KinKeeper
import KinModel
import KinStore

extension Places {
    package static let area = Area(
        "Places", view: "map", isForOwnWord: true, isForWalls: true,
        tables: [
            Table("places"), Table("place_members"), Table("place_sight"), Table("place_index"), Table("place_rules"),
            Table("stays", datedByPhones: ["since", "start", "last"]), Table("place_agreements", ahead: ["until"]),
        ],
        migrations: migrations,
        methods: [add, update, remove, list, show, near, towns, notify, unnotify, rules].map { $0.forOwnWord() }
            + [admit.forOwnWord { $0["admit"]?.bool == true }],
        events: events + [askedEvent],
        due: [
            PlaceAgreements.upgradeDue: { (act, _) throws(Rejection) in try PlaceAgreements.upgrade(act) },
            PlaceAgreements.lapseDue: { (act, _) throws(Rejection) in try PlaceAgreements.lapse(act) },
        ],
        told: [Household.removed.name: closeHousehold],
        inbox: inboxRules, inboxKinds: inboxKinds,
        sees: [
            "place": { (act, place, member) throws(Rejection) in
                try act.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM place_sight s WHERE s.place = p.number AND s.member = ?2)
                    FROM places p WHERE p.id = ?1
                    """, .id(place), .id(member.id)
                ) { row in row.bool(0) }
            }
        ], quotas: [.places],
        sums: [
            FamilySum("places") { (act) throws(Rejection) in
                try act.first("SELECT count(*) FROM places") { row in row.int(0) } ?? 0
            }
        ],
        hooks: Area.Hooks(
            places: { (database, viewer, places) throws(StoreFailure) in
                try StoredPlace.seen(by: viewer, among: places, database)
            }),
        life: Area.Life(
            inherit: { (act, from, to) throws(Rejection) in try inherit(act, from, to) },
            deleteOwned: { (act, member) throws(Rejection) in try deleteOwned(act, member) }),
        searched: [searched],
        snapshot: [
            .required("places", .list(Place.shape, max: shownMax), "Those in sight, without their notes.")
        ],
        snapshotBytesMax: Limits.placesSnapshotBytesMax,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            let seen = try StoredPlace.seen(by: viewer.id, database).map(\.wire.brief)
            let sorted = seen.filter { $0.owner == viewer.id } + seen.filter { $0.owner != viewer.id }
            let shown = snapshot.fitting(
                sorted, in: "places", bytesMax: Limits.placesSnapshotBytesMax - PlaceRoom.frameBytes,
                largest: PlaceRoom.largest, PlaceRoom.bytes)
            for place in shown { snapshot.places[place.id] = place }
        })
}

extension PlaceHooks {
    /// Asks members who are seen at a place about it.
    static let joined = PlaceHooks(
        made: PlaceAgreements.made,
        sightLost: { (place, lost, act) throws(Rejection) in try PlaceAgreements.sightLost(of: place, by: lost, act) },
        removing: PlaceAgreements.removing)
}
