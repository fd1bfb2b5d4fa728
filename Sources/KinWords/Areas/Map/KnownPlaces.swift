package import KinModel

/// Places by their names.
package struct KnownPlaces: Known {
    private var places: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) { for place in snapshot.places.values { learn(place) } }
    package mutating func learn(_ data: JSON) { if let place = data["place"].flatMap(Place.init) { learn(place) } }
    package mutating func learn(_ place: Place) { places[place.id] = Plain.line(place.name) }

    fileprivate subscript(id: Identifier) -> String? { places[id] }
}

extension Names {
    package mutating func learn(_ place: Place) { self[KnownPlaces.self].learn(place) }
    package func place(_ id: Identifier?, _ reader: Reader) -> String {
        id.flatMap { self[KnownPlaces.self][$0] } ?? reader.phrase("names.a-place")
    }
}
