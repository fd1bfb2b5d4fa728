import KinModel

/// Where people in the box are, and what they let each other know of it.
extension World {
    /// Something about positions, sharing or places.
    func mapIdea(_ who: Int, _ op: String) -> Idea {
        let own = people[who].id
        if dice.once(in: 3), let idea = stayIdea(who) { return idea }
        switch dice.below(28) {
        case 0..<8: return (who, "position.report", point(who))
        case 8, 9:
            let count = dice.once(in: 4) ? 40 : 2 + dice.below(4)
            return (who, "position.report", ["positions": .array((0..<count).map { _ in point(who) })])
        case 10..<14:
            var params: JSON = ["rules": rules(who)]
            if dice.once(in: 2) { params["state"] = "on" }
            return (who, "sharing.set", params)
        case 14, 15: return (who, "sharing.set", ["state": dice.once(in: 3) ? "off" : "on"])
        case 16: return (who, "sharing.set", ["state": "on", "until": soonOver()])
        case 17: return (who, "position.forget", ["from": ago(dice.below(120)), "to": ago(0)])
        case 18, 19: return (who, "place.add", place(who))
        case 20: return placeIdea(who)
        case 21:
            let moment = JSON.string(dice.pick(["arrive", "leave", "both", "pinned"]))
            return (who, "place.notify", ["when": moment])
        case 22: return (who, "guestLink.create", ["precision": "coarse", "until": soonOver()])
        case 23:
            // Ben is a child now and then, and Ada holds his settings.
            if dice.once(in: 2) {
                let kind = JSON.string(dice.pick(["adult", "child"]))
                return (0, "member.update", ["member": .id(people[1].id), "kind": kind])
            }
            if dice.once(in: 3) {
                return (0, "member.relate", ["member": .id(people[0].id), "parentOf": .id(people[1].id)])
            }
            return (0, "sharing.hold", ["member": .id(people[1].id), "hold": .bool(!dice.once(in: 3))])
        case 24: return (0, "sharing.set", ["member": .id(people[1].id), "state": "on", "rules": rules(1)])
        case 25:
            return (
                who, "position.history",
                ["member": .id(dice.pick(people).id), "from": ago(3600), "to": ago(0)]
            )
        case 26:
            let format = JSON.string(dice.pick(["gpx", "geojson"]))
            return (who, "position.export", ["member": .id(dice.pick(people).id), "format": format])
        default:
            let method = dice.pick(["position.latest", "sharing.show", "sharing.looks", "place.list", "guestLink.list"])
            return (who, method, method == "sharing.show" && dice.once(in: 2) ? ["member": .id(own)] : [:])
        }
    }

    /// Somewhere near one of the places where somebody is wont to be: each has a corner of the earth, and no two
    /// coordinates are alike.
    func point(_ who: Int) -> JSON {
        let spot = dice.below(4)
        func degrees(_ base: Int) -> Double {
            while true {
                let corner = (base + 3 * who) * 1_000_000
                let millionths = corner + spot * 20_000 + dice.below(2000)
                let degrees = Double(millionths) / 1_000_000
                if millionths % 10 != 0, area(MapLife.self).isNew(degrees, by: people[who].id) { return degrees }
            }
        }
        let (lat, lon) = (degrees(40), degrees(110))
        return [
            "lat": .double(lat), "lon": .double(lon), "at": ago(dice.below(120)),
            "accuracy": .int(Int64(dice.below(50))),
        ]
    }

    private func ago(_ seconds: Int) -> JSON {
        .time(Instant(milliseconds: time.trueMilliseconds() - Int64(seconds) * 1000 - Int64(dice.below(1000))))
    }

    private func soonOver() -> JSON {
        .time(Instant(milliseconds: time.trueMilliseconds() + 1000 + Int64(dice.below(90_000))))
    }

    private func rules(_ who: Int) -> JSON {
        // Most families have nothing to hide from each other.
        if dice.once(in: 2) {
            return [["viewer": "everyone", "precision": "exact", "history": .bool(dice.once(in: 2))]]
        }
        var rules: [JSON] = []
        let viewers: [JSON] =
            ["everyone", "household"] + people.filter { $0.id != people[who].id }.map { .id($0.id) }
        for viewer in viewers where dice.once(in: 2) {
            var rule: JSON = [
                "viewer": viewer, "precision": .string(dice.pick(Precision.allCases).rawValue),
                "history": .bool(dice.once(in: 2)),
            ]
            if dice.once(in: 4) { rule["until"] = soonOver() }
            rules.append(rule)
        }
        return .array(rules)
    }

    private func place(_ who: Int) -> JSON {
        let (whose, spot) = (dice.below(people.count), dice.below(4))
        func degrees(_ base: Int) -> Double {
            let thousandths = (base + 3 * whose) * 1000 + spot * 20 + 1
            return Double(thousandths) / 1000
        }
        let number = dice.below(100)
        var place: JSON = [
            "name": .string("P\(number)"), "lat": .double(degrees(40)), "lon": .double(degrees(110)),
            "radius": .int(Int64(100 + dice.below(400))), "audience": audience(),
        ]
        if dice.once(in: 4) { place["home"] = true }
        // One in five is something worth going to, or to remember.
        guard number < 20 else { return place }
        let kind: JSON = number < 10 ? "hotspot" : "note"
        return [
            "kind": kind, "name": place["name"] ?? .null, "lat": place["lat"] ?? .null, "lon": place["lon"] ?? .null,
            "audience": place["audience"] ?? .null,
        ]
    }

    /// Whoever sees somebody exactly names the place where that is, and asks who is there.
    private func stayIdea(_ who: Int) -> Idea? {
        guard let view = view(of: who),
            let seen = view.positions.values.filter({ $0.member != people[who].id && $0.precision == .exact })
                .sorted(by: { $0.member < $1.member }).first
        else { return nil }
        // A place must not have the digits of what was reported.
        func rounded(_ degrees: Double) -> Double { (degrees * 1000).rounded() / 1000 }
        let (lat, lon) = (rounded(seen.lat), rounded(seen.lon))
        if dice.once(in: 3)
            || view.places.values.contains(where: { $0.lat == lat && $0.lon == lon && $0.radius != nil })
        {
            return (who, "position.latest", [:])
        }
        return (
            who, "place.add",
            [
                "name": .string("P\(20 + dice.below(80))"), "lat": .double(lat), "lon": .double(lon), "radius": 300,
                "audience": audience(),
            ]
        )
    }

    private func audience() -> JSON {
        switch dice.below(3) {
        case 0: "everyone"
        case 1: "household"
        default: .array(people.filter { _ in dice.once(in: 2) }.map { .id($0.id) })
        }
    }

    private func placeIdea(_ who: Int) -> Idea {
        let places = (view(of: who)?.places ?? [:]).keys.sorted()
        guard !places.isEmpty else { return (who, "place.add", place(who)) }
        let id = JSON.id(dice.pick(places))
        if dice.once(in: 3) { return (who, "place.remove", ["place": id]) }
        return (who, "place.update", ["place": id, "audience": audience(), "name": .string("Q\(dice.below(100))")])
    }
}
