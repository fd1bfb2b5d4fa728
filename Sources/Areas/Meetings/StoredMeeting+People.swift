import KinKeeper
import KinModel
import KinStore

/// Members' answers to a meeting: rows of `meeting_people` and `meeting_votes`. The counts beside them change with
/// every answer; ``recount(_:)`` makes them anew after a change that concerns many.
extension StoredMeeting {
    /// One member's answers to some meetings, by their numbers; meetings without a row are left out.
    static func parts(
        of member: Identifier, in numbers: [Int64], _ database: Database
    ) throws(StoreFailure) -> [Int64: OwnPart] {
        let list = Value.list(numbers)
        var parts: [Int64: OwnPart] = [:]
        try database.each(
            """
            SELECT p.meeting, p.is_invited, p.reply, p.attendance FROM json_each(?1) j
            CROSS JOIN meeting_people p ON p.meeting = j.value AND p.member = ?2
            """, list, .id(member)
        ) { (row) throws(StoreFailure) in
            parts[row.int("meeting")] = try OwnPart.columns.read(row, ["votes": []])
            return true
        }
        try database.each(
            """
            SELECT v.meeting, v.slot, v.answer FROM json_each(?1) j
            CROSS JOIN meeting_votes v ON v.meeting = j.value AND v.member = ?2 ORDER BY v.meeting, v.slot
            """, list, .id(member)
        ) { (row) throws(StoreFailure) in
            parts[row.int("meeting")]?.votes.append(try Vote(row))
            return true
        }
        return parts
    }

    /// The answers of everybody to one meeting, and its invitees; `nil` where there is no such meeting.
    static func parts(
        in meeting: Identifier, _ database: Database
    ) throws(StoreFailure) -> [Identifier: OwnPart]? {
        let number = try database.first("SELECT number FROM meetings WHERE id = ?", .id(meeting)) { row in row.int(0) }
        guard let number else { return nil }
        var parts: [Identifier: OwnPart] = [:]
        try database.each(
            "SELECT member, is_invited, reply, attendance FROM meeting_people WHERE meeting = ?", .int(number)
        ) { (row) throws(StoreFailure) in
            parts[row.identifier("member")] = try OwnPart.columns.read(row, ["votes": []])
            return true
        }
        try database.each(
            "SELECT member, slot, answer FROM meeting_votes WHERE meeting = ? ORDER BY slot", .int(number)
        ) { (row) throws(StoreFailure) in
            parts[row.identifier("member")]?.votes.append(try Vote(row))
            return true
        }
        return parts
    }

    /// A member's answer; `nil` when there is no row: not invited and not answered.
    func part(of member: Identifier, _ act: Act) throws(Rejection) -> OwnPart? {
        try act.ask { (database) throws(StoreFailure) in
            try StoredMeeting.parts(of: member, in: [number], database)[number]
        }
    }

    /// Writes down what a member says from now on, and moves the counts. Costs the same however many are invited.
    mutating func take(
        _ part: OwnPart, of member: Identifier, reason: String? = nil, instead before: OwnPart?, _ act: Act
    ) throws(Rejection) {
        let counted = meeting.tally
        if let before { meeting.tally.count(before, -1) }
        meeting.tally.count(part, 1)
        try act.run(
            """
            INSERT INTO meeting_people (meeting, member, is_invited, reply, reason, attendance) VALUES (?,?,?,?,?,?)
            ON CONFLICT DO UPDATE SET reply = excluded.reply, reason = excluded.reason,
            attendance = excluded.attendance
            """, .int(number), .id(member), .bool(part.isInvited), .text(part.reply.rawValue), Value(reason),
            Value(part.attendance?.rawValue))
        if part.votes != before?.votes ?? [] {
            try act.run(
                "DELETE FROM meeting_votes WHERE meeting = ? AND member = ?", .int(number), .id(member))
            for vote in part.votes {
                try act.run(
                    "INSERT INTO meeting_votes (meeting, member, slot, answer) VALUES (?,?,?,?)", .int(number),
                    .id(member), .id(vote.slot), .text(vote.answer.rawValue))
            }
        }
        try saveCounts(before: counted, act)
    }

    private func saveCounts(before: Tally, _ act: Act) throws(Rejection) {
        let tally = meeting.tally
        for (count, old) in zip(tally.slots, before.slots) where count != old {
            try act.run(
                "UPDATE meeting_slots SET yes = ?, if_need_be = ?, no = ? WHERE id = ?", Value(count.yes),
                Value(count.ifNeedBe), Value(count.no), .id(count.slot))
        }
        try act.run(
            """
            UPDATE meetings SET voted = ?, refused = ?, no_reply = ?, going = ?, not_going = ? WHERE number = ?
            """, Value(tally.voted), Value(tally.refused), Value(tally.noReply), Value(tally.going ?? 0),
            Value(tally.notGoing ?? 0), .int(number))
    }

    /// Counts anew, for the slots as they are now. Votes on other slots go. A member who has none left has not replied,
    /// or, uninvited, is not counted.
    mutating func recount(_ act: Act) throws(Rejection) {
        try act.run(
            """
            DELETE FROM meeting_votes WHERE meeting = ?1 AND slot NOT IN
            (SELECT id FROM meeting_slots WHERE meeting = ?1 AND suggested_by IS NULL)
            """, .int(number))
        try act.run(
            """
            UPDATE meeting_people SET reply = 'none' WHERE meeting = ?1 AND reply = 'voted' AND NOT EXISTS
            (SELECT 1 FROM meeting_votes v WHERE v.meeting = ?1 AND v.member = meeting_people.member)
            """, .int(number))
        try act.run(
            """
            DELETE FROM meeting_people
            WHERE meeting = ? AND is_invited = 0 AND reply = 'none' AND attendance IS NULL
            """, .int(number))
        let isConfirmed = meeting.confirmed != nil
        var tally = Tally(
            slots: meeting.slots.map { Tally.Count(slot: $0.id) }, going: isConfirmed ? 0 : nil,
            notGoing: isConfirmed ? 0 : nil)
        let parts = try act.rows(
            "SELECT is_invited, reply, attendance FROM meeting_people WHERE meeting = ?", .int(number),
            map: { (row) throws(StoreFailure) in try OwnPart.columns.read(row, ["votes": []]) })
        for part in parts { tally.count(part, 1) }
        let votes = try act.rows(
            "SELECT slot, answer FROM meeting_votes WHERE meeting = ?", .int(number),
            map: { (row) throws(StoreFailure) in try Vote(row) })
        tally.count(votes, 1)
        meeting.tally = tally
        // Nothing of what was counted before is taken for granted.
        try saveCounts(before: Tally(slots: tally.slots.map { Tally.Count(slot: $0.slot, yes: -1) }), act)
    }

    /// The invitees, sorted.
    func invitees(_ act: Act) throws(Rejection) -> [Identifier] {
        try act.rows(
            "SELECT member FROM meeting_people WHERE meeting = ? AND is_invited = 1 ORDER BY member", .int(number)
        ) { row in row.identifier(0) }
    }

    /// Invitees who have not answered.
    func silent(_ act: Act) throws(Rejection) -> Audience {
        let silent = try act.rows(
            "SELECT member FROM meeting_people WHERE meeting = ? AND is_invited = 1 AND reply = 'none'", .int(number)
        ) { row in row.identifier(0) }
        let roster = try act.roster
        return Audience(silent.compactMap { roster[$0]?.number })
    }

    /// Removes all that a member said, and the invitation.
    func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM meeting_votes WHERE meeting = ? AND member = ?", .int(number), .id(member))
        try act.run("DELETE FROM meeting_people WHERE meeting = ? AND member = ?", .int(number), .id(member))
    }

    /// Invites a member; what the member said without being invited stays.
    func invite(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            """
            INSERT INTO meeting_people (meeting, member, is_invited) VALUES (?,?,1)
            ON CONFLICT DO UPDATE SET is_invited = 1
            """, .int(number), .id(member))
    }
}

extension Tally {
    /// Adds a part to the counts, or takes it away.
    mutating func count(_ part: OwnPart, _ sign: Int) {
        switch part.reply {
        case .none: noReply += sign
        case .voted: voted += sign
        case .refused: refused += sign
        }
        switch part.attendance {
        case .going: going = (going ?? 0) + sign
        case .notGoing: notGoing = (notGoing ?? 0) + sign
        case nil: break
        }
        count(part.votes, sign)
    }

    mutating func count(_ votes: [Vote], _ sign: Int) {
        var indices: [Identifier: Int] = [:]
        for (index, count) in slots.enumerated() { indices[count.slot] = index }
        for vote in votes {
            guard let index = indices[vote.slot] else { continue }
            switch vote.answer {
            case .yes: slots[index].yes += sign
            case .ifNeedBe: slots[index].ifNeedBe += sign
            case .no: slots[index].no += sign
            }
        }
    }
}

extension OwnPart {
    /// Of `meeting_people`; votes are rows of another table.
    fileprivate static let columns = Columns<OwnPart>(elsewhere: ["votes"])
}

extension Vote {
    /// From the columns slot, answer. Not by `Columns`: a meeting of many is counted anew from thousands of them.
    init(_ row: borrowing Row) throws(StoreFailure) {
        guard let answer = Answer(rawValue: row.text("answer")) else {
            throw .corrupt("a vote has no answer that this program knows")
        }
        self.init(slot: row.identifier("slot"), answer: answer)
    }
}
