import KinModel

/// What members tell the family, and what the others say to it.
extension PostsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "posts",
            known: [KnownPosts.self, KnownNews.self], sentence: { $0.posts() ?? $0.news() },
            line: { (voice, line, _) in voice.post(line) },
            headings: [
                "post": { (voice, id) in id.map { voice.names.post($0, voice.reader) } ?? "" },
                "news": { (voice, id) in id.map { voice.names.news($0, voice.reader) } ?? "" },
            ],
            signs: ["post": ("speech_balloon", "posts"), "news": ("newspaper", "posts")])
    }
}

extension Voice {
    /// What happened to a post or under it.
    func posts() -> String? {
        switch event.type {
        case Post.added.name: event[Post.added].map { told("event.post.added", $0.post) }
        case Post.updated.name: event[Post.updated].map { told("event.post.updated", $0.post) }
        case Post.shown.name: event[Post.shown].map { told("event.post.shown", $0.post) }
        case Post.hidden.name: event[Post.hidden].map { _ in phrase("event.post.hidden") }
        case Post.removed.name: event[Post.removed].map { _ in phrase("event.post.removed", ["by": somebody]) }
        case Comment.added.name:
            event[Comment.added].map {
                told($0.comment.to == nil ? "event.comment.added" : "event.comment.answered", $0.comment)
            }
        case Comment.updated.name: event[Comment.updated].map { told("event.comment.updated", $0.comment) }
        case Comment.removed.name:
            event[Comment.removed].map {
                phrase("event.comment.removed", ["by": somebody, "post": names.post($0.post, reader)])
            }
        case Like.set.name: event[Like.set].map { liked($0) }
        default: nil
        }
    }

    private var somebody: String { by ?? phrase("by.daemon") }

    private func told(_ key: String, _ post: Post) -> String {
        phrase(key, ["by": names.member(post.author, reader), "text": post.headline ?? phrase("names.a-post")])
    }

    private func told(_ key: String, _ comment: Comment) -> String {
        phrase(
            key,
            [
                "by": names.member(comment.author, reader), "post": names.post(comment.post, reader),
                "text": Plain.line(comment.text),
            ])
    }

    private func liked(_ like: Like.Given) -> String {
        let place = like.comment == nil ? "post" : "comment"
        let key = like.reaction == nil ? "event.like.\(place).none" : "event.like.\(place)"
        return phrase(
            key,
            [
                "by": names.member(like.member, reader), "post": names.post(like.post, reader),
                "sign": like.reaction?.sign ?? "",
            ])
    }
}

extension InboxVoice {
    /// What a line says of a post.
    func post(_ line: JSON) -> String? {
        let by = by(line)
        switch line["kind"]?.string {
        case "posted": return phrase("inbox.posted", ["by": by])
        case "mentioned": return phrase("inbox.mentioned", ["by": by])
        case "commented": return phrase("inbox.commented", ["by": by])
        case "answered": return phrase("inbox.answered", ["by": by])
        case "liked":
            let sign = line["reaction"]?.string.flatMap { Like.Reaction(rawValue: $0) }?.sign ?? ""
            return phrase("inbox.liked", ["by": by, "sign": sign])
        case "newsStopped":
            let trouble = line["trouble"]?.string.flatMap { NewsSource.Trouble(rawValue: $0) } ?? .failing
            return phrase("inbox.news-stopped", ["why": phrase("news.trouble.\(trouble.rawValue)")])
        default: return nil
        }
    }
}
