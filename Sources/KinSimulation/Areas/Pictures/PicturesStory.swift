import KinModel

extension PicturesLife {
    static let stories = [
        FoldStory(
            "pictures",
            "A picture is sent, named, liked, hidden from one, shown again, put into the bin, taken out, hung in a post, and gone with it.",
            view: "pictures"
        ) { (family) throws(Finding) in
            try family.asks("ada", "picture.add", ["picture": picture("morning"), "audience": "everyone"])
            try family.comes()
            try family.asks(
                "ada", "picture.add", ["picture": picture("soup"), "caption": "Soup", "audience": "everyone"])
            let id = try family.told("picture.added")["picture"]?["id"] ?? .null
            try family.asks(
                "ada", "picture.update", ["picture": id, "people": [family.id("ben")], "category": "everyday"])
            try family.compare()
            try family.asks("ben", "picture.like", ["picture": id, "reaction": "love"])
            try family.asks("ada", "picture.like", ["picture": id, "reaction": "thanks"])
            try family.compare()
            try family.asks("ben", "picture.like", ["picture": id, "reaction": .null])
            try family.compare()
            try family.asks("ada", "picture.update", ["picture": id, "audience": []])
            try family.compare()
            try family.asks("ada", "picture.update", ["picture": id, "audience": "everyone"])
            try family.compare()
            try family.asks("ada", "picture.remove", ["picture": id])
            try family.compare()
            try family.asks("ada", "picture.restore", ["picture": id])
            try family.compare()
            try family.asks("ada", "post.add", ["pictures": [["picture": id, "caption": "Soup"]]])
            try family.compare()
            try family.asks("ada", "picture.remove", ["picture": id, "atOnce": true])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ada", "picture.add", ["picture": picture("day"), "audience": "everyone"])
    }
}
