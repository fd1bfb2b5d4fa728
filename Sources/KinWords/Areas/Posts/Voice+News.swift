package import KinModel

/// Sources of news as one sees them: what each is called.
package struct KnownNews: Known {
    private var names: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {}

    package mutating func learn(_ data: JSON) {
        if let source = data["source"].flatMap(NewsSource.init), let name = source.name {
            names[source.id] = name
        } else if let id = data["source"]?.identifier, let name = data["name"]?.string {
            names[id] = name
        }
    }

    package mutating func learn(_ event: Event) { if event.type.hasPrefix("news.") { learn(event.data) } }

    fileprivate subscript(id: Identifier) -> String? { names[id] }
}

extension Names {
    /// What the news of a source are called.
    package func news(_ source: Identifier, _ reader: Reader) -> String {
        self[KnownNews.self][source].map { reader.phrase("names.news", ["source": Plain.line($0)]) }
            ?? reader.phrase("names.some-news")
    }
}

extension Voice {
    /// What happened to sources of news, and what is said to news.
    func news() -> String? {
        switch event.type {
        case NewsSource.added.name:
            event[NewsSource.added].map { phrase("event.news.source-added", ["source": called($0.source)]) }
        case NewsSource.changed.name: event[NewsSource.changed].map { changed($0.source) }
        case NewsSource.hidden.name: event[NewsSource.hidden].map { _ in phrase("event.news.source-hidden") }
        case NewsSource.removed.name:
            event[NewsSource.removed].map { _ in
                phrase("event.news.source-removed", ["by": by ?? phrase("by.daemon")])
            }
        case NewsSource.stopped.name:
            event[NewsSource.stopped].map {
                phrase("event.news.stopped", ["why": phrase("news.trouble.\($0.trouble.rawValue)")])
            }
        case NewsSource.read.name: event[NewsSource.read].map { read($0) }
        case NewsItem.liked.name: event[NewsItem.liked].map { liked($0) }
        case NewsItem.starred.name:
            event[NewsItem.starred].map {
                phrase("event.news.starred", ["n": $0.stars.count, "news": names.news($0.source, reader)])
            }
        case NewsItem.seen.name:
            event[NewsItem.seen].map { phrase("event.news.seen", ["time": reader.near($0.upTo, now: event.at)]) }
        default: nil
        }
    }

    private func called(_ source: NewsSource) -> String {
        source.name.map { Plain.line($0) } ?? phrase("names.some-news")
    }

    private func changed(_ source: NewsSource) -> String {
        guard let trouble = source.trouble else {
            return phrase("event.news.source-changed", ["source": called(source)])
        }
        return phrase(
            "event.news.source-trouble",
            ["source": called(source), "why": phrase("news.trouble.\(trouble.rawValue)")])
    }

    private func read(_ data: NewsSource.Read) -> String {
        let news = names.news(data.source, reader)
        return data.added > 0
            ? phrase("event.news.added", ["n": data.added, "source": data.name.map { Plain.line($0) } ?? news])
            : phrase("event.news.changed", ["n": data.changed, "source": data.name.map { Plain.line($0) } ?? news])
    }

    private func liked(_ like: NewsItem.Liked) -> String {
        phrase(
            like.reaction == nil ? "event.news.liked.none" : "event.news.liked",
            [
                "by": names.member(like.member, reader), "news": names.news(like.source, reader),
                "sign": like.reaction?.sign ?? "",
            ])
    }
}
