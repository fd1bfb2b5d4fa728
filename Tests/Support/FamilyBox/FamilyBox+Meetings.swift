import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// A proposed meeting as tests name it.
struct Proposed {
    let id: Identifier
    let slots: [Identifier]

    var params: JSON.Object { ["meeting": .id(id)] }

    /// The parameters of `meeting.vote`: one answer a slot, in their order.
    func votes(_ answers: String...) -> JSON.Object {
        [
            "meeting": .id(id),
            "votes": .array(zip(slots, answers).map { ["slot": .id($0), "answer": .string($1)] }),
        ]
    }

    func with(_ more: JSON.Object) -> JSON.Object {
        var params = params
        for member in more.members { params[member.name] = member.value }
        return params
    }

    func confirm(_ index: Int) -> JSON.Object { with(["slot": .id(slots[index])]) }
}

extension FamilyBox {
    /// A slot of two hours, so many hours after the test's beginning.
    static func slot(_ hours: Int64) -> JSON {
        ["start": .time(start.adding(seconds: hours * 3600)), "end": .time(start.adding(seconds: (hours + 2) * 3600))]
    }

    /// Proposes a meeting with slots a day and two days after the beginning.
    func propose(
        _ title: String = "Soup", kind: String = "group", slots: [Int64] = [24, 48], by host: Person,
        invitees: [Person] = [], _ more: JSON.Object = [:]
    ) throws -> Proposed {
        var params: JSON.Object = [
            "title": .string(title), "kind": .string(kind), "zone": "Europe/Berlin",
            "slots": .array(slots.map(Self.slot)), "invitees": .array(invitees.map { .id($0.id) }),
        ]
        for member in more.members { params[member.name] = member.value }
        let result = try call(host, "meeting.propose", params)
        let meeting = try #require(result["meeting"].flatMap(Meeting.init))
        return Proposed(id: meeting.id, slots: meeting.slots.map(\.id))
    }

    /// A meeting as a member sees it now, by asking.
    func show(_ proposed: Proposed, to person: Person) throws -> SeenMeeting {
        try checkCounts()
        let result = try call(person, "meeting.show", proposed.params)
        return try #require(SeenMeeting(result))
    }

    /// The titles of a member's list.
    func titles(_ person: Person, _ view: String, _ more: JSON.Object = [:]) throws -> [String] {
        var params: JSON.Object = ["view": .string(view)]
        for member in more.members { params[member.name] = member.value }
        let listed = try call(person, "meeting.list", params)["meetings"]?.array
        return try #require(listed).compactMap { $0["meeting"]?["title"]?.string }
    }

    /// The kept counts are what is there to count, in every meeting.
    func checkCounts() throws {
        for (column, condition) in [
            ("voted", "reply = 'voted'"), ("refused", "reply = 'refused'"), ("no_reply", "reply = 'none'"),
            ("going", "attendance = 'going'"), ("not_going", "attendance = 'notGoing'"),
        ] {
            let wrong = try count(
                """
                SELECT count(*) FROM meetings m WHERE \(column) <>
                (SELECT count(*) FROM meeting_people p WHERE p.meeting = m.number AND \(condition))
                """)
            #expect(wrong == 0, "\(column) is not what there is to count")
        }
        for (column, answer) in [("yes", "yes"), ("if_need_be", "ifNeedBe"), ("no", "no")] {
            let wrong = try count(
                """
                SELECT count(*) FROM meeting_slots s WHERE \(column) <>
                (SELECT count(*) FROM meeting_votes v WHERE v.slot = s.id AND v.answer = '\(answer)')
                """)
            #expect(wrong == 0, "\(column) is not what there is to count")
        }
    }
}
