import KinModel

extension PicturesLife {
    static let showingNobody = [
        "picture.add": "a picture is kept without its position",
        "picture.setFilm": "a film is kept without its position",
        "picture.addDocument": "what a document says its sender says, and no position is read from it",
        "picture.update": "a picture is kept without its position",
        "picture.remove": "a picture is kept without its position",
        "picture.restore": "a picture is kept without its position",
        "picture.shareAlbum": "a picture is kept without its position",
        "picture.collage": "a picture is kept without its position",
        "picture.leave": "a picture is kept without its position",
        "picture.like": "a like is no whereabouts",
    ]

    static let hidden = [
        HiddenDeed("a picture for nobody else, and its way through the bin", from: .everybody) { stage in
            let picture = try send(stage, [])
            try stage.does(
                "mo", "picture.setFilm", ["picture": .id(picture), "film": PicturesLife.film(stage.words(4))])
            try stage.does("mo", "picture.update", ["picture": .id(picture), "caption": .string(stage.words(5))])
            try stage.does("mo", "picture.remove", ["picture": .id(picture)])
            if stage.dice.once(in: 2) { return }
            try stage.does("mo", "picture.restore", ["picture": .id(picture)])
        },
        HiddenDeed("a document for nobody else, sent twice, and its way through the bin", from: .everybody) { stage in
            let words = stage.words(4)
            let document = try stage.hide(try sendDocument(stage, words, []), "picture")
            try stage.does("mo", "picture.remove", ["picture": .id(document)])
            try sendDocument(stage, words, [])
            try stage.does("mo", "picture.remove", ["picture": .id(document), "atOnce": true])
        },
        HiddenDeed("a document for everyone, from guests", from: .guests) { stage in
            let document = try stage.hide(try sendDocument(stage, stage.words(4), "everyone"), "picture")
            try stage.does("mo", "picture.update", ["picture": .id(document), "caption": .string(stage.words(3))])
        },
        HiddenDeed("a picture that comes out of the bin, and goes with its pixels", from: .everybody) { stage in
            let picture = try send(stage, [])
            try stage.does("mo", "picture.remove", ["picture": .id(picture)])
            try stage.does("mo", "picture.restore", ["picture": .id(picture)])
            try stage.does("mo", "picture.remove", ["picture": .id(picture), "atOnce": true])
        },
        HiddenDeed("a collage of pictures for nobody else, and its way through the bin", from: .everybody) { stage in
            let both = try (0..<2).map { _ in JSON.id(try send(stage, [])) }
            let collage: JSON = ["pictures": .array(both), "caption": .string(stage.words(3))]
            let made = try stage.hide(try stage.does("mo", "picture.collage", collage), "picture")
            try stage.does("mo", "picture.remove", ["picture": .id(made)])
        },
        HiddenDeed("a collage for everyone, from guests", from: .guests) { stage in
            let both = try (0..<2).map { _ in JSON.id(try send(stage, "everyone")) }
            try stage.hide(
                try stage.does("mo", "picture.collage", ["pictures": .array(both), "audience": "everyone"]), "picture")
        },
        HiddenDeed("a picture of somebody, for one and then in a post for another", from: .everybody) { stage in
            let picture = try send(stage, [.id(try stage.id("mia"))])
            try stage.does("mo", "picture.update", ["picture": .id(picture), "people": [.id(try stage.id("mia"))]])
            try stage.does("mia", "picture.leave", ["picture": .id(picture)])
            try stage.does("mia", "picture.like", ["picture": .id(picture), "reaction": "love"])
            try stage.does(
                "mo", "post.add",
                [
                    "pictures": [["picture": .id(picture), "caption": .string(stage.words(5))]],
                    "audience": [.id(try stage.id("nan"))],
                ])
            try stage.does("mo", "picture.remove", ["picture": .id(picture)])
        },
        HiddenDeed("a picture for everyone, from guests", from: .guests) { stage in
            let picture = try send(stage, "everyone")
            let album = JSON.string(stage.words(2))
            try stage.does(
                "mo", "picture.update",
                ["picture": .id(picture), "category": .string(stage.words(2)), "album": album])
            try stage.does("nan", "picture.like", ["picture": .id(picture), "reaction": "wow"])
            try stage.does("nan", "picture.like", ["picture": .id(picture), "reaction": .null])
            try stage.does("mo", "picture.shareAlbum", ["album": album, "audience": []])
        },
        HiddenDeed("a picture for a household, from its guests", from: .guests) { stage in
            let picture = try send(stage, "household")
            try stage.does("mo", "picture.update", ["picture": .id(picture), "caption": .string(stage.words(5))])
        },
    ]

    @discardableResult
    private static func sendDocument(_ stage: any HiddenStage, _ words: String, _ audience: JSON) throws -> JSON {
        try stage.does(
            "mo", "picture.addDocument",
            ["document": document(words), "name": .string(words + ".txt"), "audience": audience])
    }

    private static func send(_ stage: any HiddenStage, _ audience: JSON) throws -> Identifier {
        try stage.hide(
            try stage.does("mo", "picture.add", ["picture": picture(stage.words(3)), "audience": audience]), "picture")
    }
}
