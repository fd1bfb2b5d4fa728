import KinCodec
import KinModel

@testable import kin

extension Family {
    /// One event of each type with data, in the order of an evening; those of the tail's screen.
    static var events: [Event] {
        let tally = tally(3, 0, 2, [[2, 1, 0], [1, 0, 2], [0, 0, 0]])
        let meeting = meeting(host: 1, tally: tally)
        let confirmed = Family.meeting(
            state: "confirmed", tally: Family.tally(4, 0, 1, going: 3), more: ["confirmed": json(200)])
        let id: JSON = json(100)
        let position: JSON = [
            "member": json(2), "lat": 45.2735, "lon": 13.7142, "at": "2026-11-20T18:00:00.000Z", "accuracy": 8,
        ]
        var events: [Event] = []
        func add(_ type: String, _ by: Int?, _ data: JSON, isAtMachine: Bool = false) {
            events.append(
                Event(
                    cursor: "c", type: type, at: now.adding(seconds: Int64(events.count) * 45 - 3600),
                    by: by.map { Family.id($0) }, isAtMachine: isAtMachine, about: "meeting/\(Family.id(100))",
                    data: data))
        }
        add("family.founded", 0, ["family": ["id": json(99), "name": "Lovelace"]])
        add("family.renamed", 0, ["family": ["id": json(99), "name": "Byron"]])
        add("household.founded", 0, ["household": ["id": json(90), "name": "Oak"]])
        add("household.renamed", 0, ["household": ["id": json(90), "name": "Elm"]])
        add("household.removed", 0, ["household": json(90)])
        add("member.joined", 1, ["member": member(1, "Bob")])
        add("member.added", 0, ["member": member(2, "Carol")])
        add("member.updated", 0, ["member": member(2, "Carol", role: "head"), "changed": ["role"]])
        add("member.moved", 0, ["member": member(3, "Dan")])
        add("household.asked", 3, ["member": json(3), "household": json(90)])
        add("household.asked", 1, ["member": json(3), "household": json(90)])
        for answer in ["moved", "admitted", "refused", "withdrawn", "ended"] as [JSON] {
            add("household.answered", 1, ["member": json(3), "household": json(90), "answer": answer])
        }
        add("member.grownAsked", 3, ["member": json(3), "ends": "2026-12-20T18:00:00.000Z"])
        add("member.grownAnswered", 1, ["member": json(3), "grown": true])
        add("member.grownAnswered", 1, ["member": json(3), "grown": false])
        add("member.grownAnswered", nil, ["member": json(3), "grown": true, "unanswered": true])
        add("member.removed", 0, ["member": json(25)])
        add(
            "invite.created", 0,
            ["invite": ["id": json(80), "household": json(90), "expires": "2026-11-27T18:00:00.000Z"]]
        )
        add("invite.revoked", 0, ["invite": json(80)])
        add("session.opened", 0, ["session": json(81), "device": "Pixel"])
        add("permission.changed", 0, ["what": "appPasswordMade", "device": "Pixel", "scope": "location"])
        add("position", 2, position)
        add("position.hidden", 2, ["member": json(2)])
        add("position.deleted", 2, ["member": json(2)])
        add("position.silent", nil, ["member": json(0), "last": "2026-11-20T08:00:00.000Z"])
        add("position.silent", nil, ["member": json(0), "last": "2026-11-20T08:00:00.000Z", "cause": "powerSave"])
        add("position.silent", nil, ["member": json(0), "cause": "noPhone"])
        add("position.asked", 1, ["member": json(0)])
        let place: JSON = [
            "id": json(70), "kind": "place", "name": "School", "lat": 45.2735, "lon": 13.7142, "radius": 120,
            "owner": json(1),
        ]
        add("place.added", 1, ["place": place])
        add("place.updated", 1, ["place": place])
        add("place.shown", 1, ["place": place])
        add(
            "place.entered", 2,
            ["member": json(2), "place": json(70), "name": "School", "at": "2026-11-20T17:14:00.000Z"])
        add(
            "place.left", 2,
            ["member": json(2), "place": json(70), "name": "School", "at": "2026-11-20T17:44:00.000Z"])
        add("place.hidden", 1, ["place": json(70)])
        add("place.removed", 1, ["place": json(70)])
        add("sharing.changed", 0, ["sharing": ["state": "on", "until": "2026-11-20T20:00:00.000Z"]])
        for what: JSON in ["state", "rules", "history", "viewers", "holder"] {
            add("sharing.changed", 1, ["sharing": ["state": "on"], "changes": [what]])
            add("sharing.changed", nil, ["sharing": ["state": "on"], "changes": [what]])
        }
        for (whose, group) in [(0, "household"), (0, "everyone"), (2, "household")] as [(Int, JSON)] {
            add(
                "sharing.asked", nil,
                ["member": json(whose), "viewer": json(1), "group": group, "precision": "exact"])
        }
        add("sharing.toConfirm", nil, ["member": json(0), "until": "2026-12-04T08:00:00.000Z"])
        for what: JSON in ["held", "given", "waits", "narrowed", "off"] {
            add("sharing.child", 1, ["member": json(2), "what": what])
        }
        add(
            "activity.announced", 1,
            ["text": "Supper is ready, and there is enough of it for whoever is near enough"]
        )
        add("activity.said", 2, ["text": "Who has seen the other shoe? It was beside the door when we came home"])
        add("activity.corrected", 1, ["text": "Supper is ready at eight"])
        add("activity.deleted", nil, [:])
        add("meeting.proposed", 1, ["meeting": meeting, "invitees": [json(0), json(2)]])
        add("meeting.shown", 1, ["meeting": meeting, "own": own(), "invitees": []])
        add(
            "meeting.voted", 2,
            ["meeting": id, "member": json(2), "votes": [["slot": json(200), "answer": "yes"]], "tally": tally]
        )
        add(
            "meeting.voted", 3,
            [
                "meeting": id, "member": json(3), "tally": tally,
                "votes": [["slot": json(200), "answer": "ifNeedBe"], ["slot": json(201), "answer": "no"]],
            ]
        )
        add(
            "meeting.refused", 4,
            ["meeting": id, "member": json(4), "reason": "I am at my sister's", "tally": tally]
        )
        add(
            "meeting.suggested", 3,
            [
                "meeting": id,
                "suggestion": [
                    "id": json(240), "start": "2026-11-29T17:00:00.000Z", "end": "2026-11-29T19:00:00.000Z",
                    "by": json(3),
                ],
            ]
        )
        add("meeting.updated", 1, ["meeting": meeting, "changes": ["title", "slots"]])
        add("meeting.nudged", 1, ["meeting": id])
        add("meeting.deadlineNear", nil, ["meeting": id, "deadline": "2026-11-21T11:00:00.000Z"])
        add("meeting.closed", nil, ["meeting": id, "tally": tally])
        add("meeting.confirmed", 1, ["meeting": confirmed, "going": []])
        add(
            "meeting.attended", 5,
            ["meeting": id, "member": json(5), "answer": "going", "tally": Family.tally(4, 0, 1, going: 4)]
        )
        add("meeting.handedOver", 1, ["meeting": id, "host": json(2), "from": json(1), "tally": tally])
        add("meeting.cancelled", 2, ["meeting": id, "reason": "The oven broke"])
        add("meeting.ended", nil, ["meeting": id])
        add("meeting.hidden", 2, ["meeting": id])
        add("meeting.deleted", nil, ["meeting": id])
        add("meeting.cleared", 0, ["before": "2026-11-20T18:00:00.000Z"])
        add("activity.added", nil, ["entry": entries[0].json, "unread": 3])
        add("activity.digested", nil, ["entry": entries[6].json, "upTo": "2026-11-20T18:00:00.000Z", "unread": 3])
        add("activity.read", 0, ["upTo": "2026-11-20T18:00:00.000Z", "unread": 0])
        add("activity.dismissed", 0, ["id": json(300), "unread": 1])
        add("activity.removed", nil, ["entries": [json(300)], "unread": 1])
        for what in ["signInLinkMade", "passwordSet", "sessionWaits", "sessionTrusted", "waitEnded"] {
            add(
                "account.changed", what == "signInLinkMade" ? 0 : nil,
                [
                    "member": json(2), "what": .string(what), "setBy": what == "passwordSet" ? .null : json(0),
                    "device": "Pixel", "until": "2026-11-23T18:00:00.000Z",
                ])
        }
        add("household.renamed", 0, ["household": ["id": json(90), "name": "Oak"]], isAtMachine: true)
        add("quota.near", nil, ["what": "points", "used": 160_000, "most": 200_000])
        add("reset", nil, [:])
        add("place.asked", 1, ["member": json(2), "place": json(70), "name": "School"])
        for (type, by, data) in Family.toldInContracts { add(type, by, data) }
        return events
    }
}

extension Family {
    /// Two members on their way, one of whom arrives, and what is said meanwhile.
    static var walk: [Event] {
        func event(_ minute: Int64, _ type: String, _ member: Int, _ more: JSON) -> Event {
            var data = more
            data["member"] = json(member)
            return Event(
                cursor: "c", type: type, at: now.adding(seconds: minute * 60), by: id(member), about: "position/x",
                data: data)
        }
        func step(_ minute: Int64, _ member: Int, _ motion: String? = "movingSince") -> Event {
            var data: JSON = [
                "lat": .double(45.27 + Double(minute) / 1000), "lon": 13.71,
                "at": .time(now.adding(seconds: minute * 60)),
            ]
            if let motion { data[motion] = .time(now) }
            return event(minute, "position", member, data)
        }
        let visit: JSON = ["place": json(70), "name": "School", "at": .time(now.adding(seconds: 360))]
        return [
            step(0, 2, "stillSince"), step(1, 2), step(2, 3), step(3, 2), step(4, 3), step(5, 2),
            event(6, "place.entered", 2, visit), event(7, "activity.announced", 1, ["text": "Soup is ready"]),
            step(8, 3), step(9, 3, nil), step(10, 2, "stillSince"), step(11, 2, "stillSince"),
        ]
    }

    /// Examples that areas have in their contracts, `told contact.removed 0 {"contact":"#400"}`: by the member of a number,
    /// where a number behind a `#` stands for an identifier.
    static var toldInContracts: [(type: String, by: Int, data: JSON)] {
        let folder = Tree.root + "/Tests/Areas"
        let lines = Tree.names(in: folder).flatMap { Tree.text("\(folder)/\($0)/contract.txt").split(separator: "\n") }
        return lines.filter { $0.hasPrefix("told ") }.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 3)
            let text = parts[3].replacing(/"#(\d+)"/) { "\"\(Family.id(Int($0.1) ?? 0))\"" }
            guard let by = Int(parts[2]), let data = try? JSON.parse(Array(text.utf8)) else { return nil }
            return (String(parts[1]), by, data)
        }
    }
}
