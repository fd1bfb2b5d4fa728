import Glibc
import KinCalendar
import KinClient
import KinModel
import KinWords
import Testing

@testable import kin

/// Screens as they were looked at and found good, in `Screens`: with fixed data, clock and zone. After a change that is
/// meant, run this with KINWIRE_WRITE_SCREENS=1 and read the difference.
@Suite struct ScreenTests {
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/") + "/Screens"

    /// The screen in both widths and languages beside what was kept.
    private func check(_ name: String, _ lines: (Int) -> [String]) throws {
        let zone = try #require(Zone("Europe/Berlin"))
        var text = ""
        for language in Language.allCases {
            for width in [80, 40] {
                let screen = Language.$current.withValue(language) { LocalTime.$zone.withValue(zone) { lines(width) } }
                text += "\(String(repeating: "=", count: width - 3)) \(language.rawValue)\n"
                text += screen.joined(separator: "\n") + "\n"
                for line in screen.flatMap({ $0.split(separator: "\n") }) {
                    #expect(Plain.columns(String(line)) <= width, "\(name): \(line)")
                }
            }
        }
        let path = "\(Self.folder)/\(name).txt"
        if getenv("KINWIRE_WRITE_SCREENS") != nil { Tree.write(text, path) }
        #expect(Tree.text(path) == text, "\(name)")
    }

    @Test func `a meeting is a grid of slots and people`() throws {
        try check("grid") { Family.screen(.show(people: 6)).lines($0, isColoured: false) }
    }

    @Test func `a confirmed meeting says who comes`() throws {
        try check("confirmed") { Family.screen(.show(people: 6, isConfirmed: true)).lines($0, isColoured: false) }
    }

    @Test func `with many people names are shortened, then there are blocks`() throws {
        try check("many") { Family.screen(.show(people: 24)).lines($0, isColoured: false) }
    }

    @Test func `lists are read at a glance`() throws {
        try check("lists") { Family.lists.lines($0, isColoured: false) }
    }

    @Test func `an inbox has official messages apart`() throws {
        try check("inbox") { Family.inbox.lines($0, isColoured: false) }
    }

    @Test func `what one said is listed with its hearers`() throws {
        try check("said") { Family.said.lines($0) + ["", Help.text(of: .say, width: $0)] }
    }

    @Test func `sharing is told by its rules, by people and by what a change did`() throws {
        try check("sharing") { width in
            Family.sharing.map { Plain.wrapped($0, width, indent: 2) } + ["", Help.text(of: .sharing, width: width)]
        }
    }

    @Test func `who is where is told by places, and of less is told less`() throws {
        func at(_ minutes: Int64) -> JSON { .time(Family.now.adding(seconds: -60 * minutes)) }
        func dot(_ member: Int, _ lat: Double, _ lon: Double, _ minutes: Int64, _ more: JSON.Object = [:]) -> JSON {
            var json: JSON = [
                "member": Family.json(member), "at": at(minutes), "lat": .double(lat), "lon": .double(lon),
            ]
            for (name, value) in more.members { json[name] = value }
            return json
        }
        let positions = [
            dot(0, 52.5201, 13.405, 1, ["accuracy": 8, "battery": 82, "charging": true, "stillSince": at(90)]),
            dot(1, 52.529, 13.4183, 3, ["accuracy": 12, "battery": 9, "movingSince": at(12)]),
            dot(2, 52.49, 13.41, 25, ["precision": "coarse"]),
            dot(3, 45.9, 13.61, 130, ["accuracy": 30]),
            ["member": Family.json(4), "at": at(60), "precision": "place", "place": "Gym"],
            ["member": Family.json(5), "at": at(60), "precision": "home", "home": true],
        ]
        let school: JSON = [
            "id": Family.json(300), "kind": "place", "name": "School", "lat": 52.52, "lon": 13.405, "radius": 100,
            "audience": "everyone", "owner": Family.json(0),
        ]
        var names = Family.names
        if let place = Place(school) { names.learn(place) }
        names[KnownPlaces.self].learn(stays: [
            "stays": [["member": Family.json(0), "place": Family.json(300), "name": "School"]]
        ])
        names[KnownPlaces.self].learn(town: ["town": ["name": "Gorizia", "metres": 2100]], lat: 45.9, lon: 13.61)
        try check("where") { width in
            var lines: [String] = []
            for inNumbers in [false, true] {
                let screen = WhereScreen(positions, names: names, inNumbers: inNumbers, now: Family.now)
                lines += screen.lines(width) + [""]
            }
            for why in Unseen.Why.allCases {
                lines.append(Plain.wrapped(Unseen(Family.id(1), why).sentence(names), width, indent: 0))
            }
            return lines + ["", Help.text(of: .whereabouts, width: width)]
        }
    }

    @Test func `a link that is made says how far it reaches and what to do with it`() throws {
        let link = "http://127.0.0.1:5469/join/4ba7-7v5j-q3aa-kfke-55z6"
        try check("links") { width in
            var steps = NextSteps()
            steps.add("invite.next.terminal", "kin join \(link)")
            steps.add("invite.next.vote", "kin meet propose \(phrase("invite.next.example")) --public")
            steps.add("next.tail", "kin tail")
            var first = NextSteps()
            first.add("found.next.page", "http://127.0.0.1:5469/")
            first.add("found.next.phone", "kin phone add \(phrase("found.next.phone-name"))")
            first.add("found.next.invite", "kin invite")
            let told = [
                phrase("found.done", ["family": "Lovelace", "household": "Ockham", "name": "Ada"]),
                phrase("invite.code", ["code": "4ba7-7v5j-q3aa-kfke-55z6"]),
                phrase("invite.good", ["date": LocalTime.long(Family.now.adding(days: 7))]), phrase("reach.here"),
                phrase("reach.home"), phrase("phone.once", ["kin": "kin"]),
                phrase("ring.try", ["kin": "kin", "device": phrase("found.next.phone-name")]),
                phrase("found.already"), phrase("found.link-old"), phrase("signin.no-family"),
                phrase("found.username-is"),
            ]
            return told.map { Plain.wrapped($0, width, indent: 2) } + first.lines(80).map { Plain.fitted($0, width) }
                + steps.lines(width).map { Plain.fitted($0, width) }
        }
    }

    @Test func `why nothing came of it is told in the reader's language, with what to do`() throws {
        let unix = "The daemon at unix:/run/kinwire/kinwire.sock cannot be reached: "
        let failures: [ClientFailure] = [
            .badAddress("kin.local"), .unreachable(unix + "No such file or directory; check that kinwired runs there."),
            .unreachable(unix + "Connection refused; check that kinwired runs there."),
            .unreachable(
                "The daemon at https://kin.local:5469 cannot be reached: No machine named kin.local was found; "
                    + "check the name and the network."),
            .unreachable("The connection to https://kin.local:5469 broke: Connection reset by peer."),
            .timedOut("https://kin.local:5469"),
            .untrusted(
                "https://kin.local:5469 is not trusted: The server's certificate does not come from the pinned root: "
                    + "it is another machine, or somebody is in between."),
            .untrusted("https://kin.local:5469 ended the TLS handshake; it may speak plain text only (http://)."),
            .notUnderstood("What answers at https://kin.local does not speak JSON-RPC; check the address."),
            .closed(nil),
            .closed(Closing(code: 1012, reason: "This daemon was stopped, or starts anew; come back soon.")),
            .closed(Closing(code: 4102, reason: "This session was revoked.")),
            .file("/ada/.config/kinwire/login.json is damaged; run kin login again."),
            .refused(Rejection(.forbidden, "Only an admin can do that. Ask Lea.")),
            .refused(Rejection(.notSignedIn, "Sign in first.")),
            .refused(Rejection(.slowDown, "Too many failed sign-ins. Wait 90 s and try again.")),
        ]
        try check("failures") { width in
            (failures.map { Problem($0).sentence }
                + [phrase("door.nobody"), phrase("door.closed", ["kin": "kin"])])
                .map { Plain.wrapped("kin: " + $0, width, indent: 0) }
        }
    }

    @Test func `a family is given another name`() throws {
        try check("family") { width in
            [
                Plain.wrapped(phrase("family.renamed", ["name": "The Elms by the river"]), width, indent: 0), "",
                Help.text(of: .family, width: width),
            ]
        }
    }

    @Test func `the tail speaks of everything that happens`() throws {
        try check("tail") { width in
            var names = Family.names
            return Family.events.map { event in
                names.learn(event.data)
                let time = LocalTime.short(event.at, now: Family.now)
                let sentence = Sentence.of(event, names, now: Family.now)
                return Plain.wrapped("\(time) \(sentence)", width, indent: time.count + 1)
            }
        }
    }

    @Test func `the tail on a terminal keeps one line for each member on the way`() throws {
        try check("tail-terminal") { width in
            let size = TailLines.Size(width: width, height: 24)
            var (lines, glass) = (TailLines(), Glass(width: width))
            for event in Family.walk {
                let time = LocalTime.short(event.at, now: Family.now)
                let sentence = Sentence.of(event, Family.names, now: Family.now)
                let text = Plain.wrapped("\(time) \(sentence)", width, indent: time.count + 1)
                let movement = CommandArea.all.lazy.compactMap { $0.movement(event) }.first
                glass.write(lines.took(text, movement, size))
            }
            let refusals = ["plase.entered", "place", "song"].compactMap { name -> String? in
                do throws(Problem) {
                    try EventTypes.check([name], ["activity.said", "place.entered", "place.left", "position"])
                    return nil
                } catch { return Plain.wrapped("kin: " + error.sentence, width, indent: 0) }
            }
            let since = Plain.wrapped("kin: " + phrase("tail.no-since", ["text": "gestren"]), width, indent: 0)
            return glass.lines + [""] + refusals + [since, "", Help.text(of: .tail, width: width)]
        }
    }

    @Test func `what is proposed to nobody, begins too early or is voted on too late is said`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let times = try ["18:00-20:00", "sat 10:00"].map {
            try TypedTime($0, now: Family.now.adding(seconds: -7200), zone: zone)
        }
        let deadline = Family.now.adding(days: 2)
        try check("proposing") { width in
            let doubts = Meet.doubts(times, deadline: deadline, now: Family.now)
            let lines =
                [phrase("meet.proposed-alone", ["title": "Dinner"]), phrase("meet.invite", ["meeting": "dinner"]), ""]
                + doubts.map { $0 + " " + phrase("meet.propose-it") }
                + doubts.map { "kin: " + $0 + " " + phrase("input.say-yes") } + ["kin: " + phrase("input.undone")]
            return lines.map { Plain.wrapped($0, width, indent: 0) }
        }
    }

    @Test func `who may vote is counted, at a public meeting too`() throws {
        let fair = Family.meeting(
            104, "Fair", host: 0, deadline: nil, tally: Family.tally(1, 0, 0), more: ["kind": "public"])
        let result: JSON = ["meetings": [["meeting": fair, "own": Family.own(), "voters": 5]]]
        let seen = try #require(SeenMeeting(["meeting": fair, "own": Family.own()]))
        var names = Family.names
        names.learn(seen.meeting)
        let tally = Family.tally(1, 0, 0)
        let voted = Event(
            cursor: "c", type: "meeting.voted", at: Family.now, by: Family.id(1), about: "meeting/\(Family.id(104))",
            data: [
                "meeting": Family.json(104), "member": Family.json(1), "tally": tally,
                "votes": [["slot": Family.json(200), "answer": "yes"]],
            ])
        try check("voters") { width in
            let lists = MeetingsScreen(
                views: [("hosting", [seen])], names: names, me: Family.id(0), now: Family.now,
                voters: MeetingChoice.voters(result))
            let shown: JSON = ["meeting": fair, "own": Family.own(), "voters": 5, "invitees": []]
            let screen = Family.screen(shown)
            return lists.lines(width, isColoured: false) + [""] + screen.lines(width, isColoured: false)
                + ["", Plain.wrapped(Sentence.of(voted, names, now: Family.now), width, indent: 0)]
        }
    }

    @Test func `times as people type them are read, or refused with what was understood`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let typed = [
            "6pm sat", "18 Uhr Samstag", "tonight", "heute abend 8-10", "in 2 hours", "in 2 Tagen 18:00",
            "next friday 18h", "next sat 10:00", "25. Dez 18 Uhr", "12/25 18:00", "sat 18:00 blah", "25 Dec",
            "29.3. 2:30", "2026-11-19 10:00-11:00", "5.6.2027 18:00",
        ]
        try check("times") { width in
            let order = LocalTime.$dateOrder
            func read(_ text: String) -> String {
                do throws(Problem) {
                    return try TypedTime(text, now: Family.now, zone: zone).said(now: Family.now)
                } catch { return error.sentence }
            }
            let lines = typed.map { text in "\(text): " + order.withValue(nil) { read(text) } }
            let american = "12/25 18:00: " + order.withValue(.monthFirst) { read("12/25 18:00") }
            let apart: String
            do throws(Problem) {
                apart = "\(try TypedTime.all(["6pm", "sat", "8pm"], now: Family.now, zone: zone).count)"
            } catch { apart = error.sentence }
            return (lines + [american, apart]).map { Plain.wrapped($0, width, indent: 2) }
        }
    }

    @Test func `what is not as it should be says what to do next`() throws {
        let doubted: JSON = [
            "time": "2026-11-20T18:04:05.000Z", "isSynchronised": false,
            "doubt": [
                "why": "jumped", "since": "2026-11-20T18:00:00.000Z", "says": "2027-12-25T18:04:05.000Z",
            ],
        ]
        let now = try #require(Instant("2026-11-20T18:04:05.000Z"))
        let phone: JSON = ["name": "Phone 2"]
        let came: JSON = ["name": "Phone 2", "taken": "2026-11-20T18:00:00.000Z"]
        let quiet: JSON = ["name": "pixel", "taken": "2026-11-10T18:00:00.000Z"]
        try check("doctor") { width in
            let wrapped = { (text: String) in Plain.wrapped(text, width, indent: 0) }
            var checks: [Check] = []
            for version in ["0.0.9", "0.1.0", "0.2.0", "1.0"] {
                checks += Examination.daemon(["version": .string(version)])
            }
            checks += Examination.daemon(["clock": doubted])
            checks += Examination.terminal(
                zone: "Mars/Base", locale: { $0 == "LANG" ? "tlh_KX.UTF-8" : nil }, hasZone: false)
            checks += Examination.terminal(zone: nil, locale: { _ in "de_AT.UTF-8" }, hasZone: true)
            checks += [
                .failed(
                    "https://kin.example.org",
                    phrase("doctor.unreached", ["reason": "kin.example.org does not resolve."])),
                .ok("https://kin.local:5469", phrase("doctor.reached")),
                .failed("https://other.example.org", phrase("doctor.other", ["status": 502])),
            ]
            for devices in [[], [phone], [phone, quiet], [quiet, came]] {
                checks.append(Ringing.check(devices, now: now))
            }
            let unknown = Problem(Rejection(.method, "There is no method meeting.sing."))
            let command: String
            do throws(Problem) { command = try Command.named(orMeant: "tial").name } catch { command = error.sentence }
            var steps = NextSteps()
            steps.add("found.next.page", "https://kin.local:5469/")
            steps.add("found.next.phone", "kin phone add \(phrase("found.next.phone-name")) --as ada")
            steps.add("found.next.invite", "kin invite --as ada")
            return checks.map { $0.line(width) } + [""] + [unknown.sentence, command].map { wrapped("kin: " + $0) }
                + steps.lines(width)
        }
    }

    @Test(arguments: Language.allCases)
    func `a terminal of 20 columns shows all, and no line is wider`(language: Language) throws {
        let zone = try #require(Zone("Europe/Berlin"))
        Language.$current.withValue(language) {
            LocalTime.$zone.withValue(zone) {
                let status: JSON = [
                    "version": "0.1.0", "disk": ["databaseBytes": 1, "walBytes": 1, "freeBytes": 0, "isShort": true],
                ]
                let screens: [(String, [String])] = [
                    ("help", [Help.overview(width: 20)] + Command.all.map { Help.text(of: $0, width: 20) }),
                    ("grid", Family.screen(.show(people: 6)).lines(20, isColoured: false)),
                    ("lists", Family.lists.lines(20, isColoured: false)),
                    ("inbox", Family.inbox.lines(20, isColoured: false)), ("said", Family.said.lines(20)),
                    ("sharing", Family.sharing.map { Plain.wrapped($0, 20, indent: 2) }),
                    (
                        "status",
                        StatusScreen(status, address: "unix:/run/kinwire/kinwire.sock", now: Family.now).lines(
                            20, isColoured: false)
                    ),
                    (
                        "doctor",
                        [
                            Check.failed("https://kin.example.org", phrase("doctor.clock-apart", ["span": "2 h"])).line(
                                20)
                        ]
                    ),
                ]
                for (name, lines) in screens {
                    for line in lines.flatMap({ $0.split(separator: "\n") }) {
                        #expect(Plain.columns(String(line)) <= 20, "\(name): \(line)")
                    }
                }
            }
        }
    }

    @Test func `status is one screen`() throws {
        try check("status") { width in
            let status: JSON = [
                "version": "0.1.0", "startedAt": "2026-11-17T10:00:00.000Z",
                "clients": ["webSocket": 3, "lines": 1, "serverSentEvents": 2, "ndjson": 1, "http": 2, "unix": 1],
                "followers": ["count": 7, "behindMax": 1200, "behindSum": 1230, "secondsBehindMax": 95],
                "log": ["rows": 812, "bytes": 301_223],
                "disk": ["databaseBytes": 401_408, "walBytes": 32_768, "freeBytes": 0, "isShort": true],
                "certificate": ["notAfter": "2026-12-02T00:00:00.000Z", "isOwn": true],
            ]
            return StatusScreen(status, address: "unix:/run/kinwire/kinwire.sock", now: Family.now)
                .lines(width, isColoured: false)
        }
    }

    @Test func `help is read as well in a narrow window`() throws {
        try check("help") { width in
            [Help.overview(width: width), "", Help.text(of: .meet, width: width)]
        }
    }

    @Test func `signs for terminals without UTF-8 are as wide as those they stand for`() {
        let lines = Family.screen(.show(people: 6)).lines(80, isColoured: false)
        for line in lines {
            #expect(Plain.columns(Plain.ascii(line)) == Plain.columns(line))
            #expect(Plain.ascii(line).allSatisfy { $0.isASCII || $0.isLetter }, "\(line)")
        }
    }

    @Test func `colours change nothing but colours`() {
        let screen = Family.screen(.show(people: 6))
        let plain = screen.lines(80, isColoured: false)
        let coloured = screen.lines(80, isColoured: true)
        #expect(coloured != plain)
        #expect(coloured.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == plain)
    }
}
