/// The events of a member's inbox. Each says how many entries are unread from then on.
extension Inbox {
    package static let announced = EventType(
        "activity.announced", "An admin tells everyone something; the author is told too.", Announced.self)
    package static let said = EventType(
        "activity.said",
        "A member tells the family, households or members something; those who are told, and the author.",
        Announced.self)
    package static let corrected = EventType(
        "activity.corrected", "What was announced or said has another text; those who were told, and the author.",
        Announced.self)
    package static let announcementDeleted = EventType(
        "activity.deleted",
        "What was announced or said is gone: its author withdrew it, or left and took it along.", sight: .ends)
    package static let added = EventType(
        "activity.added", "An entry came into the member's inbox, or got another line; the member.", Added.self,
        isLatestOnly: true)
    package static let read = EventType(
        "activity.read", "The member has read everything up to a moment; the member.", Read.self)
    package static let dismissed = EventType(
        "activity.dismissed", "The member took an entry out of the inbox, or answered what it asks; the member.",
        Dismissed.self)
    package static let removed = EventType(
        "activity.removed", "Entries left the inbox with what they were about; the member.", Removed.self,
        sight: .takes, clears: { _ in [] })
    package static let digested = EventType(
        "activity.digested",
        "Every entry up to a moment, except official ones, is summed up by one; the member. Again when that one counts less.",
        Digested.self, isLatestOnly: true)

    /// The text of what was announced or said.
    package struct Announced: WireRecord {
        package let text: String

        package init(text: String) { self.text = text }

        package static let fields = Fields(
            nil, Announced.init(text:),
            .required("text", \.text, .text(max: Limits.announcementCharactersMax)))
    }

    /// An entry as it is now.
    package struct Added: WireRecord {
        package let entry: InboxEntry
        package let unread: Int64
        package let again: Bool?

        package init(entry: InboxEntry, unread: Int64, again: Bool?) {
            self.entry = entry
            self.unread = unread
            self.again = again
        }

        package static let fields: Fields<Added> = fields(entry: InboxEntry.shape)

        /// The same, where it is known what entries look like.
        package static func fields(entry: Shape) -> Fields<Added> {
            Fields(
                nil, Added.init(entry:unread:again:),
                .required("entry", \.entry, InboxEntry.form.shaped(entry)),
                .required("unread", \.unread, .unread, Inbox.unreadSummary),
                .optional(
                    "again", \.again, .bool, "True when it is no news: it came into view because another left."))
        }
    }

    /// Until when all is read.
    package struct Read: WireRecord {
        package let upTo: Instant
        package let unread: Int64

        package init(upTo: Instant, unread: Int64) {
            self.upTo = upTo
            self.unread = unread
        }

        package static let fields = Fields(
            nil, Read.init(upTo:unread:),
            .required("upTo", \.upTo, .time),
            .required("unread", \.unread, .unread, Inbox.unreadSummary))
    }

    /// Which entry is gone.
    package struct Dismissed: WireRecord {
        package let id: Identifier
        package let unread: Int64

        package init(id: Identifier, unread: Int64) {
            self.id = id
            self.unread = unread
        }

        package static let fields = Fields(
            nil, Dismissed.init(id:unread:),
            .required("id", \.id, .id),
            .required("unread", \.unread, .unread, Inbox.unreadSummary))
    }

    /// Which entries are gone.
    package struct Removed: WireRecord {
        package let entries: [Identifier]
        package let unread: Int64

        package init(entries: [Identifier], unread: Int64) {
            self.entries = entries
            self.unread = unread
        }

        package static let fields = Fields(
            nil, Removed.init(entries:unread:),
            .required("entries", \.entries, .list(.id, max: Int(Limits.inboxEntriesPerMemberMax))),
            .required("unread", \.unread, .unread, Inbox.unreadSummary))
    }

    /// What sums up all before it.
    package struct Digested: WireRecord {
        package let entry: InboxEntry
        package let upTo: Instant
        package let unread: Int64

        package init(entry: InboxEntry, upTo: Instant, unread: Int64) {
            self.entry = entry
            self.upTo = upTo
            self.unread = unread
        }

        package static let fields: Fields<Digested> = fields(entry: InboxEntry.shape)

        /// The same, where it is known what entries look like.
        package static func fields(entry: Shape) -> Fields<Digested> {
            Fields(
                nil, Digested.init(entry:upTo:unread:),
                .required("entry", \.entry, InboxEntry.form.shaped(entry)),
                .required("upTo", \.upTo, .time),
                .required("unread", \.unread, .unread, Inbox.unreadSummary))
        }
    }

    /// What the number means.
    package static let unreadSummary = "How many entries are unread; \(Inbox.unreadMax): that many or more."
}

extension Form where Value == Int64 {
    /// How many entries are unread.
    package static var unread: Form { integer(0...Inbox.unreadMax) }
}
