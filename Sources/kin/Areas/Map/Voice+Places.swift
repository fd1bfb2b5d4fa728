import KinModel

extension Voice {
    /// What becomes of places, and who comes and goes.
    func places() -> String? {
        let by = by ?? phrase("by.daemon")
        switch event.type {
        case "place.added": return phrase("event.place.added", ["by": by, "place": place])
        case "place.updated": return phrase("event.place.updated", ["by": by, "place": place])
        case "place.shown": return phrase("event.place.shown", ["place": place])
        case "place.hidden": return phrase("event.place.hidden", ["place": place])
        case "place.removed": return phrase("event.place.removed", ["place": place])
        case "place.entered": return phrase("event.place.entered", visit)
        case "place.left": return phrase("event.place.left", visit)
        case "place.asked":
            guard let name = data["name"]?.string else {
                return phrase(
                    "inbox.places-until", ["time": data["until"]?.instant.map { LocalTime.near($0, now: now) } ?? "?"])
            }
            return phrase(
                "inbox.place-asked",
                ["place": Plain.line(name), "member": names.member(data["member"]?.identifier)])
        default: return nil
        }
    }

    /// The place's name, as far as it is known.
    private var place: String {
        data["place"].flatMap(Place.init).map { Plain.line($0.name) } ?? names.place(data["place"]?.identifier)
    }

    private var visit: KeyValuePairs<String, any CustomStringConvertible> {
        [
            "member": names.member(data["member"]?.identifier), "place": Plain.line(data["name"]?.string ?? "?"),
            "time": data["at"]?.instant.map { LocalTime.near($0, now: now) } ?? "?",
        ]
    }
}
