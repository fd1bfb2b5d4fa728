import KinModel

extension MapLife {
    static let stories = [
        FoldStory(
            "map",
            "Somebody shares exactly, less, the place's name, whether it is home, and not at all; places come into sight and leave it.",
            view: "map"
        ) { (family) throws(Finding) in
            try family.asks("ada", "place.add", place("Hill", ["home": true, "note": "Ring twice."]))
            try family.comes()
            try share("exact", family)
            for spot in 0..<2 { try report("ada", spot, family) }
            try family.compare()
            for precision in ["coarse", "place", "home"] {
                try share(precision, family)
                try report("ada", 3, family)
                try family.compare()
            }
            try family.asks("ada", "sharing.set", ["state": "off"])
            try report("ada", 4, family)
            try family.asks("ben", "sharing.set", ["state": "on", "until": family.time(in: 3600)])
            try report("ben", 5, family)
            try family.compare()
            let added = try family.asks("ada", "place.add", place("Shed", ["note": "Mind the step."]))
            let shed = added["place"]?["id"] ?? .null
            try family.asks("ada", "place.update", ["place": shed, "name": "Studio", "icon": "🎨"])
            try family.compare()
            try family.asks("ada", "place.update", ["place": shed, "audience": [family.id("cleo")]])
            try family.compare()
            try family.asks("ada", "place.update", ["place": shed, "audience": "everyone"])
            try family.compare()
            try family.asks("ada", "place.remove", ["place": shed])
        },
        FoldStory(
            "superseded",
            "Who was away is told the newest position only; a position is deleted; a member who shared is removed."
        ) { (family) throws(Finding) in
            try family.comes()
            try share("exact", family)
            try report("ada", 0, family)
            family.leaves()
            for spot in 1..<6 { try report("ada", spot, family) }
            try family.comes()
            try family.compare()
            try family.asks("ada", "position.forget", ["from": family.time(in: -3600), "to": family.time(in: 0)])
            try family.compare()
            let rules: JSON = [["viewer": "everyone", "precision": "exact"]]
            try family.asks("cleo", "sharing.set", ["state": "on", "rules": rules])
            try report("cleo", 2, family)
            try family.compare()
            try family.asks("ada", "member.remove", ["member": family.id("cleo"), "keep": "delete"])
        },
    ]

    static func day(_ family: Recording) throws(Finding) {
        try share("exact", family)
        try report("ada", 0, family)
        try family.asks("ada", "place.add", place("Shed", ["note": "Mind the step."]))
    }

    /// Ada shows everybody so much of where she is.
    private static func share(_ precision: String, _ family: Recording) throws(Finding) {
        let rules: JSON = [["viewer": "everyone", "precision": .string(precision)]]
        try family.asks("ada", "sharing.set", ["state": "on", "rules": rules])
    }

    /// Somebody is somewhere, minutes after the last time.
    private static func report(_ username: String, _ spot: Int, _ family: Recording) throws(Finding) {
        try family.passes(seconds: 300)
        try family.asks(
            username, "position.report",
            [
                "lat": .double(52.5 + Double(spot) / 8), "lon": 13.25, "at": family.time(in: 0), "accuracy": 12,
                "battery": 80,
            ])
    }

    private static func place(_ name: String, _ more: JSON) -> JSON {
        var place: JSON = [
            "name": .string(name), "lat": 52.875, "lon": 13.25, "radius": 150, "audience": "everyone",
        ]
        for member in more.object?.members ?? [] { place[member.name] = member.value }
        return place
    }
}
