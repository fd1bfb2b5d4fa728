import KinModel
import KinWords

/// The place of an entry on the map, as `--map-place` names it and as it is shown.
enum EntrySpot {
    /// Reads `--map-place`: a place of the map by its name, degrees north and east, or `none`.
    static func take(_ call: Invocation, into params: inout JSON) throws(Problem) {
        guard let text = call.value("map-place") else { return }
        // A new entry has no place on the map yet.
        if call.words.first != "add" {
            for name in ["mapPlace", "lat", "lon"] { params[name] = .null }
        }
        guard text != "none" else { return }
        if let spot = Places.spot(text) {
            params["lat"] = .double(spot.lat)
            params["lon"] = .double(spot.lon)
        } else {
            params["mapPlace"] = .id(try Places.find(call, text).id)
        }
    }

    /// The names of those places of the map that the caller sees, among the places of some entries.
    static func names(of places: [EntryPlace?], _ call: Invocation) -> [Identifier: String] {
        guard places.contains(where: { $0?.mapPlace != nil }) else { return [:] }
        let all = ((try? call.call("place.list"))?["places"]?.array ?? []).compactMap(Place.init)
        return Dictionary(all.map { ($0.id, $0.name) }) { one, _ in one }
    }

    /// The place of an entry in a few words: its own, or the name of its place on the map.
    static func brief(_ place: EntryPlace?, _ names: [Identifier: String]) -> String? {
        place?.text ?? place?.mapPlace.flatMap { names[$0] }
    }

    /// The place of an entry with all details.
    static func whole(_ place: EntryPlace, _ names: [Identifier: String]) -> String? {
        var said = [brief(place, names)].compactMap(\.self)
        if let name = place.mapPlace.flatMap({ names[$0] }), !said.contains(name) { said.append(name) }
        if let lat = place.lat, let lon = place.lon {
            said.append("\(Reader.decimal(lat, places: 4)), \(Reader.decimal(lon, places: 4))")
        }
        return said.isEmpty ? nil : said.joined(separator: " · ")
    }
}
