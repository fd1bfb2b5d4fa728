import KinModel

/// Places by their names.
struct KnownPlaces: Known {
    var places: [Identifier: String] = [:]

    init() {}

    mutating func learn(_ snapshot: Snapshot) { for place in snapshot.places.values { learn(place) } }
    mutating func learn(_ data: JSON) { if let place = data["place"].flatMap(Place.init) { learn(place) } }
    mutating func learn(_ place: Place) { places[place.id] = Plain.line(place.name) }
}

extension Names {
    mutating func learn(_ place: Place) { self[KnownPlaces.self].learn(place) }
    func place(_ id: Identifier?) -> String {
        id.flatMap { self[KnownPlaces.self].places[$0] } ?? phrase("names.a-place")
    }
}
