import KinModel

extension PostsLife {
    static let stories = [
        FoldStory(
            "posts",
            "A post is written, commented and liked by two; it is hidden from one, shown again with what stands under it, and removed.",
            view: "posts"
        ) { (family) throws(Finding) in
            try family.asks("ada", "post.add", ["text": "Good morning"])
            try family.comes()
            try family.asks("ada", "post.add", ["text": "Soup is ready"])
            let post = try family.told("post.added")["post"]?["id"] ?? .null
            try family.asks("ben", "comment.add", ["post": post, "text": "On my way"])
            let comment = try family.told("comment.added")["comment"]?["id"] ?? .null
            try family.asks("ben", "like.set", ["post": post, "reaction": "love"])
            try family.asks("ada", "like.set", ["post": post, "comment": comment, "reaction": "thanks"])
            try family.compare()
            try family.asks("ada", "comment.add", ["post": post, "to": comment, "text": "Bring bread"])
            try family.compare()
            try family.asks("ada", "post.update", ["post": post, "text": "Soup is on the table", "pinned": true])
            try family.asks("ben", "comment.update", ["post": post, "comment": comment, "text": "Almost there"])
            try family.asks("ben", "like.set", ["post": post, "reaction": .null])
            try family.compare()
            try family.asks("ada", "post.update", ["post": post, "audience": []])
            try family.compare()
            try family.asks("ada", "post.update", ["post": post, "audience": "everyone"])
            try family.compare()
            try family.asks("ben", "comment.remove", ["post": post, "comment": comment])
            try family.compare()
            try family.asks("ada", "post.remove", ["post": post])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ada", "post.add", ["text": "Good morning"])
    }
}
