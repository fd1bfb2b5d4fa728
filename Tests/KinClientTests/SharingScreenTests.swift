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

    private func rule(_ viewer: JSON, _ precision: JSON, _ more: JSON = [:]) -> JSON {
        var json: JSON = ["viewer": viewer, "precision": precision, "history": false]
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
        #expect(lines.first == "Your sharing is on.")
        #expect(lines.contains { $0.hasPrefix("  Ada (ada): exactly") })
        #expect(lines.contains { $0.hasPrefix("  Bob: exactly") })
        #expect(lines.contains { $0.hasPrefix("Аda (eve) has come into the household") })
        #expect(lines.contains { $0.contains("Refused, and not asked about again: Аda (eve)") })
    }

    @Test func `who holds a child's settings, and who is to decide, are told apart`() {
        let held = say(["state": "on", "seenBy": [viewer(bob)], "heldBy": .id(fake.id)], of: kit)
        #expect(held.first == "Kit’s sharing is on." && held.last == "Аda (eve) holds these settings.")
        let asked = say(
            ["state": "off", "seenBy": [], "paused": true, "parents": [.id(ada.id), .id(fake.id)]], of: kit)
        #expect(asked.contains { $0.contains("Ada (ada), Аda (eve)") })
    }

    @Test func `a table of who looked tells names apart`() {
        let table = Language.$current.withValue(.english) {
            screen.looks([
                ["viewer": .id(fake.id), "displayName": "Аda", "how": "live", "count": 2],
                ["viewer": .id(bob.id), "displayName": "Bob", "how": "live", "count": 1, "atMachine": true],
                ["how": "link", "count": 1], ["how": "history", "count": 1],
            ]).rows.map { $0[0] }
        }
        #expect(table == ["Аda (eve)", "Bob (on Kinwire’s own computer)", "somebody with a link", "Somebody"])
    }

    @Test func `rules stand in the order in which they decide`() {
        let lines = say([
            "state": "on",
            "rules": [
                rule("everyone", "place"), rule("household", "exact", ["until": "2026-11-20T20:00:00Z"]),
                rule(.id(bob.id), "off"), rule(.id(ada.id), "coarse", ["history": true]),
            ],
        ])
        #expect(lines[1] == "The first of these rules that is about somebody decides:")
        #expect(lines[2] == "  1. Bob: nothing")
        #expect(lines[3] == "  2. Ada (ada): about a kilometre, with the history")
        #expect(lines[4].hasPrefix("  3. your household: exactly, until "))
        #expect(lines[5] == "  4. everyone: the place's name")
        #expect(say(["state": "on", "rules": []]).contains("There is no rule, so nobody sees anything."))
    }

    @Test func `everybody is told what they see and because of what`() {
        let lines = say([
            "state": "on",
            "seenBy": [
                viewer(ada, ["rules": ["household"]]), viewer(kit, ["rules": ["household", "everyone"]]),
            ],
            "notSeenBy": [
                ["id": .id(fake.id), "displayName": "Аda", "rules": ["everyone"]],
                ["id": .id(bob.id), "displayName": "Bob", "rules": []],
            ],
            "waiting": [viewer(fake)],
        ])
        #expect(lines.contains("  Ada (ada): exactly, because of the rule for your household"))
        #expect(
            lines.contains(
                "  Kit: exactly, because of the rules for your household and for everyone, of which the least counts"))
        #expect(lines.contains("  Аda (eve): nothing, because the answer is still missing"))
        #expect(lines.contains("  Bob: nothing, because there is no rule for it"))
    }

    private func effect(_ state: JSON, _ people: [JSON], of child: Member? = nil) -> [String] {
        Language.$current.withValue(.english) {
            screen.effect(["sharing": ["state": state], "effect": .array(people)], of: child)
        }
    }

    private func person(_ member: Member, _ before: JSON, _ now: JSON, _ rules: JSON) -> JSON {
        [
            "id": .id(member.id), "displayName": .string(member.displayName), "changed": .bool(before != now),
            "before": ["precision": before, "history": false], "now": ["precision": now, "history": false],
            "rules": rules,
        ]
    }

    @Test func `a change is answered by what it did to people`() {
        #expect(
            effect("on", [person(bob, "exact", "exact", ["household"])]) == [
                "Bob still sees: exactly, because of the rule for your household.",
                "Nobody sees more or less than before.",
            ])
        #expect(
            effect(
                "on", [person(bob, "off", "place", ["everyone"]), person(kit, "off", "place", ["everyone"])]) == [
                    "Bob, Kit now see: the place's name, because of the rule for everyone (before: nothing)."
                ])
        #expect(
            effect("off", [person(bob, "exact", "off", ["household"])]) == [
                "Bob now sees: nothing, because the sharing is off (before: exactly).",
                "Your sharing is off: nobody sees where you are. Switch it on: kin sharing on",
            ])
        #expect(
            effect("off", [person(bob, "off", "off", ["household"])], of: kit) == [
                "Nobody sees more or less than before.", "The sharing is off: nobody sees where the child is.",
            ])
        #expect(effect("on", []) == ["Nobody sees more or less than before."])
    }

    @Test func `with a member it is said what each sees of the other`() {
        func with(_ state: JSON, of child: Member? = nil) -> [String] {
            let sharing: JSON = ["state": state, "seenBy": [viewer(bob, ["rules": ["household"]])]]
            return Language.$current.withValue(.english) {
                screen.lines(
                    with: bob, sharing, of: child,
                    seen: child == nil ? ["precision": "coarse", "history": true] : nil)
            }
        }
        let mine = "You see of Bob: about a kilometre, with the history."
        #expect(with("on") == ["Bob sees of you: exactly, because of the rule for your household.", mine])
        #expect(
            with("off") == [
                "Bob sees of you: nothing, because the sharing is off.",
                "Once it is on: exactly, because of the rule for your household.", mine,
            ])
        #expect(with("on", of: kit) == ["Bob sees of Kit: exactly, because of the rule for Kit’s household."])
    }

    @Test func `why nothing is to be seen of somebody is told apart`() {
        let said = Language.$current.withValue(.english) {
            Unseen.Why.allCases.map { Unseen(bob.id, $0).sentence(screen.names) }
        }
        #expect(Set(said).count == 4)
        #expect(said[0] == "Bob shows you where they are, but no position of theirs has come yet.")
        #expect(said[2] == "Bob’s sharing is off." && said[3] == "Bob does not share with you.")
    }

    @Test func `a member who is gone is called as the daemon does`() {
        let gone = Self.member(9, "Old\u{202E} Name", "gone")
        #expect(
            say(["state": "on", "seenBy": [viewer(gone)]]).contains { $0.hasPrefix("  Old Name: exactly") })
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
        #expect(all == "For you: Sunday: All have answered (on Kinwire’s own computer, in Bob’s name)")
        let vote = tail(
            ["kind": "voted", "at": .time(now), "by": .id(bob.id), "reply": "voted", "atMachine": true], by: bob.id)
        #expect(vote.ranges(of: "Kinwire’s own computer").count == 1 && !vote.contains("Somebody"))
    }
}
