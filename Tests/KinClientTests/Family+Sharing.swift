import KinModel

@testable import kin

/// What `kin sharing` and `kin where` say: somebody's sharing, on and off, with each of the sentences there are.
extension Family {
    private static func member(_ number: Int, _ name: String, _ kind: MemberKind = .adult) -> Member {
        Member(
            id: id(number), username: name.lowercased(), displayName: name, role: .member, kind: kind,
            household: id(90))
    }

    private static let roster = [
        member(0, "Ada"), member(1, "Bob"), member(2, "Carol"), member(3, "Dan"), member(4, "Kit", .child),
        member(5, "Zoë"),
    ]

    private static func person(_ number: Int, _ rules: JSON, _ more: JSON.Object = [:]) -> JSON {
        var person: JSON = ["id": json(number), "displayName": .string(roster[number].displayName), "rules": rules]
        for name in more.names { person[name] = more[name] }
        return person
    }

    private static func sharing(_ state: JSON) -> JSON {
        [
            "state": state,
            "rules": [
                ["viewer": "everyone", "precision": "place", "history": false],
                ["viewer": "household", "precision": "exact", "history": false],
                ["viewer": json(1), "precision": "coarse", "history": true, "until": "2026-11-21T11:00:00.000Z"],
            ],
            "seenBy": [
                person(
                    1, [json(1)], ["precision": "coarse", "history": true, "until": "2026-11-21T11:00:00.000Z"]),
                person(2, ["household"], ["precision": "exact", "history": false]),
                person(5, ["household", "everyone"], ["precision": "place", "history": false]),
            ],
            "notSeenBy": [person(3, ["everyone"]), person(4, [])],
            "waiting": [["id": json(3), "displayName": "Dan", "group": "everyone", "precision": "place"]],
            "declined": [],
        ]
    }

    private static func change(_ number: Int, _ before: JSON, _ now: JSON, _ rules: JSON) -> JSON {
        person(
            number, rules,
            [
                "changed": .bool(before != now), "before": ["precision": before, "history": false],
                "now": ["precision": now, "history": false],
            ])
    }

    static var sharing: [String] {
        let screen = SharingScreen(People(members: roster), now: now)
        let kit = roster[4]
        let on = sharing("on")
        let seen: JSON = ["precision": "coarse", "history": false]
        var lines = screen.lines(on, of: nil) + [""] + screen.lines(sharing("off"), of: kit) + [""]
        lines += screen.lines(with: roster[2], on, of: nil, seen: seen) + [""]
        lines += screen.lines(with: roster[2], sharing("off"), of: nil, seen: seen) + [""]
        let effects: [(JSON, [JSON], Member?)] = [
            (
                on,
                [
                    change(2, "exact", "exact", ["household"]), change(1, "off", "coarse", [json(1)]),
                    change(5, "exact", "place", ["household", "everyone"]),
                ], nil
            ),
            (on, [change(2, "exact", "exact", ["household"]), change(5, "exact", "exact", ["household"])], nil),
            (sharing("off"), [change(2, "exact", "off", ["household"])], nil), (sharing("off"), [], kit),
        ]
        for (sharing, people, child) in effects {
            lines += screen.effect(["sharing": sharing, "effect": .array(people)], of: child) + [""]
        }
        lines += screen.held(
            phrase("share.released", ["name": "Kit"]),
            ["sharing": on, "effect": .array([change(2, "exact", "off", ["household"])])], of: kit)
        lines += screen.held(phrase("share.holds", ["name": "Kit"]), ["sharing": on, "effect": []], of: kit) + [""]
        let move: JSON = [
            "member": ["id": json(3)], "household": ["id": json(90), "name": "Oak"], "by": json(3), "mayAnswer": true,
            "ends": "2026-11-27T18:00:00.000Z",
        ]
        var done = move
        done["admitted"] = true
        lines +=
            Moving.answerable(["moves": [move, done]], screen.people) + [""] + screen.next(["phones": [["waiting": 1]]])
        lines += ["sharing.needs-yes", "sharing.no-rule", "where.own-off"].map { phrase($0) }
        return lines + Unseen.Why.allCases.map { Unseen(kit.id, $0).sentence(screen.names) }
    }
}
