import KinLoop
import KinModel
import KinWords

/// Writes and shows posts. A post is named by its number in the feed as it was shown last.
enum PostCommands {
    private static let perPage: Int64 = 20

    // MARK: Looking

    static func feed(_ call: Invocation, words: String? = nil, before: Identifier? = nil) throws(Problem) {
        var limit = perPage
        if let text = call.value("limit") {
            guard let count = Int64(text), (1...50).contains(count) else { throw .usage(phrase("feed.bad-limit")) }
            limit = count
        }
        let author = try call.value("by").map { (name) throws(Problem) in try People(call).member(name).id }
        let result = try call.call(
            "post.list",
            .object(leavingOut: [
                "limit": .int(limit), "words": words.map { .string($0) }, "by": author.map { .id($0) },
                "before": before.map { .id($0) },
            ]))
        if call.wantsJSON { return call.output.say(result) }
        let posts = (result["posts"]?.array ?? []).compactMap(Post.init)
        guard !posts.isEmpty else {
            let isAll = words == nil && author == nil
            return call.output.say(
                before != nil ? phrase("feed.no-older") : isAll ? phrase("feed.none") : phrase("feed.none-found"))
        }
        LastList(call, "feed")?.keep(posts.map(\.id))
        let names = try People(call).names
        for (index, post) in posts.enumerated() {
            for line in lines(post, Plain.padded("\(index + 1)", 4), names, call) { call.output.say(line) }
        }
        call.output.say(phrase(result["next"] == nil ? "feed.hint" : "feed.hint-older"))
    }

    /// Shows the posts before those that were shown last.
    static func older(_ call: Invocation) throws(Problem) {
        guard let last = LastList(call, "feed")?.ids?.last else { return try feed(call) }
        try feed(call, before: last)
    }

    static func show(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[0], call)
        let result = try call.call("post.show", ["post": .id(id)])
        if call.wantsJSON { return call.output.say(result) }
        guard let post = result["post"].flatMap(Post.init) else { return }
        let names = try People(call).names
        for line in lines(post, "", names, call) { call.output.say(line) }
        if let whom = result["post"]?["audience"] { call.output.say(AudienceWords.said(whom, names)) }
        var said = (result["comments"]?.array ?? []).compactMap(Comment.init)
        var next = result["next"]
        // A post comes with its newest comments. Earlier ones are asked for page by page.
        while let before = next {
            let page = try call.call("comment.list", ["post": .id(id), "before": before, "limit": 50])
            said = (page["comments"]?.array ?? []).compactMap(Comment.init) + said
            next = page["next"]
        }
        let comments = Comment.threads(said)
        LastList(call, "comments")?.keep([id] + comments.map(\.id))
        for (index, comment) in comments.enumerated() {
            var head = heading(comment.author, comment.at, comment.edited, names)
            // The comment that it answers was removed.
            if let to = comment.to, !comments.contains(where: { $0.id == to }) {
                head += " · " + phrase("feed.answers-another")
            }
            let indent = comment.to == nil ? "  " : "      "
            call.output.say(indent + Plain.padded("\(index + 1)", 4) + head + likes(comment.likes))
            for line in text(comment.text) { call.output.say(indent + "    " + line) }
        }
    }

    /// `Mia · today 12:03 · edited`.
    private static func heading(_ author: Identifier, _ at: Instant, _ edited: Instant?, _ names: Names) -> String {
        [names.member(author), LocalTime.near(at), edited.map { _ in phrase("feed.edited") }]
            .compactMap(\.self).joined(separator: " · ")
    }

    private static func likes(_ likes: [Like]) -> String {
        let counts = Like.Reaction.allCases.compactMap { reaction -> String? in
            let count = likes.count { $0.reaction == reaction }
            return count == 0 ? nil : "\(reaction.sign) \(count)"
        }
        return counts.isEmpty ? "" : " · " + counts.joined(separator: "  ")
    }

    private static func text(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Plain.line(String($0)) }
    }

    private static func lines(_ post: Post, _ number: String, _ names: Names, _ call: Invocation) -> [String] {
        var head = heading(post.author, post.at, post.edited, names) + likes(post.likes)
        if post.comments > 0 { head += " · " + phrase("feed.comments", ["n": post.comments]) }
        if post.isPinned { head += " · " + phrase("feed.pinned") }
        let indent = String(repeating: " ", count: number.count)
        var lines = [number + call.output.styled(head, "1")]
        lines += text(post.text ?? "").map { indent + $0 }.filter { !$0.allSatisfy(\.isWhitespace) || post.text != nil }
        if let link = post.link { lines.append(indent + Plain.line(link)) }
        if let other = MessageCommands.about(post.about, call) { lines.append(indent + other) }
        let documents = post.pictures.compactMap(\.document)
        let count = post.pictures.count - documents.count
        if count > 0 { lines.append(indent + phrase("feed.pictures", ["n": count])) }
        for one in documents {
            lines.append(
                indent + phrase("feed.document", ["name": Plain.line(one.name), "size": Words.bytes(one.bytes)]))
        }
        for caption in post.pictures.compactMap(\.caption) { lines.append(indent + "  " + Plain.line(caption)) }
        return lines
    }

    /// Prints a post's words as plain text for another program: no author, no comments, and nothing about the thing
    /// that it is about. Its link has a line of its own.
    static func sendOn(_ call: Invocation) throws(Problem) {
        guard call.words.count == 2, call.words[0] == "share", !call.has("until") else { throw call.misused }
        let id = try find(call.words[1], call)
        let post = try call.call("post.show", ["post": .id(id)])["post"].flatMap(Post.init)
        let lines = text(post?.text ?? "").filter { post?.text != nil || !$0.isEmpty }
        let all = (lines + [post?.link.map { Plain.line($0) }].compactMap(\.self)).joined(separator: "\n")
        guard !all.isEmpty else { throw Problem(.refused, phrase("post.no-words")) }
        call.answer(["text": .string(all)], all)
    }

    // MARK: Writing

    static func add(_ call: Invocation) throws(Problem) {
        let text = call.words.joined(separator: " ")
        let (files, documents) = (call.values("picture"), call.values("document"))
        var about = try ThingChoice.named(call)
        var pictures = try PictureCommands.saved(call)
        if let number = call.value("quote") {
            guard about == nil else { throw call.misused }
            about = "post/\(try find(number, call))"
        }
        let isBare = files.isEmpty && documents.isEmpty && pictures.isEmpty
        guard !text.isEmpty || call.value("link") != nil || about != nil || !isBare else { throw call.misused }
        for file in documents { _ = try PictureUpload.filmBytes(file, isDocument: true) }
        for file in files { pictures.append(["picture": .id(try PictureUpload.send(file, ["for": "post"], call))]) }
        for file in documents {
            pictures.append(["picture": .id(try PictureUpload.sendDocument(file, ["for": "post"], call))])
        }
        let result = try call.call(
            "post.add",
            .object(leavingOut: [
                "text": text.isEmpty ? nil : .string(text),
                "link": call.value("link").map { link($0) },
                "pictures": pictures.isEmpty ? nil : .array(pictures), "about": about.map { .string($0) },
                "audience": try call.value("for").map { (text) throws(Problem) in try AudienceWords.typed(text, call) },
            ]))
        let whom = result["post"]?["audience"] ?? "everyone"
        call.answer(result, phrase("post.done", ["audience": AudienceWords.said(whom, try People(call).names)]))
    }

    private static func link(_ text: String) -> JSON { .string(text.contains("://") ? text : "https://" + text) }

    static func edit(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let text = call.words.dropFirst(2).joined(separator: " ")
        var said: JSON.Object = ["post": .id(id)]
        if !text.isEmpty { said["text"] = .string(text) }
        if let page = call.value("link") { said["link"] = page.lowercased() == "none" ? JSON.null : link(page) }
        guard said.members.count > 1 else { throw call.misused }
        call.answer(try call.call("post.update", .object(said)), phrase("feed.changed"))
    }

    static func pin(_ call: Invocation, _ isPinned: Bool) throws(Problem) {
        let id = try find(call.words[1], call)
        call.answer(
            try call.call("post.update", ["post": .id(id), "pinned": .bool(isPinned)]),
            phrase(isPinned ? "feed.is-pinned" : "feed.is-unpinned"))
    }

    static func share(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let whom = try AudienceWords.typed(call.words[2], call)
        let result = try call.call("post.update", ["post": .id(id), "audience": whom])
        call.answer(
            result, phrase("feed.shared", ["audience": AudienceWords.said(whom, try People(call).names)]))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        guard Input.confirms(call, phrase("feed.remove")) else { throw Input.kept(phrase("feed.kept")) }
        call.answer(try call.call("post.remove", ["post": .id(id)]), phrase("feed.removed"))
    }

    /// The post with a number in the feed as it was shown last, or with an identifier.
    static func find(_ text: String, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let ids = LastList(call, "feed")?.ids ?? []
        guard let number = Int(text), ids.indices.contains(number - 1) else {
            throw Problem(.refused, phrase("feed.no-number", ["number": Plain.line(text)]))
        }
        return ids[number - 1]
    }
}
