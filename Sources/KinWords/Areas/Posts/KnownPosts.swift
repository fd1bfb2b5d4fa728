package import KinModel

/// Posts as one sees them: what each is called, and what the newest event took away.
package struct KnownPosts: Known {
    private var titles: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for post in snapshot.posts.values { titles[post.id] = post.headline }
    }

    package mutating func learn(_ data: JSON) {
        if let post = data["post"].flatMap(Post.init) { titles[post.id] = post.headline }
    }

    package mutating func learn(_ event: Event) { learn(event.data) }

    fileprivate subscript(id: Identifier) -> String? { titles[id] }
}

extension Names {
    /// What a post is called.
    package func post(_ id: Identifier, _ reader: Reader) -> String {
        self[KnownPosts.self][id].map { reader.phrase("names.post", ["text": $0]) } ?? reader.phrase("names.a-post")
    }
}

extension Post {
    /// Characters of what a post is called.
    private static let headlineCharactersMax = 40

    /// What it is called in a sentence: the beginning of its first line, or where it points.
    package var headline: String? {
        guard let text = text ?? link else { return nil }
        let line = Plain.line(String(text.split(whereSeparator: \.isNewline).first ?? ""))
        guard line.count > Self.headlineCharactersMax else { return line }
        return line.prefix(Self.headlineCharactersMax - 1) + "…"
    }
}
