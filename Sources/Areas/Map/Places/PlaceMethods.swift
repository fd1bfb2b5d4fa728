import KinKeeper
import KinModel
import KinStore

extension Places {
    private static let radiusSummary = "Metres; of the kind place."

    static let add = Method.command(
        "place.add", "Puts a place, a hotspot or a note on the family's map.", access: .family,
        note: "home: for the own household, which has one at most",
        [
            .optional("kind", kind, "place if left out: arriving and leaving are noticed."),
            .required("name", name), .optional("icon", icon),
            .required("lat", .number(Point.latBounds), "Degrees north (WGS 84)."),
            .required("lon", .number(Point.lonBounds), "Degrees east (WGS 84)."),
            .optional("radius", radius, radiusSummary + " \(Int64(Limits.placeRadius)) if left out."),
            .optional("note", note),
            .optional("audience", SharedWith.shape, SharedWith.summary + " everyone if left out."),
            .optional("home", .bool, "True: it is the home of the caller's household."),
        ],
        result: placeResult, route: Route("POST", "/api/places", status: 201), events: [Place.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let kind = params.optionalString("kind").flatMap(Place.Kind.init) ?? .place
            let made = Place(
                id: act.newIdentifier(), kind: kind, name: try params.string("name"), lat: 0, lon: 0,
                radius: kind == .place ? Limits.placeRadius : nil, owner: member.id)
            var place = StoredPlace(made, sharedWith: .everyone)
            try place.take(params, household: member.household, act)
            try growing(of: member.id, act) { () throws(Rejection) in try place.save(act) }
            try place.settleSight(isNew: true, act)
            try Stays.circleChanged(place, act)
            try PlaceHooks.joined.made(place, act)
            return .done(rendered(place, act), ids: [place.id])
        })

    static let update = Method.command(
        "place.update", "Changes a place; who gains or loses sight of it is told.", access: .family,
        note: "the owner, admins, of a home the heads of the household; home: only who lives there",
        [
            .required("place", .id), .optional("kind", kind), .optional("name", name),
            .optional("icon", .nullable(icon)),
            .optional("lat", .number(Point.latBounds), "Degrees north (WGS 84)."),
            .optional("lon", .number(Point.lonBounds), "Degrees east (WGS 84)."),
            .optional("radius", radius, radiusSummary),
            .optional("note", .nullable(note)),
            .optional("audience", SharedWith.shape, SharedWith.summary), .optional("home", .bool),
        ],
        result: placeResult, route: Route("PATCH", "/api/places/{place}"),
        events: [Place.updated, Place.shown, Place.hidden],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var place = try changeable(act, params)
            let before = place
            let owner = try act.roster[place.owner]?.household
            if let kind = params.optionalString("kind").flatMap(Place.Kind.init), kind != place.kind {
                place.kind = kind
                place.radius = kind == .place ? Limits.placeRadius : nil
            }
            try place.take(params, household: place.household ?? owner, act)
            // Swift treats two spellings of a name as equal; programs have the bytes in their copies.
            let isChanged = place.wire != before.wire || !place.wire.name.hasSameBytes(as: before.wire.name)
            guard isChanged || place.sharedWith != before.sharedWith else {
                return .done(rendered(place, act), ids: [place.id])
            }
            try growing(of: place.owner, act) { () throws(Rejection) in try place.save(act) }
            try place.settleSight(isChanged: isChanged, act)
            if place.circle != before.circle { try Stays.circleChanged(place, act) }
            if place.circle != before.circle || place.homeOf != before.homeOf {
                try PlaceHooks.joined.made(place, act)
            }
            return .done(rendered(place, act), ids: [place.id])
        })

    static let remove = Method.command(
        "place.remove", "Takes a place off the map, with all that is known of who was there.", access: .family,
        note: "the owner, admins, of a home the heads of the household", [.required("place", .id)], result: .nothing,
        route: Route("DELETE", "/api/places/{place}"), events: [Place.removed],
        apply: { (act, params) throws(Rejection) in
            let place = try changeable(act, params)
            try place.remove(act)
            return .done([:], ids: [place.id])
        }
    ).freeingRoom()

    static let list = Method.query(
        "place.list", "The places the caller sees, oldest first, with their notes.", access: .signedIn,
        note: "who sees them; a guest those that name the guest or the household",
        result: .object([.required("places", .list(OwnPlace.shape, max: countMax))]),
        route: Route("GET", "/api/places"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let places = try act.ask { (database) throws(StoreFailure) in try StoredPlace.seen(by: member, database) }
            return .done(["places": .array(places.map { json(of: $0, act) })])
        }
    ).listing()

    static let show = Method.query(
        "place.show", "One place, with its note.", access: .signedIn, note: "who sees it", [.required("place", .id)],
        result: placeResult, route: Route("GET", "/api/places/{place}"),
        apply: { (act, params) throws(Rejection) in
            .done(rendered(try StoredPlace.visible(act, try params.id("place")), act))
        })

    // MARK: What is answered

    private static func json(of place: StoredPlace, _ act: Act) -> JSON {
        let audience = place.mayBeChanged(act) ? place.sharedWith : nil
        return OwnPlace(place: place.wire, audience: audience?.json).json
    }

    private static func rendered(_ place: StoredPlace, _ act: Act) -> JSON { ["place": json(of: place, act)] }

    /// The answer to a repeat: what the caller sees now.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return rendered(try StoredPlace.visible(act, id), act)
    }

    private static func changeable(_ act: Act, _ params: Params) throws(Rejection) -> StoredPlace {
        let place = try StoredPlace.visible(act, try params.id("place"))
        try act.require(
            place.mayBeChanged(act), "Only its owner and admins change a place; of a home also its heads.",
            asking: [place.wire.owner] + (try act.admins))
        return place
    }

    /// Runs a change that may make snapshots larger; refused where the owner's places have no room. Others who may
    /// change a place, such as admins, are not refused: they need not see what else its owner has. They make it larger
    /// by a name at most.
    private static func growing(
        of owner: Identifier, _ act: Act, _ body: () throws(Rejection) -> Void
    ) throws(Rejection) {
        let before = PlaceRoom(try StoredPlace.all(act))
        try body()
        let after = PlaceRoom(try StoredPlace.all(act))
        if act.isOneself(owner) { try after.check(of: owner, since: before) }
        for (used, most) in [(\PlaceRoom.kept, PlaceRoom.keptMax), (\PlaceRoom.shared, PlaceRoom.sharedMax)] {
            try Quota.places.tell(
                owner, before: Int64(before[keyPath: used][owner] ?? 0), after: Int64(after[keyPath: used][owner] ?? 0),
                of: Int64(most), act)
        }
    }
}

extension StoredPlace {
    /// Takes what was given of a place's fields; `household` is the one it would be for.
    fileprivate mutating func take(_ params: Params, household: Identifier?, _ act: Act) throws(Rejection) {
        if let name = params.optionalString("name") { wire.name = name }
        if params["icon"] != nil { wire.icon = params.optionalString("icon") }
        if params["note"] != nil { wire.note = params.optionalString("note").flatMap { $0.isEmpty ? nil : $0 } }
        if let lat = params.optionalDouble("lat") { wire.lat = Self.rounded(lat) }
        if let lon = params.optionalDouble("lon") { wire.lon = Self.rounded(lon) }
        if let radius = params.optionalDouble("radius") {
            guard wire.kind == .place else {
                throw Rejection(.invalid, "Only the kind place has a radius.", field: "radius")
            }
            wire.radius = (radius * 10).rounded() / 10
        }
        if let given = params["audience"] { sharedWith = try SharedWith(given, household: household, act) }
        if let isHome = params["home"]?.bool {
            // Or the answer would tell whether the household has a home that the caller does not see.
            if isHome, wire.homeOf == nil {
                try act.require(
                    act.ownHousehold == household, "Only who lives in a household says which place is its home.")
            }
            wire.homeOf = isHome ? household : nil
        }
        try checkHome(act)
    }

    private func checkHome(_ act: Act) throws(Rejection) {
        guard let household = wire.homeOf else { return }
        guard wire.kind == .place else {
            throw Rejection(.invalid, "A home is of the kind place.", field: "home")
        }
        if case .members = sharedWith {
            throw Rejection(
                .invalid, "A home is for its household at least; choose the audience household or everyone.",
                field: "audience")
        }
        let other = try act.first(
            "SELECT 1 FROM places WHERE home_of = ? AND id <> ?", .id(household), .id(wire.id)
        ) { row in row.bool(0) }
        if other != nil {
            throw Rejection(
                .conflict, "The household has a home already; change that one, or let it be none first.", field: "home")
        }
    }

    /// Degrees to seven digits: a centimetre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
