import KinModel

extension PostsLife {
    static let showingNobody = [
        "post.add": "a post is no whereabouts",
        "post.update": "a post is no whereabouts",
        "post.remove": "a post is no whereabouts",
        "comment.add": "a comment is no whereabouts",
        "comment.update": "a comment is no whereabouts",
        "comment.remove": "a comment is no whereabouts",
        "like.set": "a like is no whereabouts",
        "post.share": "a post is no whereabouts",
        "post.unshare": "a post is no whereabouts",
        "news.allowOutside": "whether news are read outside",
        "news.subscribe": "news from outside are no whereabouts",
        "news.update": "news from outside are no whereabouts",
        "news.remove": "news from outside are no whereabouts",
        "news.refresh": "news from outside are no whereabouts",
        "news.readOutside": "the daemon itself",
        "news.like": "news from outside are no whereabouts",
        "news.star": "news from outside are no whereabouts",
        "news.see": "how far somebody read",
    ]

    static let hidden = [
        HiddenDeed("a post for nobody else, with what stands under it", from: .everybody) { stage in
            let post = try post(stage, [])
            let comment = try stage.hide(
                try stage.does("mo", "comment.add", ["post": .id(post), "text": .string(stage.words(9))]), "comment")
            try stage.does("mo", "like.set", ["post": .id(post), "comment": .id(comment), "reaction": "love"])
            try stage.does(
                "mo", "comment.add", ["post": .id(post), "to": .id(comment), "text": .string(stage.words(9))])
            try stage.does(
                "mo", "comment.update",
                ["post": .id(post), "comment": .id(comment), "text": .string(stage.words(9))])
            try stage.does("mo", "comment.remove", ["post": .id(post), "comment": .id(comment)])
            try stage.does("mo", "like.set", ["post": .id(post), "reaction": "love"])
            // An identifier says when it was made.
            let until = Instant(milliseconds: Int64(post.high >> 16)).adding(days: 3)
            let link = try stage.hide(
                try stage.does("mo", "post.share", ["post": .id(post), "until": .time(until)]), "link")
            if stage.dice.once(in: 2) { try stage.does("mo", "post.unshare", ["link": .id(link)]) }
            if stage.dice.once(in: 2) {
                try stage.does("mo", "post.update", ["post": .id(post), "text": .string(stage.words(9))])
            }
            if stage.dice.once(in: 2) { try stage.does("mo", "post.remove", ["post": .id(post)]) }
        },
        HiddenDeed("a post for one and then for another", from: .everybody) { stage in
            let post = try post(stage, [.id(try stage.id("mia"))])
            try stage.does("mia", "comment.add", ["post": .id(post), "text": .string(stage.words(9))])
            try stage.does("mo", "post.update", ["post": .id(post), "audience": [.id(try stage.id("nan"))]])
            try stage.does("mo", "post.update", ["post": .id(post), "text": .string(stage.words(3))])
            try stage.does("mo", "post.remove", ["post": .id(post)])
        },
        HiddenDeed("a post for everyone, from guests", from: .guests) { stage in
            let post = try post(stage, "everyone")
            try stage.does("nan", "comment.add", ["post": .id(post), "text": .string(stage.words(9))])
            try stage.does("nan", "like.set", ["post": .id(post), "reaction": "wow"])
        },
        HiddenDeed("a post for a household, from its guests", from: .guests) { stage in
            let post = try post(stage, "household")
            try stage.does("mo", "post.update", ["post": .id(post), "text": .string(stage.words(9))])
        },
    ]

    private static func post(_ stage: any HiddenStage, _ audience: JSON) throws -> Identifier {
        try stage.hide(
            try stage.does("mo", "post.add", ["text": .string(stage.words(3)), "audience": audience]), "post")
    }
}
