import KinModel

extension ListsLife {
    static let showingNobody = [
        "list.add": "a list is no whereabouts",
        "list.update": "a list is no whereabouts",
        "list.remove": "a list is no whereabouts",
        "list.notify": "a list is no whereabouts",
        "item.put": "a list is no whereabouts",
        "item.remove": "a list is no whereabouts",
        "list.putTodo": "a list is no whereabouts",
        "list.dropTodo": "a list is no whereabouts",
        "list.makeShelf": "a list is no whereabouts",
        "list.setShelf": "a list is no whereabouts",
        "list.dropShelf": "a list is no whereabouts",
    ]

    private static let item: JSON = "01980000-0000-7000-8000-00000000abcd"

    static let hidden = [
        HiddenDeed("a list for nobody else, with what stands on it", from: .everybody) { stage in
            let list = try list(stage, [])
            try stage.does("mo", "list.notify", ["list": .id(list), "on": true])
            try stage.does(
                "mo", "item.put", ["list": .id(list), "items": [["id": item, "text": .string(stage.words(9))]]])
            try stage.does("mo", "item.put", ["list": .id(list), "items": [["id": item, "ticked": true]]])
            if stage.dice.once(in: 2) { try stage.does("mo", "item.remove", ["list": .id(list), "items": [item]]) }
            if stage.dice.once(in: 2) { try stage.does("mo", "list.remove", ["list": .id(list)]) }
        },
        HiddenDeed("a list for one and then for another", from: .everybody) { stage in
            let list = try list(stage, [.id(try stage.id("mia"))])
            try stage.does("mo", "list.notify", ["list": .id(list), "on": true])
            try stage.does(
                "mia", "item.put", ["list": .id(list), "items": [["id": item, "text": .string(stage.words(9))]]])
            try stage.does("mo", "list.update", ["list": .id(list), "audience": [.id(try stage.id("nan"))]])
            try stage.does("mo", "list.update", ["list": .id(list), "name": .string(stage.words(3))])
            try stage.does("mo", "list.remove", ["list": .id(list)])
        },
        HiddenDeed("what goes round between two, and belongs to an entry of theirs", from: .everybody) { stage in
            let made = try stage.does(
                "mo", "entry.add",
                [
                    "subject": .string(stage.words(9)), "start": "2027-03-01T10:00", "zone": "Europe/Berlin",
                    "invitees": [.id(try stage.id("nan"))],
                ])
            let entry = try stage.hide(made, "entry")
            let list = try list(stage, [.id(try stage.id("nan"))])
            let turns: JSON = [.id(try stage.id("mo")), .id(try stage.id("nan"))]
            try stage.does(
                "nan", "item.put",
                [
                    "list": .id(list),
                    "items": [
                        [
                            "id": item, "text": .string(stage.words(9)), "due": "2027-03-01", "repeat": "weekly",
                            "turns": turns,
                        ]
                    ],
                ])
            try stage.does("mo", "list.update", ["list": .id(list), "about": .string("entry/\(entry)")])
            try stage.does("mo", "item.put", ["list": .id(list), "items": [["id": item, "ticked": true]]])
            if stage.dice.once(in: 2) { try stage.does("mo", "entry.remove", ["entry": .id(entry)]) }
            if stage.dice.once(in: 2) { try stage.does("mo", "list.update", ["list": .id(list), "audience": []]) }
        },
        HiddenDeed("a list for everyone, from guests", from: .guests) { stage in
            let list = try list(stage, "everyone")
            try stage.does(
                "nan", "item.put", ["list": .id(list), "items": [["id": item, "text": .string(stage.words(9))]]])
        },
    ]

    private static func list(_ stage: any HiddenStage, _ audience: JSON) throws -> Identifier {
        try stage.hide(
            try stage.does("mo", "list.add", ["name": .string(stage.words(3)), "audience": audience]), "list")
    }
}
