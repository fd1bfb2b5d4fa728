import KinModel

extension ChatLife {
    static let showingNobody = [
        "room.open": "a room is no whereabouts",
        "room.update": "a room is no whereabouts",
        "room.leave": "a room is no whereabouts",
        "room.set": "it is about what is read",
        "message.send": "what a message is about is seen by its own rules; a spot is chosen by hand",
        "message.update": "words are no whereabouts",
        "message.remove": "words are no whereabouts",
        "message.read": "it is about what is read",
        "message.typing": "that somebody types is told to the room alone",
    ]

    static let hidden = [
        HiddenDeed("what two say to each other", from: .everybody) { stage in
            let room = try room(stage, ["with": [.id(try stage.id("nan"))]])
            try stage.does("nan", "message.typing", ["room": .id(room)])
            let message = try said(stage, "mo", room)
            try stage.does("nan", "message.read", ["room": .id(room), "upTo": .id(message)])
            try stage.does("nan", "room.set", ["room": .id(room), "showsRead": true])
            try stage.does(
                "mo", "message.update", ["room": .id(room), "message": .id(message), "text": .string(stage.words(9))])
            try stage.does(
                "nan", "message.send", ["room": .id(room), "text": .string(stage.words(9)), "reply": .id(message)])
            if stage.dice.once(in: 2) {
                try stage.does("mo", "message.remove", ["room": .id(room), "message": .id(message)])
            }
        },
        HiddenDeed("a group, who comes to it and goes, and what it is called", from: .everybody) { stage in
            let room = try room(stage, ["with": [.id(try stage.id("mia"))], "name": .string(stage.words(2))])
            try said(stage, "mo", room)
            try stage.does("mo", "room.update", ["room": .id(room), "add": [.id(try stage.id("nan"))]])
            try said(stage, "nan", room)
            try stage.does(
                "mo", "room.update", ["room": .id(room), "remove": [.id(try stage.id("mia"))], "name": .null])
            for who in ["nan", "mo"] { try stage.does(who, "room.leave", ["room": .id(room)]) }
        },
        HiddenDeed("pictures and spots in a room of two", from: .everybody) { stage in
            let room = try room(stage, ["with": [.id(try stage.id("nan"))]])
            let picture = try stage.hide(
                try stage.does(
                    "mo", "picture.add", ["picture": PicturesLife.picture(stage.words(3)), "for": "message"]), "picture"
            )
            let message = try stage.hide(
                try stage.does(
                    "mo", "message.send",
                    [
                        "room": .id(room),
                        "pictures": [["picture": .id(picture), "caption": .string(stage.words(3))]],
                        "spot": ["lat": .double(Double(stage.dice.below(80))), "lon": 11.5],
                    ]), "message")
            try stage.does("nan", "message.read", ["room": .id(room), "upTo": .id(message)])
            if stage.dice.once(in: 2) {
                try stage.does("mo", "message.remove", ["room": .id(room), "message": .id(message)])
            } else {
                try stage.does("mo", "picture.remove", ["picture": .id(picture)])
            }
        },
        HiddenDeed("what a household says among itself", from: .everybody) { stage in
            let rooms = try stage.does("mia", "room.list", [:])["rooms"]?.array ?? []
            let own = rooms.compactMap { SeenRoom($0) }.first { $0.room.kind == .household }?.room.id
            guard let own else { return }
            let message = try said(stage, "mo", own)
            try stage.does("mia", "message.read", ["room": .id(own), "upTo": .id(message)])
        },
        HiddenDeed("what the family says, from guests", from: .guests) { stage in
            let rooms = try stage.does("mia", "room.list", [:])["rooms"]?.array ?? []
            let all = rooms.compactMap { SeenRoom($0) }.first { $0.room.kind == .family }?.room.id
            guard let all else { return }
            let message = try said(stage, "mo", all)
            try stage.does("nan", "message.read", ["room": .id(all), "upTo": .id(message)])
        },
    ]

    private static func room(_ stage: any HiddenStage, _ params: JSON) throws -> Identifier {
        let result = try stage.does("mo", "room.open", params)
        return try stage.hide(result["room"] ?? .null, "room")
    }

    @discardableResult
    private static func said(_ stage: any HiddenStage, _ who: String, _ room: Identifier) throws -> Identifier {
        try stage.hide(
            try stage.does(who, "message.send", ["room": .id(room), "text": .string(stage.words(9))]), "message")
    }
}
