import KinModel

extension ListsLife {
    private static let items: [JSON] = [
        "01980000-0000-7000-8000-00000000000a", "01980000-0000-7000-8000-00000000000b",
    ]

    static let stories = [
        FoldStory(
            "lists",
            "A list is made, filled, ticked and sorted by two; something on it repeats, and is due again once it is ticked; it is hidden from one, shown again with what is on it, and removed.",
            view: "lists"
        ) { (family) throws(Finding) in
            try family.asks("ada", "list.add", ["name": "Chores", "kind": "tasks"])
            try family.comes()
            try family.asks("ada", "list.add", ["name": "Groceries", "sections": ["Fruit", "Milk"]])
            let list = try family.told("list.added")["list"]?["id"] ?? .null
            try family.asks(
                "ada", "item.put",
                [
                    "list": list,
                    "items": [
                        ["id": items[0], "text": "Milk", "amount": 2, "unit": "l", "section": "Milk"],
                        ["id": items[1], "text": "Apples", "section": "Fruit"],
                    ],
                ])
            try family.asks("ben", "item.put", ["list": list, "items": [["id": items[0], "ticked": true]]])
            try family.asks("ada", "item.put", ["list": list, "items": [["id": items[1], "order": "00"]]])
            try family.compare()
            try family.asks(
                "ada", "item.put",
                ["list": list, "items": [["id": items[1], "due": "2027-03-01", "repeat": "weekly"]]])
            try family.asks(
                "ben", "item.put",
                ["list": list, "items": [["id": items[1], "ticked": true, "occurrence": "2027-03-01"]]])
            try family.compare()
            try family.asks("ada", "list.update", ["list": list, "name": "Market"])
            try family.asks("ada", "list.update", ["list": list, "audience": []])
            try family.compare()
            try family.asks("ada", "list.update", ["list": list, "audience": "everyone"])
            try family.compare()
            try family.asks("ben", "item.remove", ["list": list, "items": [items[1]]])
            try family.compare()
            try family.asks("ada", "list.remove", ["list": list])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ada", "list.add", ["name": "Chores", "kind": "tasks"])
    }
}
