import Testing

@testable import KinModel

@Suite struct MeetingTests {
    static func id(_ number: UInt64) -> Identifier { Identifier(high: 0x0198_0000_0000_7000, low: number) }
    static let me = id(1)
    static let other = id(2)
    static let noon = Instant("2026-11-22T12:00:00Z") ?? .earliest

    static func slot(_ number: UInt64) -> Slot {
        let start = noon.adding(days: Int64(number))
        return Slot(id: id(100 + number), start: start, end: start.adding(seconds: 3600))
    }

    static var meeting: Meeting {
        Meeting(
            id: id(10), title: "Soup", kind: .group, host: other, zone: "Europe/Berlin", place: "Mill",
            note: "Bring bread", deadline: noon, slots: [slot(1), slot(2)],
            tally: Tally(noReply: 1, slots: [Tally.Count(slot: slot(1).id), Tally.Count(slot: slot(2).id)]))
    }

    private var snapshot = Snapshot()
    private var seen: SeenMeeting? { snapshot.meetings[Self.meeting.id] }

    init() { snapshot.me = Self.me }

    private mutating func apply(_ type: String, _ data: JSON) {
        snapshot.apply(
            Event(
                cursor: "", type: type, at: Self.noon, by: nil, about: "meeting/\(Self.meeting.id)", data: data))
    }

    private mutating func propose() {
        apply("meeting.proposed", ["meeting": Self.meeting.json, "invitees": [.id(Self.me)]])
    }

    private mutating func vote(_ answer: Vote.Answer = .yes, by member: Identifier = me) {
        var tally = Self.meeting.tally
        tally.voted = 1
        apply(
            "meeting.voted",
            [
                "meeting": .id(Self.meeting.id), "member": .id(member),
                "votes": [Vote(slot: Self.slot(1).id, answer: answer).json], "tally": tally.json,
            ])
    }

    @Test func `what is written is read again`() throws {
        var meeting = Self.meeting
        meeting.suggestions = [Suggestion(slot: Self.slot(3), by: Self.me)]
        meeting.confirmed = Self.slot(2).id
        meeting.state = .confirmed
        meeting.tally.going = 2
        meeting.tally.notGoing = 0
        let own = OwnPart(
            reply: .voted, votes: [Vote(slot: Self.slot(1).id, answer: .ifNeedBe)], attendance: .notGoing,
            isInvited: true)
        let seen = SeenMeeting(meeting: meeting, own: own)
        #expect(SeenMeeting(seen.json) == seen)
        #expect(meeting.ends == Self.slot(2).end)
        #expect(meeting.starts == Self.slot(2).start)
        var snapshot = Snapshot()
        snapshot.meetings[meeting.id] = seen.brief
        #expect(Snapshot(snapshot.json) == snapshot)
    }

    @Test func `numbers that count nothing are not read`() {
        for bad in [-1, 1.5, "2", nil, 9_000_000_000] as [JSON] {
            var json = Self.meeting.tally.json
            json["voted"] = bad
            #expect(Tally(json) == nil)
        }
    }

    @Test mutating func `a proposal is seen without its note, invited or not`() {
        propose()
        #expect(seen?.meeting.note == nil)
        #expect(seen?.meeting.place == "Mill")
        #expect(seen?.own == OwnPart(isInvited: true))
        snapshot.meetings = [:]
        apply("meeting.proposed", ["meeting": Self.meeting.json, "invitees": [.id(Self.other)]])
        #expect(seen?.own == OwnPart(isInvited: false))
    }

    @Test mutating func `a vote moves the tally, and the own part only when it is one's own`() {
        propose()
        vote(by: Self.other)
        #expect(seen?.meeting.tally.voted == 1)
        #expect(seen?.own.reply == OwnPart.Reply.none)
        vote(.ifNeedBe)
        #expect(seen?.own.reply == .voted)
        #expect(seen?.own.votes == [Vote(slot: Self.slot(1).id, answer: .ifNeedBe)])
        apply(
            "meeting.refused",
            ["meeting": .id(Self.meeting.id), "member": .id(Self.me), "tally": Self.meeting.tally.json])
        #expect(seen?.own == OwnPart(reply: .refused, isInvited: true))
    }

    @Test mutating func `votes on a removed slot are gone, and who has none left has not replied`() {
        propose()
        vote()
        var changed = Self.meeting
        changed.slots = [Self.slot(1), Self.slot(3)]
        apply("meeting.updated", ["meeting": changed.json, "changes": ["slots"]])
        #expect(seen?.own.reply == .voted)
        changed.slots = [Self.slot(3)]
        apply("meeting.updated", ["meeting": changed.json, "changes": ["slots"]])
        #expect(seen?.own == OwnPart(isInvited: true))
    }

    @Test mutating func `whoever voted yes on the confirmed slot is going, until it is open again`() {
        propose()
        var confirmed = Self.meeting
        confirmed.state = .confirmed
        confirmed.confirmed = Self.slot(1).id
        apply("meeting.confirmed", ["meeting": confirmed.json, "going": [.id(Self.me)]])
        #expect(seen?.own.attendance == .going)
        apply(
            "meeting.attended",
            [
                "meeting": .id(Self.meeting.id), "member": .id(Self.me), "answer": "notGoing",
                "tally": confirmed.tally.json,
            ])
        #expect(seen?.own.attendance == .notGoing)
        apply("meeting.updated", ["meeting": Self.meeting.json, "changes": ["slots", "state"]])
        #expect(seen?.own.attendance == nil)
    }

    @Test mutating func `the new host is no invitee, and the old one is`() {
        propose()
        vote()
        let data: JSON = [
            "meeting": .id(Self.meeting.id), "host": .id(Self.me), "from": .id(Self.other),
            "tally": Self.meeting.tally.json,
        ]
        apply("meeting.handedOver", data)
        #expect(seen?.meeting.host == Self.me)
        #expect(seen?.own == OwnPart())
        var back = data
        back["host"] = .id(Self.other)
        back["from"] = .id(Self.me)
        apply("meeting.handedOver", back)
        #expect(seen?.own == OwnPart(isInvited: true))
    }

    @Test mutating func `suggestions and the deadline show`() {
        propose()
        apply(
            "meeting.suggested",
            [
                "meeting": .id(Self.meeting.id), "suggestion": Suggestion(slot: Self.slot(3), by: Self.me).json,
            ])
        #expect(seen?.meeting.suggestions.map(\.by) == [Self.me])
        apply("meeting.closed", ["meeting": .id(Self.meeting.id), "tally": Self.meeting.tally.json])
        #expect(seen?.meeting.state == .closed)
    }

    @Test(arguments: ["meeting.hidden", "meeting.deleted", "meeting.cancelled", "meeting.ended"])
    mutating func `what is hidden, deleted, cancelled or over is gone`(type: String) {
        propose()
        apply(type, ["meeting": .id(Self.meeting.id)])
        #expect(seen == nil)
    }

    @Test mutating func `events about a meeting that is not seen change nothing`() {
        let before = snapshot
        vote()
        apply("meeting.updated", ["meeting": Self.meeting.json, "changes": []])
        apply("meeting.nudged", ["meeting": .id(Self.meeting.id)])
        apply("meeting.cleared", ["before": .time(Self.noon)])
        apply("meeting.closed", ["meeting": 7])
        #expect(snapshot == before)
    }
}
