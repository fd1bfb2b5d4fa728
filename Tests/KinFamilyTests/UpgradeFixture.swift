import Foundation
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMembers

/// Families that the next version is to carry over, by the last migration of the version that wrote them. A version adds
/// its own, with something of every area, before anything of the next one is, with `KINWIRE_WRITE_FIXTURE=1`; else
/// nothing is done here.
@Suite struct UpgradeFixture {
    static let versions = [27, 48, 62, 79]
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// What members may ask of the areas that say nothing, or not all, in a snapshot: asked before and after.
    private static let questions: [(who: String, method: String, params: JSON.Object)] = [
        ("ada", "member.list", [:]), ("gil", "member.list", [:]), ("ada", "member.requests", [:]),
        ("ada", "appPassword.list", [:]), ("ada", "invite.list", [:]), ("ben", "activity.list", [:]),
        ("ada", "activity.rules", [:]),
        ("ben", "place.list", [:]), ("ada", "guestLink.list", [:]), ("ada", "sharing.show", [:]),
        ("ben", "position.latest", [:]), ("ben", "meeting.list", ["view": "coming"]),
        ("ada", "meeting.list", ["view": "past"]), ("ben", "meeting.list", ["view": "coming", "words": "soup"]),
        ("ada", "contact.list", [:]), ("ben", "contact.list", ["words": "rosa"]), ("ada", "profile.list", [:]),
        ("gil", "profile.list", [:]), ("ada", "settings.show", [:]),
    ]

    @Test(.enabled(if: ProcessInfo.processInfo.environment["KINWIRE_WRITE_FIXTURE"] != nil))
    func `the family of this version is written down`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let (ben, gil) = (try box.join("ben", by: ada), try box.join("gil", role: .guest, by: ada))
        let (kim, eve) = (try box.join("kim", kind: .child, by: ada), try box.join("eve", role: .head, by: ada))
        let people = ["ada": ada, "ben": ben, "gil": gil, "kim": kim, "eve": eve]
        try live(box, ada, ben, kim)
        try liveOn(box, ada, ben, kim)
        let upload = try box.call(
            ben, "upload.begin", ["method": "member.setPicture", "params": .object([:]), "length": 1000])
        try box.wait(seconds: 60)

        let cursor = try #require(try box.call(ada, "live.at", ["time": .time(box.clock)])["cursor"])
        try box.call(ada, "live.mark", ["name": "tail", "cursor": cursor])
        try box.call(ada, "activity.announce", ["text": "Is anybody away?"])
        var questions = Self.questions + Self.newerQuestions
        questions.append(("ben", "upload.find", ["upload": upload["upload"] ?? .null]))
        let day: JSON.Object = [
            "member": .id(ada.id), "from": .time(box.clock.adding(days: -9)), "to": .time(box.clock),
        ]
        questions.append(("ben", "position.history", day))
        var said: JSON = [
            "migration": .int(Int64(Registry.family.migrations.last?.number ?? 0)),
            "now": .int(box.clock.milliseconds), "token": .string(ada.token), "cursor": cursor,
        ]
        let reader = try box.store.reader()
        var (members, snapshots) = (JSON.Object(), JSON.Object())
        for (name, person) in people.sorted(by: { $0.key < $1.key }) {
            members[name] = .id(person.id)
            let made = try Registry.family.snapshot(for: person.id, view: .all(for: person.id), in: reader)
            if name != "gil", name != "eve" { snapshots[name] = try #require(made).snapshot.json }
        }
        (said["members"], said["snapshots"]) = (.object(members), .object(snapshots))
        said["answers"] = .array(
            try questions.map { question in
                let person = try #require(people[question.who])
                return [
                    "who": .string(question.who), "method": .string(question.method),
                    "params": .object(question.params),
                    "answer": Self.lasting(
                        try box.call(Credential.machineAs(person.id), question.method, question.params)),
                ]
            })
        let name = "version-\(Registry.family.migrations.last?.number ?? 0)"
        let database = Self.folder.appending(path: name + ".db").path
        try box.store.database.run("VACUUM INTO ?", .text(database))
        try Data(said.bytes + [0x0A]).write(to: Self.folder.appending(path: name + ".json"))
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/sh")
        gzip.arguments = ["-c", "gzip -9nf \"$1\"", "sh", database]
        try gzip.run()
        gzip.waitUntilExit()
        #expect(gzip.terminationStatus == 0)
    }

    /// An answer without what another start says otherwise: cursors are of one start, and entries that occurrences name
    /// come in no promised order.
    static func lasting(_ answer: JSON) -> JSON {
        var answer = answer
        if answer["cursor"] != nil { answer["cursor"] = .null }
        if answer["occurrences"] != nil, let entries = answer["entries"]?.array {
            answer["entries"] = .array(entries.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") })
        }
        return answer
    }

    /// What happens in a family in a few days.
    private func live(
        _ box: FamilyBox, _ ada: FamilyBox.Person, _ ben: FamilyBox.Person, _ kim: FamilyBox.Person
    ) throws {
        func time(_ hours: Int64) -> JSON { .time(box.clock.adding(seconds: hours * 3600)) }
        func span(_ hours: Int64) -> JSON { ["start": time(hours), "end": time(hours + 1)] }
        func propose(_ title: JSON, _ slots: [JSON], _ more: [String: JSON] = [:]) throws -> (id: JSON, slots: [JSON]) {
            var params: JSON.Object = [
                "title": title, "kind": "group", "zone": "Europe/Berlin", "slots": .array(slots),
                "invitees": [.id(ben.id), .id(kim.id)],
            ]
            for (name, value) in more { params[name] = value }
            let meeting = try #require(try box.call(ada, "meeting.propose", params)["meeting"])
            return (
                try #require(meeting["id"]), try #require(meeting["slots"]?.array).compactMap { $0["id"] }
            )
        }
        _ = try box.foundHousehold("Lake", by: ada)
        try box.call(ada, "invite.create", ["role": "member"])
        try box.call(ada, "appPassword.create", ["device": "A watch", "scope": "location"])
        try box.call(ada, "activity.announce", ["text": "Welcome to the mill."])
        let rules: JSON = [["viewer": "everyone", "precision": "exact", "history": true]]
        for person in [ada, ben] {
            try box.call(person, "sharing.set", ["state": "on", "historyDays": 30, "rules": rules])
        }
        try box.call(
            ada, "place.add", ["name": "Mill", "lat": 52.5, "lon": 13.4, "radius": 150, "home": true])
        try box.call(
            ben, "place.add",
            ["name": "Workshop", "lat": 52.6, "lon": 13.5, "radius": 100, "audience": [.id(ada.id), .id(kim.id)]])
        for step in 0..<8 {
            try box.wait(seconds: 600)
            for (person, lat) in [(ada, 52.5), (ben, 52.6)] {
                try box.call(
                    person, "position.report",
                    [
                        "lat": .double(lat + Double(step % 3) / 10_000), "lon": 13.4, "at": .time(box.clock),
                        "accuracy": 12, "battery": 0.5, "device": "phone",
                    ])
            }
        }
        try box.call(ada, "guestLink.create", ["precision": "coarse", "until": time(48)])
        let past = try propose("A walk", [span(2), span(4)])
        try box.call(ben, "meeting.vote", ["meeting": past.id, "votes": [["slot": past.slots[0], "answer": "yes"]]])
        try box.call(ada, "meeting.confirm", ["meeting": past.id, "slot": past.slots[0]])
        try box.wait(seconds: 4 * 3600)
        let soup = try propose(
            "Soup", [span(50), span(74)], ["place": "The mill", "note": "Bring spoons.", "deadline": time(40)])
        try box.call(
            ben, "meeting.vote",
            [
                "meeting": soup.id,
                "votes": [
                    ["slot": soup.slots[0], "answer": "yes"], ["slot": soup.slots[1], "answer": "ifNeedBe"],
                ],
            ])
        try box.call(kim, "meeting.refuse", ["meeting": soup.id, "reason": "School."])
        try box.call(ben, "meeting.suggest", ["meeting": soup.id, "slot": span(98)])
        let cinema = try propose("Cinema", [span(26)])
        try box.call(ada, "meeting.confirm", ["meeting": cinema.id, "slot": cinema.slots[0]])
        try box.call(ben, "meeting.attend", ["meeting": cinema.id, "answer": "going"])
        try box.call(
            ada, "contact.add",
            [
                "category": "Doctors", "title": "Dr.", "firstName": "Rosa", "lastName": "Lind",
                "phones": [["value": "+49 30 5550123", "label": "work"]], "emails": [["value": "rosa@example.org"]],
                "addresses": [["value": "1 Mill Lane"]], "note": "Rings twice.",
            ])
        try box.call(ada, "contact.add", ["company": "Boiler & Sons", "phones": [["value": "030 5550199"]]])
        try box.call(ada, "profile.add", ["kind": "about", "value": "Keeps the mill."])
        try box.call(
            ben, "profile.add", ["kind": "birthday", "value": "1984-02-29", "audience": "household"])
        try box.call(
            kim, "profile.add",
            ["kind": "phone", "value": "+49 151 5550100", "label": "mobile", "audience": [.id(ada.id)]])
        try box.call(
            ada, "settings.set", ["language": "de", "zone": "Europe/Berlin", "tabs": ["map", "meetings"]])
        try box.call(ben, "settings.set", ["textSize": 20, "weekStart": "sunday"])
    }
}
