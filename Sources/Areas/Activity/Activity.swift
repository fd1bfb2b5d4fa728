package import KinKeeper
import KinModel
import KinStore

/// Announcements to everyone, and each member's inbox, made from the events of all areas.
package enum Activity {
    /// Sums up what the areas declare that is told in inboxes.
    private static func area(of areas: [Area]) -> Area {
        let kinds = InboxKinds(areas)
        let shapes = Shapes(kinds)
        return Area(
            "Activity", view: "activity", isForOwnWord: true,
            tables: [
                Table("announcements", dated: ["at", "corrected"]), Table("sayings", dated: ["at", "corrected"]),
                Table("said_to"), Table("inbox", dated: ["at"]),
                Table("inbox_lines", dated: ["at"]), Table("inbox_members"), Table("inbox_devices"),
                Table("inbox_dismissed"), Table("announcement_numbers"), Table("saying_numbers"),
            ],
            migrations: migrations,
            methods: [Announcements.announce] + Sayings.methods + inboxMethods(shapes),
            events: events(shapes),
            due: [
                OwnInbox.quietDue: { (act, about) throws(Rejection) in try OwnInbox.fellDue(about, act) }
            ],
            upkeep: { (act) throws(Rejection) in try tidy(act) },
            told: Hearing(areas).told,
            inbox: Sayings.inbox, inboxKinds: [.announcement, .digest, Sayings.kind],
            sees: [
                "said": { (act, saying, member) throws(Rejection) in try Sayings.sees(saying, member.id, act) }
            ],
            answers: Sayings.answers,
            quotas: [Sayings.quota],
            hooks: Area.Hooks(
                inbox: InboxHook(
                    settle: { (act, kind, about, isSettled) throws(Rejection) in
                        try settle(act, kind, about: about, where: isSettled)
                    },
                    holds: { (act, kinds, about) throws(Rejection) in try holds(act, kinds, about: about) },
                    remove: { (act, abouts, audience) throws(Rejection) in
                        try forget(act, abouts: abouts, from: audience)
                    },
                    removeUnder: { (act, beginning, audience, meant) throws(Rejection) in
                        for entry in try act.roster.entries(in: audience) {
                            try OwnInbox(entry, act).remove(under: beginning, meant)
                        }
                    },
                    amend: { (act, about, audience, amendment) throws(Rejection) in
                        try amend(act, about: about, of: audience, by: amendment)
                    },
                    takeBack: { (act, about, audience, isMeant) throws(Rejection) in
                        for entry in try act.roster.entries(in: audience) {
                            try OwnInbox(entry, act).takeBack(about: about, where: isMeant)
                        }
                    },
                    unread: { (act, id, reader) throws(Rejection) in
                        try OwnInbox(reader, act).ask { (query) throws(StoreFailure) in try query.unread(id) }
                    },
                    listed: { (act, id, reader) throws(Rejection) in
                        try OwnInbox(reader, act).ask { (query) throws(StoreFailure) in try query.listed(id) }
                    },
                    answered: { (act, about, member) throws(Rejection) in
                        guard let reader = try act.roster[member] else { return }
                        try OwnInbox(reader, act).answered(about: about)
                    },
                    retitle: { (act, about, text, former, readers, isMeant) throws(Rejection) in
                        try retitle(about, text, instead: former, of: readers, begun: isMeant, act)
                    },
                    text: { (act, entry) throws(Rejection) in try StoredSaying.whole(of: entry, act) },
                    loudness: { (act, entry, member) throws(Rejection) in
                        try InboxSettings.loudness(of: entry, for: member, act)
                    },
                    loudnessOnDevices: { (act, entry, member) throws(Rejection) in
                        try InboxSettings.loudnessOnDevices(of: entry, for: member, act)
                    },
                    forgetDevice: { (act, device) throws(Rejection) in
                        try InboxSettings.forget(device: device, act)
                    })),
            life: Area.Life(
                inherit: { (act, from, to) throws(Rejection) in
                    try Announcements.inherit(act, from: from, to: to)
                    try Sayings.inherit(act, from: from)
                },
                deleteOwned: { (act, member) throws(Rejection) in
                    try Announcements.deleteOwned(act, member)
                    try Sayings.deleteOwned(act, member)
                    try deleteInbox(act, member)
                }),
            searched: searched,
            snapshot: [.required("inbox", shapes.inbox, "What the looking member has not read.")],
            snapshotBytesMax: 32 << 10,
            show: { (database, viewer, snapshot) throws(StoreFailure) in
                snapshot.inbox = try InboxQuery(database, kinds, member: viewer.id, role: viewer.role).inbox()
            })
    }

    /// Without what others declare: for whoever puts the areas together.
    package static var area: Area {
        var area = area(of: [])
        area.completed = { (areas) in self.area(of: areas) }
        return area
    }

    private static func events(_ shapes: Shapes) -> [any EventDeclaration] {
        [
            Inbox.announced, Inbox.said, Inbox.corrected, Inbox.announcementDeleted,
            Inbox.added.shaped(Inbox.Added.fields(entry: shapes.entry).shape), Inbox.read, Inbox.dismissed,
            Inbox.removed, Inbox.digested.shaped(Inbox.Digested.fields(entry: shapes.entry).shape),
        ]
    }

    /// Once an hour: entries that waited long are summed up, and entries that are too old are removed.
    private static func tidy(_ act: Act) throws(Rejection) {
        try Announcements.prune(act)
        try Sayings.prune(act)
        let unread = act.now.adding(days: -Limits.inboxUnreadDays)
        let read = act.now.adding(days: -Limits.inboxReadDays)
        for entry in try act.roster.entries {
            let inbox = OwnInbox(entry, act)
            try inbox.expire(upTo: unread)
            try act.run(
                "DELETE FROM inbox WHERE member = ? AND at <= ? AND state >= 2", .id(entry.id), .time(read))
            try inbox.digest()
        }
    }

    /// A leaving member's inbox goes, from the log as well.
    private static func deleteInbox(_ act: Act, _ member: Identifier) throws(Rejection) {
        guard let entry = try act.roster[member] else { return }
        let inbox = OwnInbox(entry, act)
        let entries = try act.rows("SELECT id FROM inbox WHERE member = ?", .id(member)) { row in row.identifier(0) }
        for id in entries { try act.withdraw(key: inbox.key(id)) }
        for table in ["inbox", "inbox_dismissed", "inbox_members", "inbox_devices"] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        try act.unplan(OwnInbox.quietDue, about: "inbox/\(member)")
        try InboxSettings.forget(member, act)
    }
}
