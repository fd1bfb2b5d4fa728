import KinKeeper
import KinModel
import KinStore

extension Places {
    private static let audienceSummary =
        "everyone (every non-guest), household (the caller's own, its guests included), or members; with the owner always."
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
            .optional("note", note), .optional("audience", audience, audienceSummary + " everyone if left out."),
            .optional("home", .bool, "True: it is the home of the caller's household."),
        ],
        result: placeResult, route: Route("POST", "/api/places", status: 201), events: [Place.added],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let kind = params.optionalString("kind").flatMap(Place.Kind.init) ?? .place
            let place = Place(
                id: act.newIdentifier(), kind: kind, name: try params.string("name"), lat: 0, lon: 0,
                radius: kind == .place ? Limits.placeRadius : nil, owner: member.id)
            var pin = Pin(place, for: .everyone, household: nil)
            try pin.take(params, household: member.household, act)
            try growing(of: member.id, act) { () throws(Rejection) in try pin.save(act) }
            try pin.settleSight(isNew: true, act)
            try Stays.circleChanged(pin, act)
            try PlaceHooks.joined.made(pin, act)
            return .done(rendered(pin, act), ids: [pin.place.id])
        })

    static let update = Method.command(
        "place.update", "Changes a place; who gains or loses sight of it is told.", access: .family,
        note: "the owner, admins, of a home the heads of the household; home: only who lives there",
        [
            .required("place", .id), .optional("kind", kind), .optional("name", name),
            .optional("icon", .nullable(icon)), .optional("lat", .number(Point.latBounds)),
            .optional("lon", .number(Point.lonBounds)), .optional("radius", radius, radiusSummary),
            .optional("note", .nullable(note)),
            .optional("audience", audience, audienceSummary), .optional("home", .bool),
        ],
        result: placeResult, route: Route("PATCH", "/api/places/{place}"),
        events: [Place.updated, Place.shown, Place.hidden],
        again: { (act, ids) throws(Rejection) in try again(act, ids) },
        apply: { (act, params) throws(Rejection) in
            var pin = try changeable(act, params)
            let before = pin
            let owner = try act.roster[pin.place.owner]?.household
            if let kind = params.optionalString("kind").flatMap(Place.Kind.init), kind != pin.place.kind {
                pin.place.kind = kind
                pin.place.radius = kind == .place ? Limits.placeRadius : nil
            }
            try pin.take(params, household: pin.household ?? owner, act)
            guard pin.place != before.place || pin.audience != before.audience || pin.household != before.household
            else {
                return .done(rendered(pin, act), ids: [pin.place.id])
            }
            try growing(of: pin.place.owner, act) { () throws(Rejection) in try pin.save(act) }
            try pin.settleSight(isChanged: pin.place != before.place, act)
            if pin.circle != before.circle { try Stays.circleChanged(pin, act) }
            if pin.circle != before.circle || pin.place.homeOf != before.place.homeOf {
                try PlaceHooks.joined.made(pin, act)
            }
            return .done(rendered(pin, act), ids: [pin.place.id])
        })

    static let remove = Method.command(
        "place.remove", "Takes a place off the map, with all that is known of who was there.", access: .family,
        note: "the owner, admins, of a home the heads of the household", [.required("place", .id)], result: .nothing,
        route: Route("DELETE", "/api/places/{place}"), events: [Place.removed],
        apply: { (act, params) throws(Rejection) in
            let pin = try changeable(act, params)
            try pin.remove(act)
            return .done([:], ids: [pin.place.id])
        }
    ).freeingRoom()

    static let list = Method.query(
        "place.list", "The places the caller sees, oldest first, with their notes.", access: .signedIn,
        note: "who sees them; a guest those that name the guest or the household",
        result: .object([.required("places", .list(ownPlace, max: countMax))]), route: Route("GET", "/api/places"),
        apply: { (act, _) throws(Rejection) in
            let member = try act.member.id
            let pins = try act.ask { (database) throws(StoreFailure) in try Pin.seen(by: member, database) }
            return .done(["places": .array(pins.map { json(of: $0, act) })])
        }
    ).listing()

    // MARK: What is answered

    private static func json(of pin: Pin, _ act: Act) -> JSON {
        var json = pin.place.json
        guard pin.mayBeChanged(act) else { return json }
        json["audience"] =
            switch pin.audience {
            case .everyone: "everyone"
            case .household: "household"
            case .members(let members): .array(members.map { .id($0) })
            }
        return json
    }

    private static func rendered(_ pin: Pin, _ act: Act) -> JSON { ["place": json(of: pin, act)] }

    /// The answer to a repeat: what the caller sees now.
    private static func again(_ act: Act, _ ids: [Identifier]) throws(Rejection) -> JSON {
        guard let id = ids.first else { return [:] }
        return rendered(try Pin.visible(act, id), act)
    }

    private static func changeable(_ act: Act, _ params: Params) throws(Rejection) -> Pin {
        let pin = try Pin.visible(act, try params.id("place"))
        try act.require(pin.mayBeChanged(act), "Only its owner and admins change a place; of a home also its heads.")
        return pin
    }

    /// Does what may make snapshots larger; refused where the owner's places have no room. Others who change a place, as
    /// admins may, are not refused: they need not see what else its owner has. They make it larger by a name at most.
    private static func growing(
        of owner: Identifier, _ act: Act, _ body: () throws(Rejection) -> Void
    ) throws(Rejection) {
        let before = PlaceRoom(try Pin.all(act))
        try body()
        let after = PlaceRoom(try Pin.all(act))
        if act.isOneself(owner) { try after.check(of: owner, since: before) }
        for (used, most) in [(\PlaceRoom.kept, PlaceRoom.keptMax), (\PlaceRoom.shared, PlaceRoom.sharedMax)] {
            try Quota.places.tell(
                owner, before: Int64(before[keyPath: used][owner] ?? 0), after: Int64(after[keyPath: used][owner] ?? 0),
                of: Int64(most), act)
        }
    }
}

extension Pin {
    /// Takes what was given of a place's fields; `household` is the one it would be for.
    fileprivate mutating func take(_ params: Params, household: Identifier?, _ act: Act) throws(Rejection) {
        if let name = params.optionalString("name") { place.name = name }
        if params["icon"] != nil { place.icon = params.optionalString("icon") }
        if params["note"] != nil { place.note = params.optionalString("note").flatMap { $0.isEmpty ? nil : $0 } }
        if let lat = params.optionalDouble("lat") { place.lat = Self.rounded(lat) }
        if let lon = params.optionalDouble("lon") { place.lon = Self.rounded(lon) }
        if let radius = params.optionalDouble("radius") {
            guard place.kind == .place else {
                throw Rejection(.invalid, "Only the kind place has a radius.", field: "radius")
            }
            place.radius = (radius * 10).rounded() / 10
        }
        if let given = params["audience"] { audience = try Self.audience(given, act) }
        if let isHome = params["home"]?.bool {
            // Or the answer would tell whether the household has a home that the caller does not see.
            if isHome, place.homeOf == nil {
                try act.require(
                    act.ownHousehold == household, "Only who lives in a household says which place is its home.")
            }
            place.homeOf = isHome ? household : nil
        }
        try checkHome(act)
        self.household = audience == .household || place.homeOf != nil ? household : nil
    }

    private func checkHome(_ act: Act) throws(Rejection) {
        guard let household = place.homeOf else { return }
        guard place.kind == .place else {
            throw Rejection(.invalid, "A home is of the kind place.", field: "home")
        }
        if case .members = audience {
            throw Rejection(
                .invalid, "A home is for its household at least; choose the audience household or everyone.",
                field: "audience")
        }
        let other = try act.first(
            "SELECT 1 FROM places WHERE home_of = ? AND id <> ?", .id(household), .id(place.id)
        ) { row in row.bool(0) }
        if other != nil {
            throw Rejection(
                .conflict, "The household has a home already; change that one, or let it be none first.", field: "home")
        }
    }

    private static func audience(_ json: JSON, _ act: Act) throws(Rejection) -> Audience {
        if let word = json.string { return word == "everyone" ? .everyone : .household }
        var members: [Identifier] = []
        for id in (json.array ?? []).compactMap(\.identifier) where !members.contains(id) {
            members.append(try act.member(id, field: "audience").id)
        }
        return .members(members.sorted())
    }

    /// Degrees to seven digits: a centimetre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
