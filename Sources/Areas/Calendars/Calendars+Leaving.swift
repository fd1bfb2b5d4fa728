import KinKeeper
import KinModel
import KinStore

/// The calendars of members who join, move or leave.
extension Calendars {
    /// A member got another household or role. The member is told nothing more of entries that are out of sight by
    /// that, and lists entries again.
    static let roster: [String: @Sendable (Act, Told) throws(Rejection) -> Void] = [
        Member.updated.name: { (act, told) throws(Rejection) in
            // Programs have the names of invitees in their copies. One trace for all who are told the new name stands for all
            // entries, however many they are. It is made whether there are such entries or not, because some are hidden
            // from some of those members.
            if let data = told[Member.updated], data.changed.contains("displayName") {
                try ShelfTrace.turn(told.audience, act)
            }
            // A member whose sight has changed gets a fresh view, and no event. Events for guests carry no username;
            // sight is never judged by such an event.
            guard let data = told[Member.updated], data.changed.contains("role"), !data.member.username.isEmpty,
                let member = told.subject, let number = try act.roster[member]?.number, !told.audience.contains(number)
            else { return }
            try lookAnew(member, act)
        },
        Member.moved.name: { (act, told) throws(Rejection) in
            guard let member = told.subject else { return }
            let isHouseholds = try act.first(
                """
                SELECT 1 FROM calendars WHERE kind = 'household'
                UNION ALL SELECT 1 FROM calendar_rights WHERE kind = 'household' LIMIT 1
                """
            ) { row in row.bool(0) }
            if let entry = try act.roster[member] {
                try EntryAudience.moved(entry, isTold: isHouseholds != true, act)
            }
            guard isHouseholds == true else { return }
            try lookAnew(member, act)
            try act.reset(try act.roster.only(member))
        },
        Member.added.name: { (act, told) throws(Rejection) in try joined(told[Member.added]?.member, act) },
        Member.joined.name: { (act, told) throws(Rejection) in try joined(told[Member.joined]?.member, act) },
    ]

    private static func joined(_ member: Member?, _ act: Act) throws(Rejection) {
        guard let member, let entry = try act.roster[member.id] else { return }
        try EntryAudience.joined(entry, act)
    }

    static func lookAnew(_ member: Identifier, _ act: Act) throws(Rejection) {
        let only = try act.roster.only(member)
        try act.narrow(about: "entry/", by: only)
        try act.narrow(about: "calendar/", by: only)
        try ShelfTrace.turn(only, act)
        // Stars and reminders of the member end at entries that are out of the member's sight, so that none comes back
        // with the sight of them.
        guard let reader = try act.roster[member] else { return }
        let wanted = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                """
                WHERE e.number IN (
                    SELECT entry FROM entry_reminders WHERE member = ?1 UNION SELECT entry FROM entry_alarms WHERE member = ?1
                    UNION SELECT entry FROM entry_stars WHERE member = ?1
                ) ORDER BY e.number
                """, [.id(member)], database)
        }
        for var stored in wanted {
            guard let calendar = try StoredCalendar.find(stored.wire.calendar, act),
                !stored.isSeen(by: reader, in: calendar)
            else { continue }
            try stored.star(false, member, except: only, act)
            try stored.forget(only, act)
        }
    }

    /// Gives the calendars and entries of a leaving member to an heir. Entries of the member's own calendar go to the
    /// heir's own calendar.
    static func inherit(_ act: Act, _ from: Identifier, _ to: Identifier) throws(Rejection) {
        // The address of a calendar from outside may be a secret of the member who leaves.
        for calendar in try owned(by: from, act) where calendar.kind == .subscribed {
            try calendar.remove(except: try act.roster.only(from), act)
        }
        for var calendar in try owned(by: from, act) where calendar.kind == .added {
            calendar.owner = to
            try calendar.save(act)
            try calendar.tell(FamilyCalendar.updated, to: try act.roster.only(to), act)
            try ShelfTrace.turn(try act.roster.only(to), act)
        }
        let all = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.owner = ?1 OR c.owner = ?1 ORDER BY e.number", [.id(from)], database)
        }
        for var stored in all {
            let (before, seers) = (stored, try stored.seers(act))
            guard
                var calendar = try StoredCalendar.find(
                    stored.wire.calendar == from ? to : stored.wire.calendar, act)
            else { continue }
            if stored.wire.owner == from { stored.wire.owner = to }
            stored.wire.invitees.removeAll { $0.member == from || $0.member == to }
            stored.wire.answers.removeAll { $0.member == from || $0.member == to }
            if stored.wire.calendar != calendar.id { try stored.giveWayInSight(in: calendar, act) }
            try stored.save(instead: before, in: &calendar, seenBy: seers, act)
        }
    }

    /// Deletes everything that a leaving member owns and does not hand over, and the member's answers to entries of
    /// others.
    static func deleteOwned(_ act: Act, _ member: Identifier) throws(Rejection) {
        let leaving = try act.roster.only(member)
        let all = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows("WHERE e.owner = ?1 OR c.owner = ?1 ORDER BY e.number", [.id(member)], database)
        }
        for stored in all { try stored.remove(erasing: true, except: leaving, act) }
        let invited = try act.ask { (database) throws(StoreFailure) in
            try StoredEntry.rows(
                "WHERE e.number IN (SELECT entry FROM entry_people WHERE member = ?1 UNION SELECT entry FROM entry_stars WHERE member = ?1) ORDER BY e.number",
                [.id(member)], database)
        }
        for var stored in invited {
            let (before, seers) = (stored, try stored.seers(act).subtracting(leaving))
            guard var calendar = try StoredCalendar.find(stored.wire.calendar, act) else { continue }
            stored.wire.invitees.removeAll { $0.member == member }
            stored.wire.answers.removeAll { $0.member == member }
            if stored.wire.stars.contains(member) { try stored.star(false, member, except: leaving, act) }
            try stored.save(instead: before, in: &calendar, seenBy: seers, except: leaving, act)
        }
        for table in [
            "calendar_reminders", "entry_reminders", "entry_alarms", "entry_touched", "entry_stars", "entry_people",
            "calendar_feeds",
            "shelf_names",
            "imports",
        ] {
            try act.run("DELETE FROM \(table) WHERE member = ?", .id(member))
        }
        try act.unplan(remindDue, from: "entry/", to: "/\(member)")
        try act.run("DELETE FROM entries_gone WHERE owner = ?", .id(member))
        try forgetInBin(member, act)
        try EntryAudience.left(member, act)
        try act.run("DELETE FROM calendar_rights WHERE kind = 'member' AND grantee = ?", .id(member))
        for calendar in try owned(by: member, act) { try calendar.remove(except: leaving, act) }
    }

    private static func owned(by member: Identifier, _ act: Act) throws(Rejection) -> [StoredCalendar] {
        try StoredCalendar.all(act).filter { $0.owner == member && $0.number != 0 }
    }
}
