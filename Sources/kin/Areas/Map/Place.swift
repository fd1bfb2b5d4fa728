import KinModel
import KinWords

extension Command {
    static let place = Command(
        name: "place",
        usage: [
            "place [list]",
            "place add NAME [--at LAT,LON] [--radius METRES] [--for everyone|household|MEMBER,…] [--home]",
            "place remove PLACE", "place rules", "place admit PLACE [--of CHILD]", "place refuse PLACE [--of CHILD]",
            "place notify [--who MEMBER] [--place PLACE] [--when arrive|leave|both|pinned]",
            "place unnotify [--who MEMBER] [--place PLACE] [--when arrive|leave|both|pinned]",
        ],
        options: [
            .value("at", "LAT,LON"), .value("radius", "METRES"), .value("kind", "place|hotspot|note"),
            .value("for", "WHO"), .flag("home"), .value("icon", "ICON"), .value("note", "TEXT"),
            .value("who", "MEMBER"), .value("place", "PLACE"), .value("when", "arrive|leave|both|pinned"),
            .value("of", "MEMBER"),
        ], words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try Places.list(call)
            case ("add", 2): try Places.add(call, call.words[1])
            case ("remove", 2): try Places.remove(call, call.words[1])
            case ("rules", 1): try Places.rules(call)
            case ("admit", 2): try Places.answer(call, call.words[1], admits: true)
            case ("refuse", 2): try Places.answer(call, call.words[1], admits: false)
            case ("notify", 1): try Places.notify(call)
            case ("unnotify", 1): try Places.unnotify(call)
            default: throw call.misused
            }
        })
}

/// Places, on the command line.
enum Places {
    private static func all(_ call: Invocation) throws(Problem) -> [Place] {
        (try call.call("place.list")["places"]?.array ?? []).compactMap(Place.init)
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("place.list")
        if call.wantsJSON { return call.output.say(result) }
        let places = (result["places"]?.array ?? []).compactMap(Place.init)
        guard !places.isEmpty else { return call.output.say(phrase("place.none")) }
        let names = try People(call).names
        var table = Table("place", "kind", "where", "radius", "owner")
        for place in places {
            let spot = "\(Reader.decimal(place.lat, places: 4)), \(Reader.decimal(place.lon, places: 4))"
            table.add(
                Plain.line((place.icon.map { $0 + " " } ?? "") + place.name),
                phrase(place.homeOf == nil ? "place.kind.\(place.kind.rawValue)" : "place.home"), spot,
                place.radius.map { "\(Reader.whole($0)) m" } ?? "", names.member(place.owner))
        }
        table.print(to: call.output)
    }

    // MARK: Changing

    static func add(_ call: Invocation, _ name: String) throws(Problem) {
        let spot = try spot(call)
        var audience: JSON?
        if let text = call.value("for") { audience = try self.audience(call, text) }
        var radius: JSON?
        if let text = call.value("radius") {
            guard let metres = Double(text) else {
                throw .usage(phrase("place.no-number", ["text": Plain.line(text)]))
            }
            radius = .double(metres)
        }
        let result = try call.call(
            "place.add",
            .object(leavingOut: [
                "kind": call.value("kind").map { .string($0) }, "name": .string(name),
                "icon": call.value("icon").map { .string($0) }, "lat": .double(spot.lat), "lon": .double(spot.lon),
                "radius": radius, "note": call.value("note").map { .string($0) }, "audience": audience,
                "home": call.has("home") ? true : nil,
            ]))
        call.answer(result, phrase("place.added", ["place": Plain.line(name)]))
    }

    static func remove(_ call: Invocation, _ text: String) throws(Problem) {
        let place = try find(call, text)
        let result = try call.call("place.remove", ["place": .id(place.id)])
        call.answer(result, phrase("place.removed", ["place": Plain.line(place.name)]))
    }

    /// The position of a new place: the one that was typed, or else the caller's.
    private static func spot(_ call: Invocation) throws(Problem) -> (lat: Double, lon: Double) {
        guard let text = call.value("at") else {
            let username = try call.door().username
            let me = try People(call).members.first { $0.username == username }?.id
            let positions = (try call.call("position.latest")["positions"]?.array ?? []).compactMap(Position.init)
            guard let own = positions.first(where: { $0.member == me }) else {
                throw Problem(.refused, phrase("place.no-position"))
            }
            return (own.lat, own.lon)
        }
        guard let spot = self.spot(text) else {
            throw .usage(phrase("place.no-spot", ["text": Plain.line(text)]))
        }
        return spot
    }

    /// Reads `52.52,13.405`, with or without a blank.
    static func spot(_ text: String) -> (lat: Double, lon: Double)? {
        let numbers = text.split(whereSeparator: { $0 == "," || $0 == " " }).map { Double($0) }
        guard numbers.count == 2, let lat = numbers[0], let lon = numbers[1], abs(lat) <= 90, abs(lon) <= 180 else {
            return nil
        }
        return (lat, lon)
    }

    private static func audience(_ call: Invocation, _ text: String) throws(Problem) -> JSON {
        if text == "everyone" || text == "household" { return .string(text) }
        let people = try People(call)
        var members: [JSON] = []
        for name in text.split(separator: ",") { members.append(.id(try people.member(String(name)).id)) }
        return .array(members)
    }

    /// The place with an identifier or a name.
    static func find(_ call: Invocation, _ text: String) throws(Problem) -> Place {
        let places = try all(call)
        if let exact = places.first(where: { $0.id.description == text }) { return exact }
        let named = places.filter { $0.name.lowercased() == text.lowercased() }
        guard named.count < 2 else {
            let ids = named.map(\.id.description).joined(separator: ", ")
            throw .usage(phrase("place.several", ["name": Plain.line(text), "ids": ids]))
        }
        guard let place = named.first else {
            throw Problem(.refused, phrase("place.no-place", ["name": Plain.line(text)]))
        }
        return place
    }

    // MARK: Being told

    private static func wish(_ call: Invocation) throws(Problem) -> JSON {
        var wish: JSON = ["when": .string(call.value("when") ?? "both")]
        if let who = call.value("who") { wish["who"] = .id(try People(call).member(who).id) }
        if let place = call.value("place") { wish["place"] = .id(try find(call, place).id) }
        return wish
    }

    static func notify(_ call: Invocation) throws(Problem) {
        let result = try call.call("place.notify", try wish(call))
        call.answer(result, try sentence(result["rule"] ?? [:], call))
    }

    static func unnotify(_ call: Invocation) throws(Problem) {
        let wish = try wish(call)
        let rules = try call.call("place.rules")["rules"]?.array ?? []
        let found = rules.first { rule in
            ["who", "place", "when"].allSatisfy { rule[$0] == wish[$0] }
        }
        guard let id = found?["id"] else { throw Problem(.refused, phrase("place.no-rule")) }
        call.answer(try call.call("place.unnotify", ["rule": id]), phrase("done.revoked"))
    }

    static func rules(_ call: Invocation) throws(Problem) {
        let result = try call.call("place.rules")
        if call.wantsJSON { return call.output.say(result) }
        let rules = result["rules"]?.array ?? []
        guard !rules.isEmpty else { return call.output.say(phrase("place.no-rules")) }
        for rule in rules { call.output.say(try sentence(rule, call)) }
    }

    private static func moment(_ word: String?) -> String {
        switch word {
        case "arrive": phrase("place.when-arrive")
        case "leave": phrase("place.when-leave")
        default: phrase("place.when-both")
        }
    }

    private static func sentence(_ rule: JSON, _ call: Invocation) throws(Problem) -> String {
        if call.wantsJSON { return "" }
        var names = try People(call).names
        for place in try all(call) { names.learn(place) }
        let who = rule["who"].map { names.member($0.identifier) } ?? phrase("place.anybody")
        guard rule["when"] != "pinned" else { return phrase("place.rule-pinned", ["who": who]) }
        return phrase(
            "place.rule",
            [
                "who": who,
                "place": rule["place"].map { names.place($0.identifier) } ?? phrase("place.anywhere"),
                "when": moment(rule["when"]?.string),
            ])
    }
}
