import KinModel
import KinWords

@testable import kin

/// A family for screens: the same every time.
enum Family {
    static let now = Instant("2026-11-20T18:04:05.000Z") ?? .earliest

    static func id(_ number: Int) -> Identifier {
        Identifier(high: 0x01a1_fd3b_e129_7742, low: 0x8828_dfba_9034_5000 + UInt64(number))
    }
    static func json(_ number: Int) -> JSON { .id(id(number)) }

    static let people = [
        "Ada", "Bob", "Carol", "Dan", "Grandma Edith", "Zoë", "Henry", "Ian", "Jo", "Kim", "Leo", "Mia", "Nora", "Otto",
        "Pia", "Quentin", "Rosa", "Sam", "Tom", "Uma", "Vera", "Will", "Xaver", "Yara", "Annabel", "Annelie",
    ]

    /// Ada is 0 and looks.
    static var names: Names {
        var names = Names()
        var snapshot = Snapshot()
        snapshot.me = id(0)
        names.learn(snapshot)
        for (index, name) in people.enumerated() { names.learn(["member": member(index, name)]) }
        names.learn(["household": ["id": json(90), "name": "Oak"]])
        names.learn(
            Place(
                id: id(95), kind: .place, name: "School", icon: nil, lat: 45.279, lon: 13.71, radius: 100, owner: id(0))
        )
        return names
    }

    static func member(_ number: Int, _ name: String, role: String = "member") -> JSON {
        [
            "id": json(number), "username": "x", "displayName": .string(name), "role": .string(role), "kind": "adult",
            "household": json(90), "parents": [], "partners": [],
        ]
    }

    static func slot(_ number: Int, _ start: String, _ end: String) -> JSON {
        ["id": json(200 + number), "start": .string(start), "end": .string(end)]
    }

    static func meeting(
        _ number: Int = 100, _ title: String = "Sunday dinner", host: Int = 1, state: String = "open",
        slots: [JSON] = slots, deadline: String? = "2026-11-21T11:00:00.000Z", tally: JSON, more: JSON.Object = [:]
    ) -> JSON {
        var meeting: JSON.Object = [
            "id": json(number), "title": .string(title), "kind": "group", "host": json(host), "state": .string(state),
            "zone": "Europe/Berlin", "slots": .array(slots), "suggestions": [], "tally": tally,
        ]
        if let deadline { meeting["deadline"] = .string(deadline) }
        for name in more.names { meeting[name] = more[name] }
        return .object(meeting)
    }

    static let slots: [JSON] = [
        slot(0, "2026-11-22T16:00:00.000Z", "2026-11-22T18:00:00.000Z"),
        slot(1, "2026-11-28T17:30:00.000Z", "2026-11-28T21:00:00.000Z"),
        slot(2, "2026-11-29T11:00:00.000Z", "2026-11-29T13:00:00.000Z"),
    ]

    static func tally(_ voted: Int, _ refused: Int, _ silent: Int, _ counts: [[Int64]] = [], going: Int64? = nil)
        -> JSON
    {
        .object(leavingOut: [
            "voted": .int(Int64(voted)), "refused": .int(Int64(refused)), "noReply": .int(Int64(silent)),
            "slots": .array(
                counts.enumerated().map { index, count in
                    [
                        "slot": json(200 + index), "yes": .int(count[0]), "ifNeedBe": .int(count[1]),
                        "no": .int(count[2]),
                    ]
                }), "going": going.map { .int($0) }, "notGoing": going.map { _ in 1 },
        ])
    }

    static func screen(_ shown: JSON) -> MeetingScreen {
        guard let screen = MeetingScreen(shown, names: names, me: id(0), now: now) else {
            preconditionFailure("the meeting is whole")
        }
        return screen
    }

    static func own(_ reply: String = "none", attendance: String? = nil) -> JSON {
        .object(leavingOut: [
            "reply": .string(reply), "votes": [], "isInvited": true, "attendance": attendance.map { .string($0) },
        ])
    }

    // MARK: Lists

    static var lists: MeetingsScreen {
        func seen(_ meeting: JSON, _ own: JSON) -> SeenMeeting {
            guard let seen = SeenMeeting(["meeting": meeting, "own": own]) else { preconditionFailure("it is whole") }
            return seen
        }
        let theatre = [slot(5, "2026-11-25T18:30:00.000Z", "2026-11-25T21:30:00.000Z")]
        let invitations = [
            seen(meeting(tally: tally(2, 1, 2)), own()),
            seen(
                meeting(
                    101, "A walk around the lake with everybody who has boots", host: 4, deadline: nil,
                    tally: tally(0, 0, 7), more: ["place": "Car park"]), own()),
        ]
        let hosting = [seen(meeting(102, "Film night", host: 0, state: "closed", tally: tally(4, 0, 1)), own())]
        let confirmed = meeting(
            103, "Theatre", host: 2, state: "confirmed", slots: theatre, tally: tally(4, 0, 0, going: 4),
            more: ["confirmed": json(205)])
        let coming = [
            seen(confirmed, own("voted", attendance: "going")),
            seen(meeting(104, "Skating", host: 3, deadline: nil, tally: tally(3, 0, 1)), own("voted")),
        ]
        return MeetingsScreen(
            views: [("invitations", invitations), ("hosting", hosting), ("coming", coming), ("past", [])],
            names: names, me: id(0), now: now)
    }

    // MARK: An inbox

    private static func entry(
        _ number: Int, _ about: String, _ title: String?, official: Bool = false, unread: Bool = true, more: Int64 = 0,
        _ lines: [JSON]
    ) -> InboxEntry {
        InboxEntry(
            id: id(300 + number), about: about, isOfficial: official, isUnread: unread,
            at: lines.last?["at"]?.instant ?? now, title: title, lines: lines, more: more)
    }

    private static func line(_ kind: String, _ at: String, by: Int? = nil, _ more: JSON.Object = [:]) -> JSON {
        var line: JSON.Object = ["kind": .string(kind), "at": .string(at)]
        if let by { line["by"] = json(by) }
        for name in more.names { line[name] = more[name] }
        return .object(line)
    }

    static var entries: [InboxEntry] {
        var entries: [InboxEntry] = []
        entries.append(
            entry(
                0, "meeting/\(id(102))", "Film night", more: 2,
                [
                    line("voted", "2026-11-20T16:40:00.000Z", by: 2, ["reply": "voted", "count": 2]),
                    line("voted", "2026-11-20T17:12:00.000Z", by: 3, ["reply": "refused"]),
                    line("allReplied", "2026-11-20T17:50:00.000Z"),
                ]))
        entries.append(
            entry(
                1, "announcement/\(id(2))",
                "The boiler is serviced on Monday, somebody has to be at home from eight on", official: true,
                [line("announcement", "2026-11-20T16:00:00.000Z", by: 1)]))
        entries.append(
            entry(
                2, "meeting/\(id(100))", "Sunday dinner",
                [
                    line("invited", "2026-11-19T10:00:00.000Z", by: 1),
                    line("deadlineNear", "2026-11-20T11:00:00.000Z", ["deadline": "2026-11-21T11:00:00.000Z"]),
                    line("nudged", "2026-11-20T12:00:00.000Z", by: 1),
                ]))
        entries.append(
            entry(
                3, "member/\(id(0))", nil, official: true,
                [line("roleChanged", "2026-11-20T09:00:00.000Z", by: 1, ["role": "head"])]))
        entries.append(entry(4, "member/\(id(5))", "Zoë", [line("memberJoined", "2026-11-18T09:00:00.000Z")]))
        entries.append(
            entry(
                5, "member/\(id(0))", nil, unread: false,
                [line("phoneSilent", "2026-11-17T20:00:00.000Z", ["last": "2026-11-17T08:00:00.000Z"])]))
        entries.append(
            entry(
                6, "inbox/\(id(0))", nil,
                [
                    line(
                        "digest", "2026-11-16T20:00:00.000Z",
                        [
                            "since": "2026-11-10T08:00:00.000Z",
                            "kinds": [
                                ["kind": "invited", "count": 3], ["kind": "voted", "count": 1],
                                ["kind": "cancelled", "count": 2],
                            ],
                        ])
                ]))
        let said =
            "Who has seen the other shoe? It was beside the door when we came home, and now there is only one of them."
        entries.append(
            entry(7, "said/\(id(9))", said, [line("said", "2026-11-18T08:00:00.000Z", by: 2)]))
        for (number, kind) in ["hotspot", "note"].enumerated() {
            let more: JSON.Object = [
                "placeKind": .string(kind), "place": number == 0 ? "Ice cream" : "Slippery when wet",
            ]
            entries.append(
                entry(
                    8 + number, "place/\(id(71 + number))", nil,
                    [line("pinned", "2026-11-17T0\(number + 6):00:00.000Z", by: 1, more)]))
        }
        return entries
    }

    static var inbox: InboxScreen { InboxScreen(entries, unread: 7, names: names, now: now) }
}

extension JSON {
    /// What `meeting.show` answers, with so many invitees who say this and that.
    static func show(people: Int, isConfirmed: Bool = false) -> JSON {
        let answers: [[String?]] = [
            [nil, nil, nil], ["yes", "ifNeedBe", "no"], ["yes", "no", nil], ["no", "yes", "yes"], [nil, nil, nil],
            ["ifNeedBe", "yes", "no"],
        ]
        var counts: [[Int64]] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        var (voted, refused) = (0, 0)
        let invitees: [JSON] = (0...people).filter { $0 != 1 }.map { person in
            let row = answers[person % answers.count]
            let isRefused = person == 4
            let votes: [JSON] = row.enumerated().compactMap { slot, answer in
                guard let answer else { return nil }
                counts[slot][["yes", "ifNeedBe", "no"].firstIndex(of: answer) ?? 0] += 1
                return ["slot": Family.json(200 + slot), "answer": .string(answer)]
            }
            voted += votes.isEmpty ? 0 : 1
            refused += isRefused ? 1 : 0
            return .object(leavingOut: [
                "member": Family.json(person), "reply": isRefused ? "refused" : votes.isEmpty ? "none" : "voted",
                "reason": isRefused ? "I am at my sister's that weekend and the next" : nil, "votes": .array(votes),
                "attendance": isConfirmed && row[0] == "yes"
                    ? "going" : isConfirmed && row[0] == "no" ? "notGoing" : nil,
                "isInvited": true,
            ])
        }
        var more: JSON.Object = [
            "place": "Grandma's kitchen", "note": "Bring something to drink.\nThe dog may come along.",
        ]
        if isConfirmed {
            more["confirmed"] = Family.json(200)
        } else {
            more["suggestions"] = [
                [
                    "id": Family.json(240), "start": "2026-11-29T17:00:00.000Z", "end": "2026-11-29T19:00:00.000Z",
                    "by": Family.json(3),
                ]
            ]
        }
        let tally = Family.tally(
            voted, refused, people - voted - refused, counts, going: isConfirmed ? counts[0][0] : nil)
        return [
            "meeting": Family.meeting(state: isConfirmed ? "confirmed" : "open", tally: tally, more: more),
            "own": Family.own(), "invitees": .array(invitees),
        ]
    }
}

extension Family {
    static var said: SayingsScreen {
        func saying(_ number: Int, _ at: String, _ text: String, _ more: JSON.Object = [:]) -> JSON {
            var saying: JSON = [
                "id": .id(id(number)), "official": false, "by": .id(id(0)), "at": .string(at), "text": .string(text),
            ]
            for member in more.members { saying[member.name] = member.value }
            return saying
        }
        return SayingsScreen(
            [
                saying(3, "2026-11-20T09:00:00.000Z", "Soup is ready, and there is enough of it for all of you."),
                saying(
                    2, "2026-11-19T09:00:00.000Z", "Bring the keys", ["to": [.id(id(1)), .id(id(2))]]),
                saying(
                    1, "2026-11-18T09:00:00.000Z", "We leave at seven",
                    ["official": true, "corrected": "2026-11-18T10:00:00.000Z"]),
            ], People(members: people.enumerated().compactMap { Member(member($0, $1)) }), now: now)
    }
}
