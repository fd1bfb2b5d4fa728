import KinModel

extension PicturesLife {
    static let showingNobody = [
        "picture.add": "a picture is kept without its position",
        "picture.setFilm": "a film is kept without its position",
        "picture.update": "a picture is kept without its position",
        "picture.remove": "a picture is kept without its position",
        "picture.restore": "a picture is kept without its position",
        "picture.shareAlbum": "a picture is kept without its position",
        "picture.leave": "a picture is kept without its position",
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
        HiddenDeed("a picture that comes out of the bin, and goes with its pixels", from: .everybody) { stage in
            let picture = try send(stage, [])
            try stage.does("mo", "picture.remove", ["picture": .id(picture)])
            try stage.does("mo", "picture.restore", ["picture": .id(picture)])
            try stage.does("mo", "picture.remove", ["picture": .id(picture), "atOnce": true])
        },
        HiddenDeed("a picture of somebody, for one and then in a post for another", from: .everybody) { stage in
            let picture = try send(stage, [.id(try stage.id("mia"))])
            try stage.does("mo", "picture.update", ["picture": .id(picture), "people": [.id(try stage.id("mia"))]])
            try stage.does("mia", "picture.leave", ["picture": .id(picture)])
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
            try stage.does("mo", "picture.shareAlbum", ["album": album, "audience": []])
        },
    ]

    private static func send(_ stage: any HiddenStage, _ audience: JSON) throws -> Identifier {
        try stage.hide(
            try stage.does("mo", "picture.add", ["picture": picture(stage.words(3)), "audience": audience]), "picture")
    }
}
