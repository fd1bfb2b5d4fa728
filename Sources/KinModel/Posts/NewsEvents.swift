/// The events of sources of news, with their data. No event and no snapshot holds the news themselves: a client asks
/// for those that it shows.
extension NewsSource {
    package static let added = EventType(
        "news.sourceAdded", "A source of news, to each who sees its news from now on.", Whole.self, sight: .gives)
    package static let changed = EventType(
        "news.sourceChanged",
        "A source of news is called otherwise, or whether it can be read is another; who sees its news.", Whole.self,
        isLatestOnly: true)
    package static let hidden = EventType(
        "news.sourceHidden", "To each who sees the news of a source no longer.", Named.self, sight: .takes,
        clears: { ["news/\($0.source)"] })
    package static let removed = EventType(
        "news.sourceRemoved", "A source is gone with its news; who saw them.", Named.self, sight: .ends)
    package static let stopped = EventType(
        "news.stopped", "A source of news could not be read anew for a day; admins.", Stopped.self)
    package static let read = EventType(
        "news.added", "News of a source are new or changed: news.list shows them; who sees them.", Read.self,
        isLatestOnly: true)

    /// The whole source.
    package struct Whole: WireRecord {
        package let source: NewsSource

        package init(source: NewsSource) { self.source = source }

        package static let fields = Fields(
            nil, Whole.init(source:), .required("source", \.source, NewsSource.form))
    }

    /// The source, by its identifier.
    package struct Named: WireRecord {
        package let source: Identifier

        package init(source: Identifier) { self.source = source }

        package static let fields = Fields(nil, Named.init(source:), .required("source", \.source, .id))
    }

    /// Why it cannot be read.
    package struct Stopped: WireRecord {
        package let source: Identifier
        package let trouble: Trouble

        package init(source: Identifier, trouble: Trouble) { (self.source, self.trouble) = (source, trouble) }

        package static let fields = Fields(
            nil, Stopped.init(source:trouble:), .required("source", \.source, .id),
            .required("trouble", \.trouble, .word))
    }

    /// The counts of new and of changed news of one reading.
    package struct Read: WireRecord {
        package let source: Identifier
        package let name: String?
        package let added: Int
        package let changed: Int

        package init(source: Identifier, name: String?, added: Int, changed: Int) {
            (self.source, self.name, self.added, self.changed) = (source, name, added, changed)
        }

        package static let fields = Fields(
            nil, Read.init(source:name:added:changed:), .required("source", \.source, .id),
            .optional("name", \.name, NewsSource.nameForm),
            .required("added", \.added, .count(max: Limits.newsOfReadingMax), "How many are new by that reading."),
            .required("changed", \.changed, .count(max: Limits.newsOfReadingMax), "How many say something else."))
    }
}

/// The events of members' opinions of news, and of how far each member has seen them.
extension NewsItem {
    package static let liked = EventType(
        "news.liked", "What a member thinks of a piece of news, or nothing any more; who sees it.", Liked.self,
        isLatestOnly: true)
    package static let starred = EventType(
        "news.starred", "Who is interested in a piece of news is another; who sees it.", Starred.self,
        isLatestOnly: true)
    package static let seen = EventType(
        "news.seen", "A member has seen the news that were read by then; the member.", Seen.self, isLatestOnly: true)

    /// A member's word about a piece of news.
    package struct Liked: WireRecord {
        package let source: Identifier
        package let item: Identifier
        package let member: Identifier
        package let reaction: Like.Reaction?

        package init(source: Identifier, item: Identifier, member: Identifier, reaction: Like.Reaction?) {
            (self.source, self.item, self.member, self.reaction) = (source, item, member, reaction)
        }

        package static let fields = Fields(
            nil, Liked.init(source:item:member:reaction:), .required("source", \.source, .id),
            .required("item", \.item, .id), .required("member", \.member, .id),
            .optional("reaction", \.reaction, .word, "Absent: taken back."))
    }

    /// Who is interested now.
    package struct Starred: WireRecord {
        package let source: Identifier
        package let item: Identifier
        package let stars: [Identifier]

        package init(source: Identifier, item: Identifier, stars: [Identifier]) {
            (self.source, self.item, self.stars) = (source, item, stars)
        }

        package static let fields = Fields(
            nil, Starred.init(source:item:stars:), .required("source", \.source, .id),
            .required("item", \.item, .id), .required("stars", \.stars, .members, "By member."))
    }

    /// Until when.
    package struct Seen: WireRecord {
        package let upTo: Instant

        package init(upTo: Instant) { self.upTo = upTo }

        package static let fields = Fields(
            nil, Seen.init(upTo:), .required("upTo", \.upTo, .time, "News that were first read later are unread."))
    }
}
