import KinModel
import KinWords
import Testing

@testable import kin

/// What `kin sharing` and `kin share` say, with two members whose names look the same.
@Suite struct SharingScreenTests {
    private static func member(_ number: UInt64, _ name: String, _ username: String, _ kind: MemberKind = .adult)
        -> Member
    {
        Member(
            id: Identifier(high: 1, low: number), username: username, displayName: name, role: .member, kind: kind,
            household: Identifier(high: 2, low: 1))
    }

    private let ada = member(1, "Ada", "ada")
    private let fake = member(2, "Аda", "eve")
    private let bob = member(3, "Bob", "bob")
    private let kit = member(4, "Kit", "kit", .child)
    private let now = Instant("2026-11-20T18:00:00Z") ?? .earliest

    private var screen: SharingScreen { SharingScreen(People(members: [ada, fake, bob, kit]), now: now) }

    private func viewer(_ member: Member, _ more: JSON = [:]) -> JSON {
        var json: JSON = [
            "id": .id(member.id), "displayName": .string(member.displayName), "precision": "exact", "history": false,
            "group": "household",
        ]
        for (name, value) in more.object?.members ?? [] { json[name] = value }
        return json
    }

    private func say(_ sharing: JSON, of child: Member? = nil) -> [String] {
        Language.$current.withValue(.english) { screen.lines(sharing, of: child) }
    }

    @Test func `who sees it, who waits and who was refused are told apart`() {
        let lines = say([
            "state": "on", "seenBy": [viewer(ada), viewer(bob)], "waiting": [viewer(fake)], "declined": [viewer(fake)],
        ])
        #expect(lines.first == "Your position is shown to the family: Ada (ada), Bob.")
        #expect(lines.contains { $0.hasPrefix("Аda (eve) has come into the household") })
        #expect(lines.contains { $0.contains("Refused, and not asked about again: Аda (eve)") })
    }

    @Test func `who holds a child's settings, and who is to decide, are told apart`() {
        let held = say(["state": "on", "seenBy": [viewer(bob)], "heldBy": .id(fake.id)], of: kit)
        #expect(held == ["Kit’s position is shown: Bob.", "Аda (eve) holds these settings."])
        let asked = say(
            ["state": "off", "seenBy": [], "paused": true, "parents": [.id(ada.id), .id(fake.id)]], of: kit)
        #expect(asked.contains { $0.contains("Ada (ada), Аda (eve)") })
    }

    @Test func `tables of who sees how much and who looked tell names apart`() {
        let tables = Language.$current.withValue(.english) {
            [
                screen.table([viewer(ada), viewer(fake), viewer(bob)]).rows.map { $0[0] },
                screen.looks([
                    ["viewer": .id(fake.id), "displayName": "Аda", "how": "live", "count": 2],
                    ["viewer": .id(bob.id), "displayName": "Bob", "how": "live", "count": 1, "atMachine": true],
                    ["how": "link", "count": 1], ["how": "history", "count": 1],
                ]).rows.map { $0[0] },
            ]
        }
        #expect(tables[0] == ["Ada (ada)", "Аda (eve)", "Bob"])
        #expect(tables[1] == ["Аda (eve)", "Bob (at the machine)", "somebody with a link", "Somebody"])
    }

    @Test func `a member who is gone is called as the daemon does`() {
        let gone = Self.member(9, "Old\u{202E} Name", "gone")
        #expect(
            say(["state": "on", "seenBy": [viewer(gone)]]).first == "Your position is shown to the family: Old Name.")
    }

    @Test(arguments: [("ben", false), ("kit", true), (nil, true)])
    func `an inbox says of a child what is the child's, and of oneself what is one's own`(who: String?, isOwn: Bool) {
        let ben = Self.member(5, "Ben", "ben")
        let names = People(members: [ada, bob, kit, ben], username: who).names
        let line: JSON = ["kind": "childSharing", "by": .id(bob.id), "hold": "waits", "at": .time(now)]
        let entry = InboxEntry(
            id: Identifier(high: 7, low: 7), about: "position/\(kit.id)", isOfficial: true, isUnread: true, at: now,
            title: nil, lines: [line], more: 0)
        let said = Language.$current.withValue(.english) {
            InboxVoice(names: names, now: now).sentence(line, of: entry)
        }
        #expect(said.contains("your sharing") == isOwn, "\(said)")
        #expect(said.contains("Kit") != isOwn)
    }

    @Test func `that it was at the machine is said once, and in nobody's name where nobody is named`() {
        let names = People(members: [ada, bob]).names
        func tail(_ line: JSON, by: Identifier) -> String {
            let entry: JSON = [
                "id": .id(Identifier(high: 7, low: 7)), "about": .string("meeting/\(kit.id)"), "official": false,
                "unread": true,
                "at": .time(now), "title": "Sunday", "lines": [line], "more": 0,
            ]
            let event = Event(
                cursor: "c", type: "activity.added", at: now, by: by, isAtMachine: true, about: "meeting/\(kit.id)",
                data: ["entry": entry, "unread": 1])
            return Language.$current.withValue(.english) { Sentence.of(event, names, now: now) }
        }
        let all = tail(["kind": "allReplied", "at": .time(now), "atMachine": true], by: bob.id)
        #expect(all == "For you: Sunday: All have answered (at the machine, in Bob's name)")
        let vote = tail(
            ["kind": "voted", "at": .time(now), "by": .id(bob.id), "reply": "voted", "atMachine": true], by: bob.id)
        #expect(vote.ranges(of: "at the machine").count == 1 && !vote.contains("Somebody"))
    }
}
