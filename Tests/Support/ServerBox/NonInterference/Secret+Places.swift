import KinModel

@testable import KinSimulation

extension Secret {
    static let places = [
        Secret("a place of others, and what becomes of it", from: everybody) { stage in
            let place = try place(stage, [.id(try stage.id("mo"))])
            try stage.does("mia", "place.update", ["place": .id(place), "name": .string(stage.words(9))])
            try stage.does(
                "mia", "place.update", ["place": .id(place), "audience": [.id(try stage.id("nan"))], "lat": 41])
            if stage.dice.once(in: 2) { try stage.does("mia", "place.remove", ["place": .id(place)]) }
        },
        Secret("a place of others that is gone", from: everybody) { stage in
            try stage.does("mia", "place.remove", ["place": .id(try place(stage, [.id(try stage.id("mo"))]))])
        },
        Secret("the home of another household", from: ["ada", "hal", "ben", "gil"]) { stage in
            _ = try place(stage, "household", home: true)
        },
        Secret("a place for everyone, from guests", from: guests) { stage in _ = try place(stage, "everyone") },
        Secret("where somebody arrives who does not share", from: everybody) { stage in
            _ = try place(stage, [.id(try stage.id("nan"))])
            try visit(stage)
        },
        Secret("what somebody wants to be told of whom", from: everybody) { stage in
            let place = try place(stage, [.id(try stage.id("mo"))])
            let rule = try stage.does(
                "mo", "place.notify", ["who": .id(try stage.id("nan")), "place": .id(place), "when": "both"])
            if stage.dice.once(in: 2) {
                try stage.does("mo", "place.unnotify", ["rule": rule["rule"]?["id"] ?? .null])
            }
        },
        Secret("that somebody wants to be told no longer", from: everybody) { stage in
            let rule = try stage.does("mo", "place.notify", ["when": "arrive"])
            try stage.does("mo", "place.unnotify", ["rule": rule["rule"]?["id"] ?? .null])
        },
        Secret("what somebody agrees to be seen at by others", from: everybody) { stage in
            let (mo, nan) = (try stage.id("mo"), try stage.id("nan"))
            try stage.does(
                "mo", "sharing.set", ["state": "on", "rules": [["viewer": .id(nan), "precision": "place"]]])
            let params: JSON = [
                "name": .string(stage.words(9)), "lat": 40, "lon": 9, "audience": [.id(mo), .id(nan)],
            ]
            let place = try stage.hide(try stage.does("mia", "place.add", params), "place")
            try visit(stage)
            try stage.does("mo", "place.admit", ["place": .id(place), "admit": .bool(stage.dice.once(in: 2))])
        },
        Secret("that what was told of coming and going is taken back", from: everybody) { stage in
            let nan = try stage.id("nan")
            let rules: JSON = [["viewer": .id(nan), "precision": "exact"]]
            try stage.does("nan", "place.notify", ["when": "both"])
            try stage.does("mo", "sharing.set", ["state": "on", "rules": rules])
            let params: JSON = ["name": "Quay", "lat": 40, "lon": 9, "audience": [.id(try stage.id("mo")), .id(nan)]]
            try stage.hide(try stage.does("mia", "place.add", params), "place")
            try visit(stage)
            try stage.does("mo", "sharing.set", ["state": "off"])
        },
        Secret("where others arrive, at a place of theirs", from: guests) { stage in
            _ = try place(stage, "everyone")
            try stage.does("mo", "sharing.set", ["state": "on"])
            try visit(stage)
        },
    ]

    private static func place(_ stage: Stage, _ audience: JSON, home: Bool = false) throws -> Identifier {
        let kind = home ? "place" : stage.dice.pick(["place", "place", "hotspot", "note"])
        var params: JSON = [
            "name": .string(stage.words(9)), "kind": .string(kind), "lat": 40, "lon": 9, "audience": audience,
        ]
        if stage.dice.once(in: 2) { params["note"] = .string(stage.words(60)) }
        if home { params["home"] = true }
        return try stage.hide(try stage.does("mia", "place.add", params), "place")
    }

    /// Mo comes to a place of Mia's, stays for some minutes and goes.
    private static func visit(_ stage: Stage) throws {
        try stage.does(
            "mia", "place.add", ["name": "Mooring", "lat": 40, "lon": 9, "audience": [.id(try stage.id("mo"))]])
        let now = Instant(milliseconds: stage.box.time.wallMilliseconds())
        let points: [JSON] = (0..<10).map { index in
            let isThere = (2..<8).contains(index)
            return ["lat": isThere ? 40 : 40.1, "lon": 9, "at": .time(now.adding(seconds: Int64(index - 10) * 50))]
        }
        try stage.does("mo", "position.report", ["positions": .array(points)])
    }
}
