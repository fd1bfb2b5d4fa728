import Glibc
import KinCalendar
import KinCodec
import KinFamily
import KinKeeper
import KinModel
import KinWeb
import KinWords
import Testing

/// The page says what `kin` says: its modules run by Debian's Node.js, held against the sentences of `KinWords`.
@Suite struct PageVoiceTests {
    private static let (ada, bob, household, meeting) = (
        "01980000-0000-7000-8000-000000000001", "01980000-0000-7000-8000-000000000002",
        "01980000-0000-7000-8000-000000000003", "01980000-0000-7000-8000-000000000004"
    )
    private static let now = "2026-11-20T18:04:05.000Z"

    private static let snapshot: JSON = [
        "family": ["id": .string(household), "name": "Lovelace"], "me": .string(ada),
        "households": [["id": .string(household), "name": "Ockham"]],
        "members": [
            person(ada, "Ada"), person(bob, "Bob"),
        ],
        "positions": [], "sharing": ["state": "off"], "places": [],
        "meetings": [
            [
                "meeting": [
                    "id": .string(meeting), "title": "Sunday dinner", "kind": "group", "host": .string(bob),
                    "state": "confirmed", "zone": "Europe/Berlin",
                    "slots": [
                        [
                            "id": .string(household), "start": "2026-11-22T17:00:00.000Z",
                            "end": "2026-11-22T19:00:00.000Z",
                        ]
                    ],
                    "suggestions": [], "confirmed": .string(household),
                    "tally": ["voted": 0, "refused": 0, "noReply": 1, "slots": [], "going": 0, "notGoing": 0],
                ],
                "own": ["reply": "none", "votes": [], "isInvited": true],
            ]
        ],
        "inbox": ["entries": [], "unread": 0], "profiles": [], "settings": [:],
    ]

    private static func person(_ id: String, _ name: String) -> JSON {
        [
            "id": .string(id), "username": .string(name.lowercased()), "displayName": .string(name), "role": "member",
            "kind": "adult", "household": .string(household), "parents": [], "partners": [],
        ]
    }

    /// Every kind of line, with every word that changes its sentence.
    private static let lines: [(line: JSON, about: String)] = {
        var lines: [(JSON, String)] = []
        func add(_ kind: String, about: String? = nil, _ fields: JSON.Object = [:]) {
            var line: JSON = ["kind": .string(kind), "at": .string(now), "by": .string(bob)]
            for (name, value) in fields.members { line[name] = value }
            lines.append((line, about ?? "member/\(bob)"))
        }
        for kind in Registry.family.areas.flatMap(\.inboxKinds).map(\.name) {
            add(kind)
            add(kind, about: "member/\(ada)", ["count": 3, "atMachine": true])
            var bare = lines.last?.0 ?? .null
            bare["by"] = nil
            bare["atMachine"] = nil
            lines.append((bare, "meeting/\(meeting)"))
        }
        for role in ["admin", "head", "guest"] { add("roleChanged", ["role": .string(role)]) }
        for what in ["appPasswordMade", "appPasswordRevoked", "signInLinkMade", "passwordChanged"] {
            add("permissionChanged", ["what": .string(what), "device": "Phone"])
        }
        for what in ["signInLinkMade", "passwordSet", "sessionWaits", "sessionTrusted", "waitEnded"] {
            add("accountChanged", ["what": .string(what), "device": "Phone", "until": .string(now)])
        }
        for answer in ["moved", "admitted", "refused", "withdrawn", "ended"] {
            add("moveAnswered", ["answer": .string(answer), "household": .string(household)])
        }
        for answer in ["grown", "notYet", "unanswered"] { add("grownAnswered", ["answer": .string(answer)]) }
        for change in ["state", "rules", "history", "viewers", "holder", "other"] {
            for state in ["on", "off"] {
                add("sharingChanged", ["state": .string(state), "changes": [.string(change)]])
            }
        }
        for group in ["household", "everyone"] {
            add("sharingAsked", about: "member/\(ada)", ["group": .string(group), "precision": "coarse"])
        }
        for hold in ["held", "given", "waits", "narrowed", "off"] {
            add("childSharing", ["hold": .string(hold)])
            add("childSharing", about: "member/\(ada)", ["hold": .string(hold)])
        }
        add("phoneSilent", ["cause": "powerSave", "last": "2026-11-20T12:04:05.000Z"])
        add("phoneSilent", ["cause": "noPhone"])
        add("phoneSilent", ["last": "2026-11-17T12:04:05.000Z"])
        for kind in ["arrived", "left"] { add(kind, ["place": "School", "since": "2026-11-18T12:04:05.000Z"]) }
        for kind in ["note", "hotspot"] { add("pinned", ["placeKind": .string(kind), "place": "Pump"]) }
        add("placeAsked", ["place": "School", "of": .string(ada)])
        add("placeAsked", ["until": "2026-12-24T18:00:00.000Z"])
        add("meetingChanged", ["changes": ["title", "place"]])
        add("meetingChanged", ["changes": ["suggestions"]])
        add("meetingChanged", ["changes": ["host"]])
        add("voted", ["reply": "refused"])
        add("deadlineNear", ["deadline": "2027-01-02T18:00:00.000Z"])
        add("confirmed", about: "meeting/\(meeting)")
        add("goingChanged", ["answer": "going"])
        add("cooks", ["date": "2026-12-24"])
        add(
            "digest",
            ["since": .string(now), "kinds": [["kind": "voted", "count": 2], ["kind": "invited", "count": 1]]])
        for trouble in FamilyCalendar.Trouble.allCases {
            add("calendarStopped", ["trouble": .string(trouble.rawValue)])
        }
        for trouble in NewsSource.Trouble.allCases { add("newsStopped", ["trouble": .string(trouble.rawValue)]) }
        for what in ["points", "operations", "pictures", "places", "meetings"] {
            add("quotaNear", ["what": .string(what)])
        }
        return lines
    }()

    private static func write(_ content: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "w"))
        fwrite(content, 1, content.count, file)
        fclose(file)
    }

    @Test(arguments: Language.allCases)
    func `each line of an inbox is said in the page as in the terminal`(language: Language) throws {
        let stage = try Stage()
        for name in WebApp.shared.names where name.hasSuffix(".js") {
            var text = String(decoding: try #require(WebApp.shared.file(name)).content, as: UTF8.self)
            // What the page says in words of its own is not what is compared here.
            if name.hasPrefix("words.") && name != "words.js" {
                text = text.split(separator: "\n").filter { !$0.hasPrefix("  \"web.") }.joined(separator: "\n")
            }
            try Self.write(Array(text.utf8), "\(stage.folder)/\(name)")
        }
        try Self.write(Array(#"{"type":"module"}"#.utf8), stage.folder + "/package.json")
        let cases: JSON = .array(
            Self.lines.map { ["line": $0.line, "about": .string($0.about)] })
        try Self.write(cases.bytes, stage.folder + "/cases.json")
        try Self.write(Self.snapshot.bytes, stage.folder + "/snapshot.json")
        let judge = """
            import { readFileSync } from "node:fs"
            globalThis.document = { documentElement: {}, hidden: false }
            Object.defineProperty(globalThis, "navigator", { value: { languages: ["\(language == .english ? "en-GB" : "de-DE")"], language: "de-DE" } })
            globalThis.requestAnimationFrame = () => {}
            const RealDate = Date, now = new RealDate("\(Self.now)").getTime()
            globalThis.Date = class extends RealDate {
              constructor(...all) { if (all.length) super(...all); else super(now) }
              static now() { return now }
            }
            const { speak } = await import("./words.js")
            const { takeSnapshot } = await import("./state.js")
            const { sentence, title } = await import("./voice.js")
            await speak({ zone: "Europe/Berlin" })
            takeSnapshot(JSON.parse(readFileSync("snapshot.json")))
            for (const { line, about } of JSON.parse(readFileSync("cases.json"))) {
              const entry = { about, lines: [line], at: "\(Self.now)", ...(line.kind === "memberJoined" ? { title: "Cleo" } : {}) }
              console.log(JSON.stringify([title(entry), sentence(line, entry)]))
            }
            """
        try Self.write(Array(judge.utf8), stage.folder + "/judge.js")
        let node = stage.start(["sh", "-c", "cd \(stage.folder) && node judge.js"])
        try stage.wait("Node.js") { node.status != nil }
        node.take()
        try #require(node.status == 0, "\(node.said)")
        try #require(node.lines.count == Self.lines.count, "\(node.said)")
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(Self.now))
        let names = Names(try #require(Snapshot(Self.snapshot)))
        let voice = InboxVoice(names, Reader(language, zone), now: now)
        for ((line, about), said) in zip(Self.lines, node.lines) {
            // Whoever joined stands in the entry's title.
            let isJoined = line["kind"] == "memberJoined"
            let plain = InboxEntry.about(about, now)
            let entry = InboxEntry(
                id: plain.id, about: about, isOfficial: false, at: now, title: isJoined ? "Cleo" : nil, lines: [])
            let title: JSON = voice.hasTitle(entry) ? .string(voice.title(entry)) : .null
            let shown = try JSON.parse(Array(said.utf8))
            #expect(
                shown == [title, .string(voice.sentence(line, of: entry))], "\(line.text)")
        }
    }
}
