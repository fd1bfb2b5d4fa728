import KinModel

extension ChatLife {
    static let stories = [
        FoldStory(
            "chat",
            "A group is opened and called otherwise; words are said, changed, read and removed; one is muted, leaves and comes again.",
            view: "chat"
        ) { (family) throws(Finding) in
            try family.comes()
            try family.asks("ada", "room.open", ["with": [family.id("ben")], "name": "Kites"])
            let room = try family.told("room.opened")["room"]?["id"] ?? .null
            try family.asks("ada", "message.send", ["room": room, "text": "Wind on Sunday?\nI think so"])
            let first = try family.told("message.sent")["message"]?["id"] ?? .null
            try family.asks("ada", "message.send", ["room": room, "text": "Bring string"])
            let second = try family.told("message.sent")["message"]?["id"] ?? .null
            try family.compare()
            try family.asks("ben", "message.read", ["room": room, "upTo": first])
            try family.asks("ada", "message.read", ["room": room, "upTo": second])
            try family.asks("ada", "room.set", ["room": room, "showsRead": true])
            try family.asks("ada", "message.update", ["room": room, "message": second, "text": "Bring much string"])
            try family.compare()
            try family.asks("ada", "message.remove", ["room": room, "message": second])
            try family.compare()
            let sent = try family.asks(
                "ada", "picture.add", ["picture": PicturesLife.picture("kite"), "for": "message"])
            let picture = sent["picture"]?["id"] ?? .null
            try family.asks(
                "ada", "message.send",
                [
                    "room": room, "pictures": [["picture": picture, "caption": "Kite"]],
                    "spot": ["lat": 48.1, "lon": 11.5],
                ])
            try family.compare()
            try family.asks("ada", "picture.remove", ["picture": picture])
            try family.compare()
            try family.asks("ben", "message.send", ["room": room, "text": "Yes", "reply": first])
            try family.asks("ben", "room.set", ["room": room, "mutedUntil": family.time(in: 86_400)])
            try family.asks("ada", "room.update", ["room": room, "name": "Kites on Sunday"])
            try family.compare()
            try family.asks("ben", "room.leave", ["room": room])
            try family.compare()
            try family.asks("ada", "room.update", ["room": room, "add": [family.id("ben")]])
            try family.asks("ada", "message.send", ["room": room, "text": "Here again"])
            try family.compare()
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        let rooms = try family.asks("ada", "room.list")["rooms"]?.array ?? []
        let all = rooms.compactMap { SeenRoom($0) }.first { $0.room.kind == .family }?.room.id
        guard let all else { return }
        try family.asks("ada", "message.send", ["room": .id(all), "text": "Good morning"])
    }
}
