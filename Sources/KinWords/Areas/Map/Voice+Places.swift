import KinModel

extension Voice {
    /// What becomes of places, and who comes and goes.
    func places() -> String? {
        let by = by ?? phrase("by.daemon")
        switch event.type {
        case Place.added.name: return phrase("event.place.added", ["by": by, "place": name(event[Place.added])])
        case Place.updated.name: return phrase("event.place.updated", ["by": by, "place": name(event[Place.updated])])
        case Place.shown.name: return phrase("event.place.shown", ["place": name(event[Place.shown])])
        case Place.hidden.name: return phrase("event.place.hidden", ["place": name(event[Place.hidden])])
        case Place.removed.name: return phrase("event.place.removed", ["place": name(event[Place.removed])])
        // Types that the area declares for itself.
        case "place.entered": return phrase("event.place.entered", visit)
        case "place.left": return phrase("event.place.left", visit)
        case "place.asked":
            guard let name = data["name"]?.string else {
                return phrase("inbox.places-until", ["time": near(data["until"]?.instant)])
            }
            return phrase(
                "inbox.place-asked", ["place": Plain.line(name), "member": member(data["member"]?.identifier)])
        default: return nil
        }
    }

    private func name(_ data: Place.Shown?) -> String {
        data.map { Plain.line($0.place.name) } ?? names.place(nil, reader)
    }

    /// As far as it is known.
    private func name(_ data: Place.Named?) -> String { names.place(data?.place, reader) }

    private var visit: KeyValuePairs<String, any CustomStringConvertible> {
        [
            "member": member(data["member"]?.identifier), "place": Plain.line(data["name"]?.string ?? "?"),
            "time": near(data["at"]?.instant),
        ]
    }
}
