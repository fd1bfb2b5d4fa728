package import KinModel

/// Places as one sees them, who is at which of them, and towns that were looked up.
package struct KnownPlaces: Known {
    private var places: [Identifier: Place] = [:]
    private var stays: [Identifier: (place: Identifier, name: String)] = [:]
    private var towns: [Town: String?] = [:]
    /// Whether coordinates are wanted in the place of words.
    package var isInNumbers = false

    /// A square of a twentieth of a degree, in which the nearest town is looked up once.
    package struct Town: Hashable, Sendable {
        private let (row, column): (Int, Int)

        package init(lat: Double, lon: Double) { (row, column) = (Int(lat * 20), Int(lon * 20)) }
    }

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) { for place in snapshot.places.values { learn(place) } }
    package mutating func learn(_ data: JSON) { if let place = data["place"].flatMap(Place.init) { learn(place) } }
    package mutating func learn(_ place: Place) { places[place.id] = place }

    /// Who comes and goes, and what is seen no longer.
    package mutating func learn(_ event: Event) {
        learn(event.data)
        let member = event.data["member"]?.identifier
        switch event.type {
        case "place.entered":
            guard let member, let place = event.data["place"]?.identifier, let name = event.data["name"]?.string else {
                return
            }
            stays[member] = (place, Plain.line(name))
        case "place.left":
            guard let member, stays[member]?.place == event.data["place"]?.identifier else { return }
            stays[member] = nil
        case Position.hidden.name, Position.deleted.name, Member.removed.name:
            if let member { stays[member] = nil }
        case Place.hidden.name, Place.removed.name:
            guard let place = event.data["place"]?.identifier else { return }
            stays = stays.filter { $0.value.place != place }
            places[place] = nil
        default: break
        }
    }

    /// Takes the answer of `position.latest`.
    package mutating func learn(stays answer: JSON) {
        stays = [:]
        for one in answer["stays"]?.array ?? [] {
            guard let member = one["member"]?.identifier, let place = one["place"]?.identifier,
                let name = one["name"]?.string
            else { continue }
            stays[member] = (place, Plain.line(name))
        }
    }

    /// Takes the answer of `place.near` about a spot; without one, that nobody knows.
    package mutating func learn(town answer: JSON?, lat: Double, lon: Double) {
        let town = answer?["town"]
        let isNear = town?["metres"]?.double ?? 0 <= Self.townMetresMax
        towns[Town(lat: lat, lon: lon)] = .some(isNear ? town?["name"]?.string.map { Plain.line($0) } : nil)
    }

    fileprivate subscript(id: Identifier) -> String? { places[id].map { Plain.line($0.name) } }

    /// Farther than that nobody would say "near".
    private static let townMetresMax = 30_000.0
    /// A dot so little beyond the circle is still at the place.
    private static let stayMetresBeyond = 100.0
    /// Nearer than that nobody asks for the direction.
    private static let closeMetresMax = 25.0
    /// As far as a place helps to say where somebody is.
    private static let placeMetresMax = 5_000.0

    /// Whether only a town could say where that is, and it was not looked up.
    package func wantsTown(_ position: Position) -> Bool {
        guard !isInNumbers, stay(position) == nil, nearest(position) == nil else { return false }
        return towns[Town(lat: position.lat, lon: position.lon)] == nil
    }

    private func stay(_ position: Position) -> String? {
        guard position.precision == .exact, let stay = stays[position.member] else { return nil }
        // A dot that has left the circle by more than anybody would forgive says more than what was heard before it.
        if let place = places[stay.place], let radius = place.radius,
            Earth.metres(place.lat, place.lon, position.lat, position.lon)
                > radius + (position.accuracy ?? 0) + Self.stayMetresBeyond
        {
            return nil
        }
        return stay.name
    }

    private func nearest(_ position: Position) -> (place: Place, metres: Double)? {
        let near = places.values.lazy.filter { $0.kind == .place }.map {
            (place: $0, metres: Earth.metres($0.lat, $0.lon, position.lat, position.lon))
        }.filter { $0.metres <= Self.placeMetresMax }
        return near.min { ($0.metres, $0.place.id) < ($1.metres, $1.place.id) }
    }

    /// `at School`, `1.2 km north-east of School`, `near Koper`; of a cell neither place nor direction.
    package func whereabouts(_ position: Position, _ reader: Reader) -> String {
        if isInNumbers { return reader.phrase("position.numbers", ["place": reader.place(position)]) }
        if let name = stay(position) { return reader.phrase("position.at", ["place": name]) }
        if let (place, metres) = nearest(position) {
            let name = Plain.line(place.name)
            guard position.precision == .exact else {
                let far = max(1, (metres / 1000).rounded()) * 1000
                return reader.phrase("position.about-from", ["far": reader.distance(metres: far), "place": name])
            }
            // Within what the phone itself is unsure of there is no direction.
            guard metres > max(Self.closeMetresMax, position.accuracy ?? 0) else {
                return reader.phrase("position.close", ["place": name])
            }
            let direction = Earth.direction(place.lat, place.lon, position.lat, position.lon)
            return reader.phrase(
                "position.from",
                [
                    "far": reader.distance(metres: max(10, metres)),
                    "direction": reader.phrase("direction.\(direction)"), "place": name,
                ])
        }
        guard let town = towns[Town(lat: position.lat, lon: position.lon)] ?? nil else {
            return reader.phrase("position.somewhere")
        }
        return reader.phrase("position.town", ["town": town])
    }
}

/// The sphere, as far as words need it.
private enum Earth {
    private static let radius = 6_371_009.0
    private static let rad = Double.pi / 180

    /// By the chord on the plane at that latitude: good to a hundredth within five kilometres.
    static func metres(_ lat: Double, _ lon: Double, _ otherLat: Double, _ otherLon: Double) -> Double {
        let (north, east) = steps(lat, lon, otherLat, otherLon)
        return (north * north + east * east).squareRoot()
    }

    /// One of eight, clockwise from north: compared by tangents of 22.5° (√2 − 1), so that no library is needed.
    static func direction(_ lat: Double, _ lon: Double, _ otherLat: Double, _ otherLon: Double) -> String {
        let (north, east) = steps(lat, lon, otherLat, otherLon)
        let tangent = 2.0.squareRoot() - 1
        let isAcross = abs(north) > tangent * abs(east)
        let isAlong = abs(east) > tangent * abs(north)
        return (isAcross ? (north < 0 ? "s" : "n") : "") + (isAlong ? (east < 0 ? "w" : "e") : isAcross ? "" : "n")
    }

    private static func steps(
        _ lat: Double, _ lon: Double, _ otherLat: Double, _ otherLon: Double
    ) -> (north: Double, east: Double) {
        var across = otherLon - lon
        if across > 180 { across -= 360 } else if across < -180 { across += 360 }
        return ((otherLat - lat) * rad * radius, across * rad * radius * cosine(lat))
    }

    /// Cosine by its series: eight terms are exact to 10⁻⁹ within a right angle.
    private static func cosine(_ degrees: Double) -> Double {
        let square = degrees * rad * degrees * rad
        var (term, sum) = (1.0, 1.0)
        for step in 1...8 {
            term *= -square / Double((2 * step - 1) * 2 * step)
            sum += term
        }
        return sum
    }
}

extension Names {
    package mutating func learn(_ place: Place) { self[KnownPlaces.self].learn(place) }
    package func place(_ id: Identifier?, _ reader: Reader) -> String {
        id.flatMap { self[KnownPlaces.self][$0] } ?? reader.phrase("names.a-place")
    }
    /// Where somebody is, in words.
    package func whereabouts(_ position: Position, _ reader: Reader) -> String {
        self[KnownPlaces.self].whereabouts(position, reader)
    }
}
