import KinKeeper
import KinModel

extension InboxKind {
    /// An announcement, of which there is one row for everybody.
    static let announcement = InboxKind("announcement", isOfficial: true)
    /// The line that stands for entries that waited long.
    static let digest = InboxKind(
        "digest", isOfDaemon: true, time: .optional("since", .time, "when the oldest of what it sums up happened."))
}

extension Activity {
    /// The shapes on the wire that depend on the areas' kinds of lines.
    struct Shapes {
        /// An entry of an inbox.
        let entry: Shape
        /// What a member wants to be told, and when.
        let rules: Shape
        /// The kinds that may be muted.
        let mutable: Shape
        /// The kinds that only wait in the inbox, unless a member has them ring.
        let quiet: Shape

        init(_ kinds: InboxKinds) {
            let names = Shape.oneOf(kinds.all.map(\.name))
            let counted = Shape.object([.required("kind", names), .required("count", .integer(1...Int64.max))])
            let line = Shape.named(
                "InboxLine",
                .object(
                    [
                        .required("kind", names), .required("at", .time),
                        .optional("by", .id, "Who did it; absent for the daemon and the machine."),
                        .optional("atMachine", .bool, "True when it was at the machine, in that member's name."),
                        .optional("count", .integer(2...Int64.max), "How often the same member did the same."),
                    ] + kinds.fields + [
                        .optional(
                            "kinds", .list(counted, max: max(kinds.all.count, 1)),
                            "digest: of how many entries, by the kind of their last line.")
                    ]))
            entry = InboxEntry.fields(line: line).shape
            mutable = .list(.oneOf(kinds.mutable.map(\.name)), max: max(kinds.mutable.count, 1))
            quiet = .list(.oneOf(kinds.quiet.map(\.name)), max: max(kinds.quiet.count, 1))
            rules = InboxSettings.fields(mute: mutable, ring: quiet).shape
        }

        /// The inbox in a snapshot.
        var inbox: Shape { Inbox.fields(entry: entry).shape }
    }

    /// How many entries are unread.
    static let unread = Field.required("unread", Form.unread.shape, Inbox.unreadSummary)

    /// Members whom a rule names.
    static let people = Shape.list(.id, max: Limits.inboxRuleMembersMax)
}
