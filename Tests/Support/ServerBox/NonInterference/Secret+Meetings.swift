import KinModel

@testable import KinSimulation

extension Secret {
    static let meetings = [
        Secret("a meeting of others", from: everybody) { stage in _ = try proposed(stage) },
        Secret("a meeting with oneself", from: everybody) { stage in
            _ = try proposed(stage, kind: "solo", invitees: [])
        },
        Secret("a meeting for all members, from guests", from: guests) { stage in
            let meeting = try proposed(stage, kind: "public", invitees: [])
            try vote("ben", meeting, stage)
            try vote("mo", meeting, stage)
        },
        Secret("what others vote and refuse", from: everybody) { stage in
            let meeting = try proposed(stage)
            try vote("mo", meeting, stage)
            try stage.does("nan", "meeting.refuse", ["meeting": .id(meeting.id), "reason": .string(stage.words(9))])
        },
        Secret("what others suggest, and what becomes of it", from: everybody) { stage in
            let meeting = try proposed(stage)
            for (number, method) in ["meeting.accept", "meeting.decline"].enumerated() {
                let seen = try stage.does(
                    "mo", "meeting.suggest",
                    ["meeting": .id(meeting.id), "slot": span(stage, 3600, 90 + Int64(number))])
                let suggestion = seen["meeting"]?["suggestions"]?.array?.last?["id"] ?? .null
                try stage.does("mia", method, ["meeting": .id(meeting.id), "suggestion": suggestion])
            }
        },
        Secret("where others go", from: everybody) { stage in
            let meeting = try proposed(stage)
            try vote("mo", meeting, stage)
            try stage.does("mia", "meeting.confirm", ["meeting": .id(meeting.id), "slot": .id(meeting.slot)])
            try stage.does("nan", "meeting.attend", ["meeting": .id(meeting.id), "answer": "going"])
        },
        Secret("what is cancelled, and cleared", from: everybody) { stage in
            let meeting = try proposed(stage)
            try stage.does("mia", "meeting.cancel", ["meeting": .id(meeting.id), "reason": .string(stage.words(9))])
            try stage.does("mo", "meeting.clearPast")
        },
        Secret("that somebody is reminded", from: everybody) { stage in
            try stage.does("mia", "meeting.nudge", ["meeting": .id(try proposed(stage).id)])
        },
        Secret("who hosts it now", from: everybody) { stage in
            let meeting = try proposed(stage, invitees: ["mo"])
            try stage.does("mia", "meeting.handOver", ["meeting": .id(meeting.id), "to": .id(try stage.id("nan"))])
        },
        Secret("who is invited, and who no longer", from: everybody) { stage in
            let meeting = try proposed(stage, invitees: ["mo"])
            try vote("mo", meeting, stage)
            try stage.does(
                "mia", "meeting.update",
                [
                    "meeting": .id(meeting.id), "invitees": [.id(try stage.id("nan"))],
                    "title": .string(stage.words(9)), "slots": [span(stage, 7200, 60)],
                ])
        },
        Secret("a meeting that its host takes along", from: ["gil"]) { stage in
            _ = try proposed(stage, host: "nan", invitees: ["mo", "ben"])
            try stage.does("ada", "member.remove", ["member": .id(try stage.id("nan")), "keep": "delete"])
        },
        Secret("a deadline of others that passes", from: everybody) { stage in
            _ = try proposed(stage, deadline: 20)
        },
        Secret("a meeting of others that is over", from: everybody) { stage in
            let times = span(stage, 2, 10)
            _ = try stage.hide(
                try stage.does(
                    "mia", "meeting.propose",
                    [
                        "title": .string(stage.words(9)), "kind": "solo", "zone": "Europe/Berlin", "slots": [times],
                        "invitees": [.id(try stage.id("mo"))],
                    ]), "meeting")
        },
    ]

    private static func at(_ stage: Stage, _ seconds: Int64) -> JSON {
        .time(Instant(milliseconds: stage.box.time.wallMilliseconds()).adding(seconds: seconds))
    }

    private static func span(_ stage: Stage, _ from: Int64, _ length: Int64) -> JSON {
        ["start": at(stage, from), "end": at(stage, from + length)]
    }

    /// A meeting in Mill with one to three slots: its identifier and its first slot's.
    private static func proposed(
        _ stage: Stage, host: String = "mia", kind: String = "group", invitees: [String] = ["mo", "nan"],
        deadline: Int64? = nil
    ) throws -> (id: Identifier, slot: Identifier) {
        var params: JSON = [
            "title": .string(stage.words(9)), "kind": .string(kind), "zone": "Europe/Berlin",
            "slots": .array((0...Int64(stage.dice.below(3))).map { span(stage, 1000 + 500 * $0, 400) }),
            "invitees": .array(try invitees.map { .id(try stage.id($0)) }),
        ]
        if stage.dice.once(in: 2) { params["note"] = .string(stage.words(60)) }
        if let deadline { params["deadline"] = at(stage, deadline) }
        let made = try stage.does(host, "meeting.propose", params)
        let id = try stage.hide(made, "meeting")
        guard let slot = made["meeting"]?["slots"]?.array?.first?["id"]?.identifier else {
            throw Stage.Refused(method: "meeting.propose", answer: "no slot")
        }
        return (id, slot)
    }

    private static func vote(_ who: String, _ meeting: (id: Identifier, slot: Identifier), _ stage: Stage) throws {
        let answer = JSON.string(stage.dice.pick(["yes", "ifNeedBe", "no"]))
        try stage.does(
            who, "meeting.vote",
            ["meeting": .id(meeting.id), "votes": [["slot": .id(meeting.slot), "answer": answer]]])
    }
}
