import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct MeetingsProposingTests {
    @Test func `a proposal reaches host and invitees, and nobody else`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let kit = try box.join("kit", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        for person in [ada, ben, kit, gus] { _ = box.heard(person) }
        let soup = try box.propose(by: ada, invitees: [ben, gus], ["note": "Bring bread", "place": "Mill"])
        #expect(box.types(ada) == ["meeting.proposed"])
        #expect(box.types(ben) == ["meeting.proposed"])
        #expect(box.types(gus) == ["meeting.proposed"])
        #expect(box.types(kit) == [])
        let seen = try box.show(soup, to: ben)
        #expect(seen.meeting.note == "Bring bread")
        #expect(seen.meeting.tally == Tally(noReply: 2, slots: soup.slots.map { Tally.Count(slot: $0) }))
        #expect(seen.own == OwnPart(isInvited: true))
        #expect(try box.fresh(ben.id).meetings[soup.id]?.meeting.note == nil)
        #expect(try box.fresh(kit.id).meetings.isEmpty)
        #expect(try box.refusal(kit, "meeting.show", soup.params)?.kind == .notFound)
        let absent: JSON.Object = ["meeting": .id(Identifier(high: 1, low: 2))]
        #expect(try box.refusal(kit, "meeting.show", absent)?.kind == .notFound)
    }

    @Test func `a public meeting is everyone's who is no guest`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        let invited = try box.join("gil", role: .guest, by: ada)
        let fair = try box.propose("Fair", kind: "public", by: ben, invitees: [invited])
        #expect(try box.show(fair, to: ada).own == OwnPart(isInvited: false))
        #expect(try box.show(fair, to: invited).own == OwnPart(isInvited: true))
        #expect(try box.refusal(gus, "meeting.show", fair.params)?.kind == .notFound)
        try box.call(ada, "meeting.vote", fair.votes("yes"))
        // Whoever answers is counted among the invitees from then on.
        let tally = try box.show(fair, to: ben).meeting.tally
        #expect([tally.voted, tally.refused, tally.noReply] == [1, 0, 1])
        #expect(try box.show(fair, to: ada).own.isInvited == false)
    }

    @Test func `a meeting with oneself is the host's alone`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let run = try box.propose("Run", kind: "solo", by: ada, invitees: [ada])
        #expect(try box.show(run, to: ada).meeting.tally.invitees == 0)
        #expect(try box.refusal(ben, "meeting.show", run.params)?.kind == .notFound)
        try box.call(ada, "meeting.confirm", run.confirm(0))
        #expect(try box.show(run, to: ada).meeting.state == .confirmed)
    }

    @Test func `who may propose, and whom one invites`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let kit = try box.join("kit", by: ada)
        let gus = try box.join("gus", role: .guest, by: ada)
        func refusal(_ who: FamilyBox.Person, _ more: JSON.Object) throws -> Rejection? {
            var params: JSON.Object = [
                "title": "Soup", "kind": "group", "zone": "Europe/Berlin", "slots": [FamilyBox.slot(24)],
                "invitees": [.id(ben.id)],
            ]
            for member in more.members { params[member.name] = member.value }
            return try box.refusal(who, "meeting.propose", params)
        }
        #expect(try refusal(gus, [:])?.kind == .forbidden)
        #expect(try refusal(ada, ["kind": "solo", "invitees": [.id(ben.id), .id(kit.id)]])?.field == "invitees")
        #expect(try refusal(ada, ["kind": "group", "invitees": [.id(ada.id)]])?.field == "invitees")
        let stranger = Identifier(high: 1, low: 2)
        let unknown = try refusal(ada, ["invitees": [.id(ben.id), .id(stranger)]])
        #expect(unknown?.kind == .notFound && unknown?.field == "invitees[1]")
        #expect(try refusal(ada, ["invitees": [.id(ben.id), .id(ben.id), .id(ada.id)]]) == nil)
        #expect(try box.call(ada, "meeting.list", ["view": "hosting"])["meetings"]?.array?.count == 1)
    }

    @Test(arguments: [
        ("slots", "[]", "slots"),
        (
            "slots", #"[{"start":"2026-11-22T18:00:00Z","end":"2026-11-22T17:00:00Z"}]"#,
            "slots[0].end"
        ),
        ("slots", #"[{"start":"2026-11-22T18:00:00Z","end":"2026-11-22T18:00:00Z"}]"#, "slots[0].end"),
        ("slots", #"[{"start":"2026-11-19T18:00:00Z","end":"2026-11-19T19:00:00Z"}]"#, "slots[0].end"),
        ("slots", #"[{"start":"2099-11-19T18:00:00Z","end":"2099-11-19T19:00:00Z"}]"#, "slots[0].end"),
        ("slots", #"[{"start":"sunday","end":"2026-11-22T18:00:00Z"}]"#, "slots[0].start"),
        ("slots", #"[{"start":"2027-03-28T02:30","end":"2027-03-28T04:00"}]"#, "slots[0].start"),
        (
            "slots",
            #"[{"start":"2026-11-22T18:00","end":"2026-11-22T19:00"},{"start":"2026-11-22T17:00:00Z","end":"2026-11-22T18:00:00Z"}]"#,
            "slots[1]"
        ),
        ("zone", #""Europe/Atlantis""#, "zone"), ("zone", #""../../etc/passwd""#, "zone"),
        ("title", #"" ""#, "title"), ("deadline", #""2026-11-20T17:00:00Z""#, "deadline"),
        ("deadline", #""2026-11-22T20:00:01Z""#, "deadline"), ("deadline", #""soon""#, "deadline"),
    ])
    func `what cannot be is refused with a sentence and the field`(name: String, value: String, field: String) throws {
        let box = try FamilyBox()
        let ada = try box.found()
        var params: JSON.Object = [
            "title": "Soup", "kind": "public", "zone": "Europe/Berlin", "slots": [FamilyBox.slot(48)],
        ]
        params[name] = try JSON.parse(Array(value.utf8))
        let rejection = try box.refusal(ada, "meeting.propose", params)
        #expect(rejection?.kind == .invalid, "\(rejection?.message ?? "")")
        #expect(rejection?.field == field, "\(rejection?.message ?? "")")
    }

    @Test func `civil times are read in the zone, and of an hour that comes twice the first counts`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let result = try box.call(
            ada, "meeting.propose",
            [
                "title": "Soup", "kind": "public", "zone": "Europe/Berlin",
                "slots": [
                    ["start": "2026-11-22T18:00", "end": "2026-11-22T20:00:00+01:00"],
                    ["start": "2027-10-31T02:30", "end": "2027-10-31T02:30:00+01:00"],
                ], "deadline": "2026-11-21T12:00",
            ])
        let meeting = try #require(result["meeting"].flatMap(Meeting.init))
        #expect(meeting.slots[0].start == Instant("2026-11-22T17:00:00Z"))
        #expect(meeting.slots[0].end == Instant("2026-11-22T19:00:00Z"))
        #expect(meeting.slots[1].start == Instant("2027-10-31T00:30:00Z"))
        #expect(meeting.slots[1].end == Instant("2027-10-31T01:30:00Z"))
        #expect(meeting.deadline == Instant("2026-11-21T11:00:00Z"))
    }

    @Test func `a repeat proposes nothing anew and answers with what is now`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        let params: JSON.Object = [
            "title": "Soup", "kind": "group", "zone": "UTC", "slots": [FamilyBox.slot(24)], "invitees": [.id(ben.id)],
        ]
        let first = try box.call(ada, "meeting.propose", params, op: "one")
        let id = try #require(first["meeting"]?["id"])
        try box.call(ada, "meeting.update", ["meeting": id, "title": "Stew"])
        let second = try box.call(ada, "meeting.propose", params, op: "one")
        #expect(second["meeting"]?["id"] == id)
        #expect(second["meeting"]?["title"] == "Stew")
        #expect(try box.count("SELECT count(*) FROM meetings") == 1)
    }

    @Test func `the meetings of each are bounded by their own, and a snapshot holds those that begin first`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        for _ in 0..<Limits.meetingsPerHostMax { _ = try box.propose(kind: "public", slots: [24], by: ada) }
        let params: JSON.Object = [
            "title": "Soup", "kind": "public", "zone": "UTC", "slots": [FamilyBox.slot(24)],
        ]
        #expect(try box.refusal(ada, "meeting.propose", params)?.kind == .tooLarge)
        let ben = try box.join("ben", by: ada)
        let many: JSON = .array((0..<Int64(Limits.meetingSlotsMax)).map { FamilyBox.slot(24 + $0) })
        let large: JSON.Object = ["title": "Fair", "kind": "public", "zone": "UTC", "slots": many]
        var isRefused = false
        for _ in 0..<Limits.meetingsPerHostMax where !isRefused {
            isRefused = try box.refusal(ben, "meeting.propose", large)?.kind == .tooLarge
        }
        #expect(isRefused)
        let bytes = try box.fresh(ada.id).json["meetings"]?.bytes.count ?? 0
        #expect(bytes <= Limits.meetingsSnapshotBytesMax)
        // Others have as much room, and whoever sees all of it is told that there is more.
        #expect(try box.fresh(ben.id).more == [])
        let carol = try box.join("carol", by: ada)
        var last: JSON = .null
        for _ in 0..<4 { last = try box.call(carol, "meeting.propose", large)["meeting"]?["id"] ?? .null }
        let late = try box.propose(kind: "public", slots: [9000], by: carol).id
        let seen = try box.fresh(ada.id)
        #expect(seen.more == ["meetings"])
        #expect(seen.json["meetings"]?.bytes.count ?? 0 <= Limits.meetingsSnapshotBytesMax)
        #expect(seen.meetings[late] == nil, "it begins last")
        #expect(try box.call(ada, "meeting.show", ["meeting": .id(late)])["meeting"]?["id"] == .id(late))
        #expect(try box.refusal(carol, "meeting.cancel", ["meeting": last]) == nil)
        // Cancelling makes room.
        let id = try #require(try box.fresh(ben.id).meetings.values.first { $0.meeting.host == ben.id }?.meeting.id)
        try box.call(ben, "meeting.cancel", ["meeting": .id(id)])
        #expect(try box.refusal(ben, "meeting.propose", large) == nil)
    }

    @Test func `nobody is refused for what another hosts, and a meeting handed over uses up its proposer's share`()
        throws
    {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        for _ in 0..<Limits.meetingsPerHostMax { _ = try box.propose(kind: "solo", slots: [24], by: ben) }
        // Whoever hands one over is not told how many others the new host has.
        let given = try box.propose(kind: "solo", slots: [24], by: ada).id
        #expect(try box.refusal(ada, "meeting.handOver", ["meeting": .id(given), "to": .id(ben.id)]) == nil)
        let params: JSON.Object = ["title": "Soup", "kind": "solo", "zone": "UTC", "slots": [FamilyBox.slot(24)]]
        func mayPropose(_ who: FamilyBox.Person) throws -> Bool {
            guard try box.refusal(who, "meeting.propose", params) == nil else { return false }
            return true
        }
        #expect(try !mayPropose(ben))
        for _ in 1..<Limits.meetingsPerHostMax { #expect(try mayPropose(ada)) }
        #expect(try !mayPropose(ada), "it still counts for Ada, who is invited")
        try box.call(ben, "meeting.update", ["meeting": .id(given), "invitees": []])
        #expect(try mayPropose(ada), "it counts for whom it is hidden from no more")
    }
}
