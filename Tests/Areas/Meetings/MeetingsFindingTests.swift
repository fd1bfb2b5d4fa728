import KinModel
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMeetings

/// Who has what on at the times of a meeting, and times at which nobody has.
@Suite struct MeetingsFindingTests {
    private let box: FamilyBox
    private let ada: FamilyBox.Person
    private let ben: FamilyBox.Person
    private let kit: FamilyBox.Person

    /// Ada, Ben who shows when he is busy, and Kit who shows nothing.
    init() throws {
        box = try FamilyBox()
        ada = try box.found()
        ben = try box.join("ben", by: ada)
        kit = try box.join("kit", by: ada)
        try box.call(ben, "calendar.share", ["calendar": .id(ben.id), "with": .id(ada.id), "right": "busy"])
    }

    private func add(_ person: FamilyBox.Person, _ subject: String, _ start: String, _ minutes: JSON = 60) throws {
        try box.call(
            person, "entry.add",
            ["subject": .string(subject), "start": .string(start), "minutes": minutes, "zone": "Europe/Berlin"])
    }

    private func find(_ more: JSON.Object = [:]) throws -> [(start: String, free: Int, unknown: [Identifier])] {
        var params: JSON.Object = [
            "from": "2026-12-07", "to": "2026-12-08", "minutes": 120, "earliest": "18:00", "latest": "22:00",
            "zone": "Europe/Berlin", "members": [.id(ben.id), .id(kit.id)],
        ]
        for member in more.members { params[member.name] = member.value }
        return (try box.call(ada, "meeting.find", params)["found"]?.array ?? []).map { one in
            (
                one["start"]?.string.map { String($0.dropFirst(8).prefix(8)) } ?? "", one["free"]?.array?.count ?? 0,
                (one["unknown"]?.array ?? []).compactMap(\.identifier)
            )
        }
    }

    @Test func `times are found at which nobody is busy who shows it; who shows nothing is unknown`() throws {
        // Berlin is an hour ahead of universal time.
        #expect(try find().map(\.start) == ["07T17:00", "07T19:00", "08T17:00", "08T19:00"])
        try add(ben, "Choir", "2026-12-07T18:30", 75)
        try add(ada, "Dentist", "2026-12-08T17:00", 90)
        // Kit is busy, which Ada is not told.
        try add(kit, "Band", "2026-12-08T20:00", 120)
        let found = try find()
        #expect(found.map(\.start) == ["07T19:00", "08T17:30"])
        #expect(found.allSatisfy { $0.free == 2 && $0.unknown == [kit.id] })
        #expect(try find(["count": 1]).map(\.start) == ["07T19:00"])
        // Each day's first time comes before any day's second.
        #expect(try find(["minutes": 30, "count": 2]).map(\.start) == ["07T17:00", "08T17:30"])
        #expect(try find(["minutes": 240]).isEmpty)
        for (field, value) in [("to", "2026-12-06"), ("latest", "19:00"), ("earliest", "25:00"), ("from", "tomorrow")] {
            var params: JSON.Object = [
                "from": "2026-12-07", "to": "2026-12-08", "minutes": 120, "earliest": "18:00", "latest": "22:00",
                "zone": "Europe/Berlin",
            ]
            params[field] = .string(value)
            #expect(try box.refusal(ada, "meeting.find", params)?.field == field, "\(field)")
        }
    }

    @Test func `a meeting is proposed at times that were found, or refused where somebody is always busy`() throws {
        try add(ben, "Choir", "2026-12-07T18:30", 75)
        var find: JSON.Object = [
            "from": "2026-12-07", "to": "2026-12-07", "minutes": 120, "earliest": "18:00", "latest": "22:00",
        ]
        func propose() throws -> JSON.Object {
            [
                "title": "Soup", "kind": "group", "zone": "Europe/Berlin", "invitees": [.id(ben.id)],
                "find": .object(find),
            ]
        }
        let meeting = try #require(try box.call(ada, "meeting.propose", try propose())["meeting"].flatMap(Meeting.init))
        #expect(meeting.slots.map(\.start.description) == ["2026-12-07T19:00:00.000Z"])
        find["latest"] = "21:00"
        let refused = try box.refusal(ada, "meeting.propose", try propose())
        #expect(refused?.kind == .conflict && refused?.field == "find")
        var neither = try propose()
        neither["find"] = nil
        #expect(try box.refusal(ada, "meeting.propose", neither)?.kind == .invalid)
    }

    @Test func `each sees one's own conflicts with a slot, and the host who else is busy`() throws {
        try add(ben, "Choir", "2026-12-07T18:30", 75)
        let result = try box.call(
            ada, "meeting.propose",
            [
                "title": "Soup", "kind": "group", "zone": "Europe/Berlin", "invitees": [.id(ben.id), .id(kit.id)],
                "slots": [
                    ["start": "2026-12-07T18:00", "end": "2026-12-07T20:00"],
                    ["start": "2026-12-08T18:00", "end": "2026-12-08T20:00"],
                ],
            ])
        let meeting = try #require(result["meeting"]?["id"])
        func slots(_ person: FamilyBox.Person) throws -> [JSON] {
            try box.call(person, "meeting.conflicts", ["meeting": meeting])["slots"]?.array ?? []
        }
        let his = try slots(ben)
        // The slots of the meeting itself are no conflict with it.
        #expect(his.map { $0["own"]?.array?.compactMap { $0["subject"]?.string } } == [["Choir"], []])
        #expect(his.allSatisfy { $0["busy"] == [] && $0["free"] == [] && $0["unknown"] == [] })
        let hers = try slots(ada)
        #expect(hers.map { $0["own"] } == [[], []])
        #expect(hers.map { $0["busy"] } == [[.id(ben.id)], []])
        #expect(hers.map { $0["free"] } == [[], [.id(ben.id)]])
        #expect(hers.map { $0["unknown"] } == [[.id(kit.id)], [.id(kit.id)]])
        let stranger = try box.join("zoe", by: ada)
        #expect(try box.refusal(stranger, "meeting.conflicts", ["meeting": meeting])?.kind == .notFound)
    }
}
