import KinModel

extension MeetingsLife {
    static let stories = [
        FoldStory(
            "meetings",
            "A meeting is proposed, voted on, changed, closed, confirmed, handed over and over; others come into sight and leave it.",
            view: "meetings"
        ) { (family) throws(Finding) in
            try family.comes()
            let soup = try propose("ada", "Soup", "group", ["ben", "cleo"], family, deadline: 600)
            let slots = soup.slots
            try family.asks(
                "ben", "meeting.vote", soup.with(["votes": [vote(slots[0], "yes"), vote(slots[1], "ifNeedBe")]]))
            try family.asks("cleo", "meeting.vote", soup.with(["votes": [vote(slots[0], "no")]]))
            try family.asks("ben", "meeting.suggest", soup.with(["slot": span(5000, family)]))
            try family.compare()
            let suggested = try family.told("meeting.suggested")["suggestion"]?["id"] ?? .null
            try family.asks("ada", "meeting.accept", soup.with(["suggestion": suggested]))
            try family.asks("ada", "meeting.update", soup.with(["slots": [["id": slots[1]], ["id": suggested]]]))
            try family.asks("cleo", "meeting.refuse", soup.with(["reason": "Away."]))
            try family.asks("ada", "meeting.update", soup.with(["title": "Onion soup", "note": "Bring spoons."]))
            try family.compare()
            try family.passes(seconds: 600)
            _ = try family.told("meeting.closed")
            try family.compare()
            try family.asks("ada", "meeting.confirm", soup.with(["slot": slots[1]]))
            try family.compare()
            try family.asks("ben", "meeting.attend", soup.with(["answer": "notGoing"]))
            try family.asks("ada", "meeting.handOver", soup.with(["to": family.id("ben")]))
            try family.compare()
            try family.asks("ben", "meeting.handOver", soup.with(["to": family.id("ada")]))
            try family.compare()

            let walk = try propose("ada", "Walk", "public", [], family)
            try family.asks("ben", "meeting.refuse", walk.with([:]))
            let chess = try propose("ada", "Chess", "group", ["cleo"], family)
            try family.asks("ada", "meeting.update", chess.with(["invitees": [family.id("cleo"), family.id("ben")]]))
            try family.compare()
            try family.asks("ada", "meeting.update", chess.with(["invitees": [family.id("cleo")]]))
            try family.asks("ada", "meeting.cancel", walk.with(["reason": "Rain."]))
            _ = try propose("cleo", "Film", "group", ["ben"], family)
            try family.compare()
            try family.asks("ada", "member.remove", ["member": family.id("cleo"), "keep": "delete"])
            try family.compare()
            try family.passes(seconds: 6000)
            _ = try family.told("meeting.ended")
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        let walk = try propose("ada", "Walk", "public", ["ben"], family)
        let votes = walk.slots.map { vote($0, "yes") }
        try family.asks("ben", "meeting.vote", walk.with(["votes": .array(votes)]))
    }

    /// A proposed meeting, with what requests about it have.
    struct Proposal {
        let meeting: JSON
        let slots: [JSON]

        func with(_ more: JSON) -> JSON {
            var params: JSON = ["meeting": meeting]
            for member in more.object?.members ?? [] { params[member.name] = member.value }
            return params
        }
    }

    /// Proposes a meeting with two slots, an hour and more from now.
    static func propose(
        _ host: String, _ title: String, _ kind: String, _ invitees: [String], _ family: Recording,
        deadline: Int64? = nil
    ) throws(Finding) -> Proposal {
        var params: JSON = [
            "title": .string(title), "kind": .string(kind), "zone": "Europe/Berlin",
            "slots": [span(3600, family), span(4200, family)], "invitees": .array(invitees.map { family.id($0) }),
            "note": "What a snapshot leaves out.",
        ]
        if let deadline { params["deadline"] = family.time(in: deadline) }
        let meeting = try family.asks(host, "meeting.propose", params)["meeting"] ?? .null
        return Proposal(
            meeting: meeting["id"] ?? .null, slots: (meeting["slots"]?.array ?? []).compactMap { $0["id"] })
    }

    private static func span(_ seconds: Int64, _ family: Recording) -> JSON {
        ["start": family.time(in: seconds), "end": family.time(in: seconds + 600)]
    }

    private static func vote(_ slot: JSON, _ answer: String) -> JSON { ["slot": slot, "answer": .string(answer)] }
}
