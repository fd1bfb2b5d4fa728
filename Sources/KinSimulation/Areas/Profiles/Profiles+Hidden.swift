import KinModel

extension ProfilesLife {
    static let showingNobody = [
        "profile.add": "what somebody says is no whereabouts",
        "profile.update": "what somebody says is no whereabouts",
        "profile.remove": "what somebody says is no whereabouts",
    ]

    static let hidden = [
        HiddenDeed("what somebody says of themselves to nobody", from: .everybody) { stage in
            let entry = try entry(stage, [])
            try stage.does("mo", "profile.update", ["entry": .id(entry), "value": .string(stage.words(9))])
            if stage.dice.once(in: 2) { try stage.does("mo", "profile.remove", ["entry": .id(entry)]) }
        },
        HiddenDeed("what somebody says of themselves to one and then to another", from: .everybody) { stage in
            let entry = try entry(stage, [.id(try stage.id("mia"))])
            try stage.does("mo", "profile.update", ["entry": .id(entry), "audience": [.id(try stage.id("nan"))]])
            try stage.does("mo", "profile.update", ["entry": .id(entry), "value": .string(stage.words(9))])
            try stage.does("mo", "profile.remove", ["entry": .id(entry)])
        },
        HiddenDeed("what somebody says of themselves to everyone, from guests", from: .guests) { stage in
            _ = try entry(stage, "everyone")
        },
    ]

    private static func entry(_ stage: any HiddenStage, _ audience: JSON) throws -> Identifier {
        try stage.hide(
            try stage.does(
                "mo", "profile.add", ["kind": "link", "value": .string(stage.words(9)), "audience": audience]),
            "entry")
    }
}
