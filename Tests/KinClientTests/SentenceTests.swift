import KinModel
import KinWords
import Testing

@testable import kin

@Suite struct SentenceTests {
    static let ada = "01a1fd3b-e129-7742-9828-dfba90345cf3"
    static let grace = "01a1fd3b-e129-7742-9828-dfba90345cf4"
    static let oak = "01a1fd3b-e129-7aab-ab24-e7eb491f08fa"
    let now = Instant("2026-11-20T18:04:05.000Z") ?? .earliest

    private func member(_ id: String, _ name: String) -> JSON {
        [
            "id": .string(id), "username": "x", "displayName": .string(name), "role": "member", "kind": "adult",
            "household": .string(Self.oak), "parents": [], "partners": [],
        ]
    }

    private var names: Names {
        Names(
            Snapshot([
                "me": .string(Self.ada), "households": [["id": .string(Self.oak), "name": "Oak"]],
                "members": [member(Self.ada, "Ada"), member(Self.grace, "Grace")],
            ]) ?? Snapshot())
    }

    private func say(_ type: String, by: String? = SentenceTests.ada, _ data: JSON) -> String {
        Sentence.of(
            Event(
                cursor: "c", type: type, at: now, by: by.flatMap { Identifier($0) }, about: "x/01a1fd3b", data: data),
            names, now: now)
    }

    /// Who shares and is not seen is told why, and what to do about it.
    @Test(arguments: [
        ("locationOff", "allow it the location, always"), ("quiet", "choose another mode"),
        ("locationWhileUsing", "allow the location always"), ("backgroundRefreshOff", "turn background refresh on"),
        ("pausedWhenUnused", "turn that off for it"), ("powerSave", "turn that off"),
        ("batteryOptimised", "take it out of battery optimisation"), ("batteryEmpty", "charge it"),
        ("noPlaces", "look at its permissions"), ("noContact", "open the app"), ("noPhone", "kin phone add"),
    ])
    func `a silent phone is told with what to do about it`(cause: String, remedy: String) {
        let last: JSON = ["member": .string(Self.ada), "last": "2026-11-20T08:04:05.000Z", "cause": .string(cause)]
        let never: JSON = ["member": .string(Self.ada), "cause": .string(cause)]
        for data in [last, never] {
            let said = say("position.silent", by: nil, data)
            #expect(said.contains(remedy), "\(said)")
        }
    }

    @Test func `each event reads as a sentence with names`() {
        let grace = JSON.string(Self.grace)
        let household: JSON = ["household": ["id": .string(Self.oak), "name": "Oak"]]
        #expect(
            say("family.founded", ["family": ["id": .string(Self.oak), "name": "Okoro"]])
                == "The family Okoro was founded")
        #expect(say("household.founded", household) == "Ada founded the household Oak")
        #expect(say("household.founded", by: nil, household) == "The household Oak was founded")
        #expect(say("household.renamed", household) == "Ada renamed a household to Oak")
        #expect(say("household.removed", ["household": .string(Self.oak)]) == "The household Oak is gone")
        #expect(say("member.joined", ["member": member(Self.grace, "Grace")]) == "Grace joined the household Oak")
        #expect(say("member.added", ["member": member(Self.grace, "Grace")]) == "Ada added Grace to the household Oak")
        #expect(say("member.moved", ["member": member(Self.grace, "Grace")]) == "Grace moved to the household Oak")
        #expect(say("member.removed", ["member": grace]) == "Grace is no longer in the family")
        #expect(say("invite.revoked", by: nil, ["invite": grace]) == "An administrator revoked an invite")
        #expect(say("session.opened", ["session": grace, "device": "Ada's phone"]) == "You signed in: Ada's phone")
        #expect(say("activity.announced", ["text": "Dinner is ready"]) == "Ada: Dinner is ready")
        #expect(say("activity.announced", by: nil, ["text": "Hello"]) == "Kinwire: Hello")
        #expect(say("position.hidden", ["member": grace]) == "Grace no longer shows a position")
        #expect(say("sharing.changed", ["sharing": ["state": "off"]]) == "Your position is shown to nobody")
        #expect(
            say("sharing.changed", by: nil, ["sharing": ["state": "off"]])
                == "Your position is shown to nobody any more. Show it again: kin sharing on")
        #expect(say("sharing.changed", ["sharing": ["state": "on"]]) == "Your position is shown to the family")
    }

    @Test func `what is asked and answered reads as a sentence`() {
        func say(_ type: String, by: String?, about: String, _ data: JSON) -> String {
            let event = Event(
                cursor: "c", type: type, at: now, by: by.flatMap { Identifier($0) }, about: "member/\(about)",
                data: data)
            return Sentence.of(event, names, now: now)
        }
        let (ada, grace) = (Self.ada, Self.grace)
        let move: JSON = ["member": .string(grace), "household": .string(Self.oak)]
        #expect(
            say("household.asked", by: grace, about: grace, move)
                == "Grace asks to move into Oak: kin household requests")
        #expect(
            say("household.asked", by: ada, about: grace, move) == "Ada asks that Grace may move into Oak")
        for (answer, sentence) in [
            ("moved", "Ada admitted Grace to Oak"), ("refused", "Ada does not admit Grace to Oak"),
            ("admitted", "Ada lets Grace move into Oak: kin household move"),
            ("withdrawn", "Ada no longer asks that Grace may move into Oak"),
            ("ended", "It is over that Grace was to move into Oak"),
        ] {
            var data = move
            data["answer"] = .string(answer)
            #expect(say("household.answered", by: ada, about: grace, data) == sentence)
        }
        let asked: JSON = ["member": .string(grace), "ends": "2026-12-20T18:00:00.000Z"]
        #expect(
            say("member.grownAsked", by: grace, about: grace, asked)
                == "Grace asks to count as an adult: kin member grown")
        func answered(_ member: String, _ isGrown: Bool) -> JSON {
            ["member": .string(member), "grown": .bool(isGrown)]
        }
        #expect(
            say("member.grownAnswered", by: ada, about: grace, answered(grace, true))
                == "Ada says that Grace counts as an adult")
        #expect(
            say("member.grownAnswered", by: grace, about: ada, answered(ada, false))
                == "Grace says that you do not count as an adult yet")
        var unanswered = answered(grace, true)
        unanswered["unanswered"] = true
        #expect(
            say("member.grownAnswered", by: nil, about: grace, unanswered)
                == "Nobody answered for 30 days: who asked counts as an adult")
    }

    @Test func `names that look the same have the username behind`() {
        var names = names
        names.learn([
            "member": [
                "id": .string(Self.oak), "username": "ada2", "displayName": "Аda", "role": "member",
                "kind": "adult", "household": .string(Self.oak),
            ]
        ])
        #expect(names.member(Identifier(Self.oak)) == "Аda (ada2)")
        #expect(names.member(Identifier(Self.ada)) == "Ada (x)")
        #expect(names.member(Identifier(Self.grace)) == "Grace")
        let joined = Event(
            cursor: "c", type: "member.removed", at: now, by: Identifier(Self.oak), about: "x",
            data: ["member": .string(Self.ada)])
        #expect(Sentence.of(joined, names, now: now) == "Ada (x) is no longer in the family")
    }

    @Test func `what a newer daemon sends still reads, without ids, and nothing steers the terminal`() {
        #expect(say("meeting.sung", ["meeting": .string(Self.oak)]) == "Ada: meeting.sung")
        #expect(say("position", ["member": 5]) == "Ada: position")
        #expect(say("activity.announced", ["text": "a\u{1B}]0;x\u{7}\nb"]) == "Ada: a ]0;x  b")
        #expect(say("member.removed", ["member": "unknown"]) == "Somebody is no longer in the family")
        for type in [
            "family.founded", "member.joined", "member.added", "invite.created", "session.opened", "household.removed",
        ] {
            #expect(!say(type, [:]).contains("01a1"))
            #expect(!say(type, by: Self.oak, .array([])).isEmpty)
        }
    }

    @Test func `numbers are rounded as people expect`() {
        #expect(Reader.decimal(1.005, places: 2) == "1.00")
        #expect(Reader.decimal(-0.5, places: 4) == "-0.5000")
        #expect(Reader.decimal(99.999_96, places: 4) == "100.0000")
        #expect(Reader.decimal(1e300, places: 4) == "?")
        #expect(Reader.whole(7.5) == "8")
    }
}
