package import KinKeeper
import KinModel
import KinStore

/// The ringing of members' devices: each device is told of new entries in its member's inbox.
package enum Notices {
    package static let area = Area(
        "Notices", view: "notices", isForOwnWord: true,
        tables: [
            Table("notice_devices", dated: ["made", "taken"], givesWayIn: true),
            Table("notice_members", givesWayIn: true), Table("notice_rings", dated: ["at"], givesWayIn: true),
            Table("notice_answers", dated: ["made", "used"], givesWayIn: true),
            Table("notice_scripts", dated: ["made", "used"], givesWayIn: true),
            Table("notice_messages", dated: ["at"]), Table("notice_push"),
            Table("notice_subscriptions", givesWayIn: true),
            Table("notice_pushes", dated: ["since"], ahead: ["next_at"], givesWayIn: true),
        ],
        migrations: migrations,
        methods: [
            add, list, change, renew, remove, test, take, answer, answered, snooze, scriptAdd, scriptList,
            scriptRemove, messages, publish, push, allowPush, deliver, taken, unreached,
        ],
        events: [NoticeDevice.changed, NoticeDevice.rang, NoticeScript.told],
        due: [
            snoozeDue: { (act, about) throws(Rejection) in try wake(about, act) },
            Bell.burstDue: { (act, about) throws(Rejection) in
                guard let member = Identifier(about.split(separator: "/").last ?? "") else { return }
                if let owner = try act.roster[member] { try Bell(owner, act)?.goOnWithBurst() }
            },
            PushQueue.due: { (act, _) throws(Rejection) in act.callOwn(deliver.name) },
        ], dueInDoubt: [snoozeDue, Bell.burstDue, PushQueue.due],
        upkeep: { (act) throws(Rejection) in try tidy(act) },
        told: [
            Inbox.added.name: hear, Inbox.announced.name: hear, Inbox.corrected.name: hear,
            Inbox.announcementDeleted.name: hear, Inbox.read.name: hear, Inbox.dismissed.name: hear,
            Inbox.removed.name: hear, Inbox.digested.name: hear,
        ],
        inbox: StoredMessage.inbox, inboxKinds: [StoredMessage.kind],
        sees: [
            "house": { (act, message, member) throws(Rejection) in
                try StoredMessage.find(message, of: member.id, act).map { _ in true }
            }
        ],
        memories: [Guesses<Notices>.self, PushFlight.self],
        hooks: Area.Hooks(
            exposed: { (act, secret) throws(Rejection) in
                if let (offer, name) = try Offer.find(secret, act) {
                    try offer.use(name, act)
                    return true
                }
                if try act.run("DELETE FROM notice_scripts WHERE topic = ?", Secret.digest(secret)) > 0 {
                    act.note(
                        .secretExposed,
                        "The topic of a script of the house was seen in plain text on the network; it is revoked.")
                    return true
                }
                let found = try act.first(
                    "SELECT id, member FROM notice_devices WHERE topic = ?", Secret.digest(secret)
                ) { row in (device: row.identifier("id"), member: row.identifier("member")) }
                guard let found else { return false }
                try end(found.device, of: found.member, act)
                act.note(
                    .secretExposed,
                    "The topic of a device that rings was seen in plain text on the network; it is revoked.")
                return true
            },
            answer: answerer,
            ring: { (act, about, member) throws(Rejection) in
                guard let owner = try act.roster[member] else { return }
                try Bell(owner, act)?.ringAgain(about: about)
            },
            hush: { (act, about, member) throws(Rejection) in
                guard let owner = try act.roster[member] else { return }
                try Bell(owner, act)?.hush(about: about)
            },
            hasDevice: { (act, member, device) throws(Rejection) in
                let devices = try act.ask { (database) throws(StoreFailure) in
                    try Notices.devices(of: member, database)
                }
                return devices.contains { $0.id == device }
            }),
        life: Area.Life(
            inherit: { (act, from, _) throws(Rejection) in try forget(from, act) },
            deleteOwned: { (act, member) throws(Rejection) in try forget(member, act) },
            redated: { (act, redating) throws(Rejection) in
                if case .toNow = redating { try hurry(act) }
            }),
        snapshot: [.required("noticeDevices", NoticeDevice.list.shape, "The looking member's own devices that ring.")],
        snapshotBytesMax: 8 << 10,
        show: { (database, viewer, snapshot) throws(StoreFailure) in
            snapshot.noticeDevices = try devices(of: viewer.id, database)
        })

    static let deviceColumns = Columns<NoticeDevice>()

    /// A member's devices, in the order in which they were added.
    static func devices(of member: Identifier, _ database: Database) throws(StoreFailure) -> [NoticeDevice] {
        try database.rows(
            "SELECT \(deviceColumns.names) FROM notice_devices WHERE member = ? ORDER BY made, id", .id(member)
        ) { (row) throws(StoreFailure) in try deviceColumns.read(row) }
    }

    /// Sends the member's clients the list of devices.
    static func tellDevices(of member: Identifier, _ act: Act) throws(Rejection) {
        let all = try act.ask { (database) throws(StoreFailure) in try Notices.devices(of: member, database) }
        try act.emit(
            NoticeDevice.changed, .init(devices: all), about: about(member), to: try act.roster.only(member),
            key: about(member))
    }

    /// Ends a device: its topic is no longer valid.
    static func end(_ device: Identifier, of member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM notice_rings WHERE member = ? AND entry = ?", .id(member), .id(device))
        for table in ["notice_pushes", "notice_subscriptions"] {
            try act.run("DELETE FROM \(table) WHERE device = ?", .id(device))
        }
        try act.run("DELETE FROM notice_devices WHERE id = ?", .id(device))
        try act.hooks.inbox?.forgetDevice(act, device)
        act.revoke(.session(device))
        try tellDevices(of: member, act)
    }

    private static func about(_ member: Identifier) -> String { "notices/\(member)" }

    /// Called for the events of inboxes.
    private static let hear: @Sendable (Act, Told) throws(Rejection) -> Void = { (act, told) throws(Rejection) in
        for reader in try act.roster.entries(in: told.audience) {
            guard let bell = try Bell(reader, act) else { continue }
            if let data = told[Inbox.added] {
                guard data.again != true, data.entry.isUnread else { continue }
                if try act.hooks.inbox?.loudness(act, data.entry, reader.id) != .still { try bell.ring(data.entry) }
            } else if told[Inbox.announced] != nil {
                try bell.ringAnnouncement(told.about)
            } else if told[Inbox.corrected] != nil {
                try bell.ringAgain(about: told.about)
            } else if told[Inbox.announcementDeleted] != nil {
                try bell.silence(about: told.about)
            } else if let data = told[Inbox.dismissed] {
                try bell.silence([data.id], .clear)
            } else if let data = told[Inbox.removed] {
                try bell.silence(data.entries, .delete)
            } else if let data = told[Inbox.digested] {
                try bell.silenceRead()
                try bell.ring(data.entry)
            } else if told[Inbox.read] != nil {
                try bell.silenceRead()
            }
        }
    }

    /// Once an hour: takes recent texts out of the log, because devices that were away are answered from the inbox;
    /// silences what is in no inbox any more; removes what is old.
    private static func tidy(_ act: Act) throws(Rejection) {
        for reader in try act.roster.entries {
            guard let bell = try Bell(reader, act) else { continue }
            try bell.silenceGone()
            try bell.forgetTexts()
        }
        let old = Value.time(act.now.adding(days: -Limits.noticeDays))
        try act.run("DELETE FROM notice_rings WHERE act != 'ring' AND at < ?", old)
        try act.run("DELETE FROM notice_answers WHERE made < ?", old)
        try StoredMessage.prune(act)
        try act.run(
            "DELETE FROM notice_rings WHERE act = ? AND at < ?", .text(Bell.tested),
            .time(act.now.adding(seconds: -Limits.noticeTestSeconds)))
    }

    /// The clock was put back. Work that waits for a moment of the wrong clock waits no longer than intended.
    private static func hurry(_ act: Act) throws(Rejection) {
        try PushQueue.hurry(act)
        try act.replan([Bell.burstDue], noLaterThan: act.now.adding(seconds: Limits.noticeBurstSeconds))
        let snoozed = try act.rows(
            "SELECT member, entry, at FROM notice_rings WHERE act = ? AND at > ?", .text(Bell.snoozed), .time(act.now)
        ) { row in (about: "notice/\(row.identifier("member"))/\(row.identifier("entry"))", since: row.instant("at")) }
        for one in snoozed {
            guard let due = try act.planned(snoozeDue, about: one.about) else { continue }
            let at = act.now.adding(milliseconds: max(0, due.milliseconds(since: one.since)))
            try act.plan(snoozeDue, about: one.about, at: at)
        }
    }

    /// A member leaves, and the member's devices are removed.
    private static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        guard let entry = try act.roster[member] else { return }
        try StoredMessage.forget(member, act)
        let devices = try act.ask { (database) throws(StoreFailure) in try Notices.devices(of: member, database) }
        for device in devices {
            try act.hooks.inbox?.forgetDevice(act, device.id)
            act.revoke(.session(device.id))
        }
        if let bell = try Bell(entry, act) { try bell.forgetTexts(all: true) }
        for table in [
            "notice_pushes", "notice_subscriptions", "notice_devices", "notice_members", "notice_rings",
            "notice_answers", "notice_scripts", "notice_messages",
        ] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        try act.withdraw(key: about(member))
    }
}
