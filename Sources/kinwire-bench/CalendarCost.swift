import KinClient
import KinCrypto
import KinModel

/// What a month of a large calendar costs: by CalDAV, beside PyPI's Radicale with the same things, and by the questions of the
/// family's own screens; and what one change costs a client that keeps a copy.
enum CalendarCost {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        var report = Report("calendars, best of \(options.rounds)")
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let month = Month(now)
        for (entries, repeating, goal) in [(5_000, 500, 3.0), (20_000, 2_000, 8.0)] {
            say("Making a family of \(entries) entries.")
            let scene = try Scene(place, entries, repeating, now, options)
            try questions(scene, month, goal, options, &report)
            if entries == 5_000 { try peer(scene, month, place, options, &report) }
        }
        say("Making a family of 10000 entries.")
        try changes(try Scene(place, 10_000, 1_000, now, options), options, &report)
        return report
    }

    /// The month that something is in, in universal time.
    private struct Month {
        let first: String
        let next: String

        init(_ now: Instant) {
            let year = Int("\(now)".prefix(4)) ?? 2026
            let month = Int("\(now)".dropFirst(5).prefix(2)) ?? 1
            func day(_ year: Int, _ month: Int) -> String { "\(year)-\(month < 10 ? "0" : "")\(month)-01" }
            first = day(year, month)
            next = month == 12 ? day(year + 1, 1) : day(year, month + 1)
        }

        private static func plain(_ day: String) -> String { day.filter { $0 != "-" } + "T000000Z" }

        /// RFC 4791, 7.8: the things of a month, with all that they say.
        var report: String {
            """
            <?xml version="1.0" encoding="utf-8"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">\
            <D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter \
            name="VEVENT"><C:time-range start="\(Self.plain(first))" end="\(Self.plain(next))"/></C:comp-filter>\
            </C:comp-filter></C:filter></C:calendar-query>
            """
        }
    }

    /// A daemon with such a family, and ways to its calendar.
    private struct Scene {
        let house: House
        let entries: Int
        let client: LeanClient
        let conversation: Conversation
        let authorization: String
        let path: String

        init(
            _ place: Place, _ entries: Int, _ repeating: Int, _ now: Instant, _ options: Options
        ) throws(Trouble) {
            let folder = place.path + "/\(entries)"
            let calendar = try CalendarBook.build(folder, entries: entries, repeating: repeating, now: now)
            let house = try House(folder, options)
            self.house = house
            self.entries = entries
            client = try house.client(.lines, token: try house.signIn(), follows: false)
            let conversation = try house.conversation(as: House.username)
            self.conversation = conversation
            let made = try attempt {
                try conversation.call("appPassword.create", ["device": "bench", "scope": "calendar"])
            }
            let members = try attempt { try conversation.call("member.list", [:])["members"]?.array ?? [] }
            let member = members.first { $0["username"]?.string == House.username }?["id"]?.string ?? ""
            let password = made["password"]?.string ?? ""
            authorization = "Basic " + Base64.encode(Array("\(House.username):\(password)".utf8))
            path = "/dav/calendars/\(member)/\(calendar)/"
        }

        func ask(_ verb: String, _ body: String) throws(Trouble) -> PlainWeb.Answer {
            try PlainWeb.ask(
                house.port, verb, path, authorization: authorization,
                "Depth: 1\r\nContent-Type: application/xml; charset=utf-8\r\n", body)
        }
    }

    /// Milliseconds of the daemon's CPU time for each of `count` times, the least of the rounds.
    private static func cpu(
        _ scene: Scene, _ options: Options, _ count: Int, _ body: () throws(Trouble) -> Void
    ) throws(Trouble) -> Double {
        var best = Double.infinity
        for _ in 0..<options.rounds {
            let before = scene.house.child.cpuMicroseconds
            for _ in 0..<count { try body() }
            best = min(best, (scene.house.child.cpuMicroseconds - before) / Double(count) / 1000)
        }
        return best
    }

    private static func questions(
        _ scene: Scene, _ month: Month, _ goal: Double, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let when: JSON = ["from": .string(month.first), "to": .string(month.next), "zone": "Europe/Vienna"]
        // Of what the daemon charges for any question: a day on which nothing is.
        let nothing: JSON = ["from": "1950-01-01", "to": "1950-01-02", "zone": "Europe/Vienna"]
        let floor = try cpu(scene, options, 50) { () throws(Trouble) in _ = try scene.client.time("entry.list", nothing)
        }
        for method in ["entry.days", "entry.list"] {
            let spent = try cpu(scene, options, options.count ?? 50) { () throws(Trouble) in
                _ = try scene.client.time(method, when)
            }
            report.add(
                "\(method), a month of \(scene.entries) entries, CPU ms", spent.rounded(2),
                floor: "a day without any \(floor.rounded(2))",
                verdict: "goal: at most \(goal.rounded(0))\(spent > goal ? " missed" : "")")
        }
        for method in ["entry.days", "entry.list"] { try anew(method, scene, when, goal, options, &report) }
    }

    /// The first question after an entry was changed, beside the same question asked once more: only what changed is read
    /// again for the first.
    private static func anew(
        _ method: String, _ scene: Scene, _ when: JSON, _ goal: Double, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let some = try attempt {
            try scene.conversation.call("entry.all", ["limit": 20])["entries"]?.array?.compactMap { $0["id"] } ?? []
        }
        guard !some.isEmpty else { throw Trouble("The calendar has no entries.") }
        func asked() throws(Trouble) -> Double {
            let before = scene.house.child.cpuMicroseconds
            _ = try scene.client.time(method, when)
            return (scene.house.child.cpuMicroseconds - before) / Double(some.count) / 1000
        }
        var best = (first: Double.infinity, again: Double.infinity)
        for round in 0..<options.rounds {
            var (first, again) = (0.0, 0.0)
            for (index, id) in some.enumerated() {
                try attempt {
                    _ = try scene.conversation.call(
                        "entry.update", ["entry": id, "note": .string("Asked \(method) \(round) \(index)")])
                }
                first += try asked()
                again += try asked()
            }
            best = (min(best.first, first), min(best.again, again))
        }
        let ratio = best.first / best.again
        report.add(
            "\(method) of \(scene.entries) entries, the first after a change of one, CPU ms", best.first.rounded(2),
            floor: "asked again \(best.again.rounded(2))",
            verdict:
                "\(ratio.rounded(1)) times as much (goal: at most \(goal.rounded(0)) ms)\(best.first > goal ? " missed" : "")"
        )
        report.note("\(method) of \(scene.entries) after a change, ratio", ratio)
    }

    // MARK: Beside Radicale

    private static func peer(
        _ scene: Scene, _ month: Month, _ place: Place, _ options: Options, _ report: inout Report
    ) throws(Trouble) {
        let ours = try scene.ask("REPORT", month.report)
        let things = count("BEGIN:VEVENT", ours.body)
        let spent = try cpu(scene, options, 5) { () throws(Trouble) in _ = try scene.ask("REPORT", month.report) }
        report.add("REPORT of a month, \(things) things, CPU ms", spent.rounded(1))
        guard let program = Radicale.find(options.radicale) else {
            report.add(
                "the same beside Radicale", "not measured",
                verdict:
                    "there is no radicale: python3 -m venv V; V/bin/pip install radicale; --radicale V/bin/radicale")
            return
        }
        do throws(Trouble) {
            try beside(program, scene, month, place, things, options, &report)
        } catch { report.add("the same beside Radicale", "not measured", verdict: error.sentence) }
    }

    private static func beside(
        _ program: String, _ scene: Scene, _ month: Month, _ place: Place, _ things: Int, _ options: Options,
        _ report: inout Report
    ) throws(Trouble) {
        let feed = try attempt {
            try scene.conversation.call("calendar.addFeed", ["name": "bench"])["secret"]?.string ?? ""
        }
        let file = try PlainWeb.ask(scene.house.port, "GET", "/feed/\(feed).ics", authorization: scene.authorization)
            .text
        let begin = "BEGIN:VEVENT\r\n"
        let end = "END:VEVENT\r\n"
        // The same things on both sides: Radicale reads them from the file that it would be given.
        let head = String(file[..<(file.firstRange(of: begin)?.lowerBound ?? file.endIndex)])
        let events = file.split(separator: begin).dropFirst().map {
            begin + ($0.split(separator: end).first ?? "") + end
        }
        guard events.count == scene.entries else { throw Trouble("The feed has \(events.count) events.") }
        let radicale = try Radicale(program, in: place.path, events: events, head: head)
        let name = "Basic " + Base64.encode(Array("ada:x".utf8))
        func theirs() throws(Trouble) -> PlainWeb.Answer {
            radicale.child.drain()
            return try PlainWeb.ask(
                radicale.port, "REPORT", "/ada/family/", authorization: name,
                "Depth: 1\r\nContent-Type: application/xml; charset=utf-8\r\n", month.report,
                seconds: Radicale.patience)
        }
        let cold = try theirs()
        guard count("BEGIN:VEVENT", cold.body) == things else {
            throw Trouble("Radicale answers \(count("BEGIN:VEVENT", cold.body)) things, Kinwire \(things).")
        }
        var (mine, other): ([Double], [Double]) = ([], [])
        for _ in 0..<options.rounds {
            other.append(try theirs().microseconds)
            mine.append(try scene.ask("REPORT", month.report).microseconds)
        }
        let ratio = other.median / mine.median
        report.add(
            "REPORT of a month, \(things) things, p50 ms", (mine.median / 1000).rounded(1),
            floor: "Radicale \((other.median / 1000).rounded(0)), at first \((cold.microseconds / 1000).rounded(0))",
            verdict: "\(ratio.rounded(0)) times as fast (goal: at least 50)\(ratio < 50 ? " missed" : "")")
        report.note("REPORT ratio", ratio)
    }

    private static func count(_ word: String, _ bytes: [UInt8]) -> Int {
        var count = 0
        var rest = bytes[...]
        while let range = rest.firstRange(of: word.utf8) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }

    // MARK: One change

    private static func changes(_ scene: Scene, _ options: Options, _ report: inout Report) throws(Trouble) {
        func sync(_ token: String) throws(Trouble) -> (token: String, things: Int) {
            let body = """
                <?xml version="1.0" encoding="utf-8"?><D:sync-collection xmlns:D="DAV:"><D:sync-token>\(token)\
                </D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>
                """
            let answer = try scene.ask("REPORT", body)
            let text = answer.text
            guard let open = text.firstRange(of: "<D:sync-token>"), let close = text.firstRange(of: "</D:sync-token>")
            else { throw Trouble("A sync was answered without a token.") }
            return (String(text[open.upperBound..<close.lowerBound]), count("<D:response>", answer.body))
        }
        let all = try attempt {
            try scene.conversation.call("entry.all", ["limit": 100])["entries"]?.array?.compactMap { $0["id"] } ?? []
        }
        var (token, things) = try sync("")
        guard things == scene.entries else { throw Trouble("A first sync has \(things) things.") }
        var best = (changed: Double.infinity, nothing: Double.infinity)
        for round in 0..<options.rounds {
            var (changed, nothing) = (0.0, 0.0)
            for (index, id) in all.enumerated() {
                try attempt {
                    _ = try scene.conversation.call(
                        "entry.update", ["entry": id, "note": .string("Changed \(round) \(index)")])
                }
                let before = scene.house.child.cpuMicroseconds
                (token, things) = try sync(token)
                let between = scene.house.child.cpuMicroseconds
                guard things == 1 else { throw Trouble("A sync of one change has \(things) things.") }
                guard try sync(token) == (token, 0) else { throw Trouble("A sync of nothing has something.") }
                changed += between - before
                nothing += scene.house.child.cpuMicroseconds - between
            }
            best = (
                min(best.changed, changed / Double(all.count) / 1000),
                min(best.nothing, nothing / Double(all.count) / 1000)
            )
        }
        report.add(
            "sync-collection of one change among \(scene.entries), CPU ms", best.changed.rounded(2),
            floor: "of none \(best.nothing.rounded(2))",
            verdict: "goal: at most 2\(best.changed > 2 ? " missed" : "")")
    }
}
