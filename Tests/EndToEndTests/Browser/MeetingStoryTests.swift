import Glibc
import KinCodec
import KinModel
import Testing

/// A meeting from its proposal to its cancellation on the real daemon, as all see it who may: by the log, by the calendar
/// apps of two members, by an address for calendar programs, and on the page.
@Suite(.serialized) struct MeetingStoryTests {
    private let stage: Stage
    private let house: House
    /// Midnight of the meeting's day, three weeks ahead; its times are of universal time.
    private let midnight: Instant

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        for username in ["bob", "carol", "dora", "emil"] { try house.join(username) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let day = (Int64(time.tv_sec) / 86_400 + 21) * 86_400
        midnight = Instant(milliseconds: day * 1000)
    }

    private var day: String { String(midnight.description.prefix(10)) }
    private func at(_ hour: Int64) -> Instant { midnight.adding(seconds: hour * 3600) }
    private func slot(_ hour: Int64) -> JSON { ["start": .time(at(hour)), "end": .time(at(hour + 2))] }
    /// As iCalendar writes it.
    private func stamp(_ hour: Int64) -> String {
        "DTSTART:" + day.filter { $0 != "-" } + "T\(hour < 10 ? "0" : "")\(hour)0000Z"
    }

    // MARK: Those who look

    /// A member's calendar app, which remembers how far it read each calendar.
    private final class App {
        let who: String
        let password: String
        let home: String
        var tokens: [String: String] = [:]

        init(_ who: String, _ house: House) throws {
            self.who = who
            let door = try house.door(as: who)
            let made = try door.call("appPassword.create", ["device": "phone", "scope": "calendar"])
            password = try #require(made["password"]?.string)
            let members = try door.call("member.list", [:])["members"]?.array ?? []
            let id = try #require(members.first { $0["username"]?.string == who }?["id"]?.string)
            home = "/dav/calendars/\(id)/"
        }
    }

    private func calendar(_ kind: String) throws -> String {
        let all = try house.door(as: "ada").call("calendar.list", [:])["calendars"]?.array ?? []
        return try #require(all.first { $0["kind"]?.string == kind }?["id"]?.string)
    }

    private func ask(_ app: App, _ verb: String, _ path: String, _ body: String = "") throws -> String {
        let program = try stage.run(
            "curl", "-sS", "-u", "\(app.who):\(app.password)", "-X", verb, "-H", "Content-Type: text/calendar",
            "--data-binary", "@-", house.url + path, input: body)
        return (program.lines + [program.unended]).joined(separator: "\n")
    }

    /// The lines of an entry, unfolded.
    private func read(_ app: App, _ href: String) throws -> [String] {
        try ask(app, "GET", href).replacing("\r\n ", with: "").split(whereSeparator: \.isNewline).map(String.init)
    }

    /// What changed in a calendar since the app last asked.
    private func sync(_ app: App, _ calendar: String) throws -> (there: [String], gone: [String]) {
        let place = app.home + calendar + "/"
        let answer = try ask(
            app, "REPORT", place,
            """
            <sync-collection xmlns="DAV:"><sync-token>\(app.tokens[calendar] ?? "")</sync-token>\
            <sync-level>1</sync-level><prop><getetag/></prop></sync-collection>
            """)
        let token = try #require(answer.firstMatch(of: /sync-token>([^<]+)</), "\(answer)")
        app.tokens[calendar] = String(token.1)
        var found: (there: [String], gone: [String]) = ([], [])
        for part in answer.split(separator: /<\/(?:\w+:)?response>/) {
            guard let href = part.firstMatch(of: /href>([^<]+)</) else { continue }
            if part.contains(" 404 ") { found.gone.append(String(href.1)) } else { found.there.append(String(href.1)) }
        }
        return found
    }

    /// What the calendar apps, the address and the page show of the meeting once it is confirmed.
    private func check(
        _ title: String, _ hour: Int64?, organizer: String = "ada", _ apps: [App], _ feed: String, _ page: Browser?,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let meetings = try calendar("meetings")
        for app in apps {
            let news = try sync(app, meetings)
            guard let hour else {
                #expect(news.there.isEmpty && news.gone.count == 1, "\(app.who): \(news)", sourceLocation: location)
                continue
            }
            let href = try #require(news.there.first, "\(app.who) is told of nothing", sourceLocation: location)
            #expect(news.there.count == 1 && news.gone.isEmpty, "\(news)", sourceLocation: location)
            let lines = try read(app, href)
            for line in ["SUMMARY:\(title)", "STATUS:CONFIRMED", stamp(hour)] {
                #expect(lines.contains(line), "\(app.who): \(line) in \(lines)", sourceLocation: location)
            }
            let host = lines.first { $0.hasPrefix("ORGANIZER") }?.lowercased() ?? ""
            #expect(host.contains("cn=\(organizer)"), "\(lines)", sourceLocation: location)
        }
        let read = try stage.run("curl", "-sS", feed).lines.map { $0.filter { $0 != "\r" && $0 != "\r\n" } }
        if let hour {
            #expect(
                read.contains("SUMMARY:\(title)") && read.contains(stamp(hour)) && read.contains("STATUS:CONFIRMED"),
                "\(read)", sourceLocation: location)
        } else {
            #expect(!read.contains("SUMMARY:\(title)"), "\(read)", sourceLocation: location)
        }
        guard let page else { return }
        try page.wait("the page to show it", location) {
            let texts = try page.run(
                """
                return [...document.querySelectorAll(`.column[data-day="${arguments[0]}"] .event`)].map(one => \
                one.ariaLabel)
                """, .string(day))
            let shown = (texts.array ?? []).compactMap(\.string).filter { $0.contains(title) }
            guard let hour else { return shown.isEmpty }
            return shown.count == 1 && shown[0].contains(hour < 13 ? "\(hour):00" : "\(hour - 12):00")
        }
    }

    /// The page of a member, at the day, by the hour.
    private func page(_ who: String) throws -> Browser? {
        guard Browser.isThere else { return nil }
        let browser = try Browser(stage, width: 1280, height: 900)
        try browser.signIn(house, who)
        return browser
    }

    private func hear(_ tail: Program, _ type: String, _ words: String...) throws {
        try stage.wait("\(type) with \(words)") {
            tail.lines.contains { line in
                line.contains("\"type\":\"\(type)\"") && words.allSatisfy { line.contains($0) }
            }
        }
    }

    // MARK: The story

    @Test
    func
        `a meeting is voted on in four ways, confirmed, moved, handed over and cancelled, and is so in every calendar`()
        throws
    {
        let ada = try house.door(as: "ada")
        let tail = stage.start(["kin", "tail", "--json", "--since", "1h", "--as", "emil"])
        try stage.wait("the tail") { tail.lines.contains { $0.contains("member.joined") } }
        let (bob, emil) = (try App("bob", house), try App("emil", house))
        let (decide, meetings) = (try calendar("toDecide"), try calendar("meetings"))
        for app in [bob, emil] {
            for place in [decide, meetings] { #expect(try sync(app, place) == ([], [])) }
        }
        let made = try house.door(as: "carol").call("calendar.addFeed", ["name": "Desk"])
        let feed = "\(house.url)/feed/\(try #require(made["secret"]?.string)).ics"

        // Proposed: each who is asked has a hold for each slot.
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        let proposed = try ada.call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "UTC", "slots": [slot(9), slot(18)],
                "invitees": .array(members.filter { $0["username"]?.string != "ada" }.compactMap { $0["id"] }),
            ])
        let meeting = try #require(proposed["meeting"]?["id"]?.string)
        let slots = (proposed["meeting"]?["slots"]?.array ?? []).compactMap { $0["id"] }
        let holds = try sync(emil, decide).there
        #expect(try slots.count == 2 && holds.count == 2 && sync(bob, decide).there.count == 2)
        try hear(tail, "entry.added", "Sunday dinner", "tentative")
        #expect(try stage.run("curl", "-sS", feed).lines.count { $0.hasPrefix("STATUS:TENTATIVE") } == 2)

        try vote(meeting, slots, emil, holds)
        let shown = try ada.call("meeting.show", ["meeting": .string(meeting)])
        #expect(shown["meeting"]?["tally"]?["slots"]?.array?.first?["yes"] == 4, "\(shown.text)")

        // Confirmed: one entry with the voters' answers, and no holds.
        let dora = try page("dora")
        if let dora {
            try dora.click("[data-tab=calendar]")
            try dora.click("[data-view=day]")
            _ = try dora.run("location.hash = arguments[0]", .string("#/calendar/\(day)"))
        }
        try stage.run("kin", "meet", "confirm", "sunday", "1", "--as", "ada")
        for app in [bob, emil] {
            let news = try sync(app, decide)
            #expect(news.there.isEmpty && news.gone.count == 2, "\(app.who): \(news)")
        }
        try hear(tail, "entry.updated", "Sunday dinner", "\"confirmed\"")
        try check("Sunday dinner", 9, [bob, emil], feed, dora)
        let entries = try ada.call("entry.all", [:])["entries"]?.array ?? []
        #expect(entries.count == 1 && entries[0]["invitees"]?.array?.count == 4, "\(entries)")
        #expect(entries[0]["invitees"]?.array?.allSatisfy { $0["answer"] == "accepted" } == true, "\(entries)")
        let entry = try #require(entries.first?["id"])

        // Another time.
        var moved = slot(11)
        moved["id"] = slots[0]
        _ = try ada.call("meeting.update", ["meeting": .string(meeting), "slots": [moved, ["id": slots[1]]]])
        try hear(tail, "entry.updated", "T11:00")
        try check("Sunday dinner", 11, [bob, emil], feed, dora)

        // Another host.
        try stage.run("kin", "meet", "hand-over", "sunday", "carol", "--as", "ada")
        try hear(tail, "entry.updated", "\"owner\"")
        try check("Sunday dinner", 11, organizer: "carol", [bob, emil], feed, dora)
        let handed = try ada.call("entry.show", ["entry": entry])["entry"]
        let asked = Set(handed?["invitees"]?.array?.compactMap { $0["member"] } ?? [])
        #expect(handed?["owner"] == members.first { $0["username"]?.string == "carol" }?["id"])
        #expect(asked == Set(members.filter { $0["username"]?.string != "carol" }.compactMap { $0["id"] }))

        // Cancelled: nobody has it any more.
        try stage.run("kin", "meet", "cancel", "sunday", "--reason", "The oven broke", "--as", "carol")
        try hear(tail, "entry.removed", entry.string ?? "?")
        try check("Sunday dinner", nil, [bob, emil], feed, dora)
        #expect(try ada.call("entry.all", [:])["entries"] == [])
        if let dora { #expect(try dora.log() == []) }
    }

    /// Bob in the terminal, Carol by REST, Dora on the page, and Emil in his phone's calendar.
    private func vote(_ meeting: String, _ slots: [JSON], _ emil: App, _ holds: [String]) throws {
        try stage.run("kin", "meet", "vote", "sunday", "1=yes", "2=no", "--as", "bob")
        let votes: JSON = ["votes": .array(slots.map { ["slot": $0, "answer": "yes"] })]
        let voted = try stage.run(
            "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT", "-H",
            "Authorization: Bearer \(try house.token("carol"))", "-H", "Content-Type: application/json", "-d",
            votes.text, "\(house.url)/api/meetings/\(meeting)/votes")
        #expect(voted.unended == "200", "\(voted.unended)")
        if let dora = try page("dora") {
            try dora.wait(for: "Sunday dinner", in: "kin-ballot")
            try dora.click("kin-ballot .slots li:first-child .answer.yes")
        } else {
            _ = try house.door(as: "dora").call(
                "meeting.vote",
                ["meeting": .string(meeting), "votes": [["slot": slots[0], "answer": "yes"]]])
        }
        let his = emil.home.split(separator: "/").last.map(String.init) ?? ""
        for href in holds {
            let hold = try read(emil, href)
            #expect(hold.contains("STATUS:TENTATIVE"), "\(hold)")
            let isFirst = hold.contains(stamp(9))
            let lines = hold.map { line in
                guard line.hasPrefix("ATTENDEE"), line.contains(his) else { return line }
                let address = line.split(separator: ":", maxSplits: 1).last ?? ""
                return "ATTENDEE;PARTSTAT=\(isFirst ? "ACCEPTED" : "DECLINED"):\(address)"
            }
            let answer = try ask(emil, "PUT", href, (lines + [""]).joined(separator: "\r\n"))
            #expect(answer.filter { !$0.isWhitespace }.isEmpty, "\(answer)")
        }
        try stage.wait("four votes") {
            let shown = try house.door(as: "ada").call("meeting.show", ["meeting": .string(meeting)])
            return shown["meeting"]?["tally"]?["slots"]?.array?.first?["yes"] == 4
        }
        // The apps read what the votes changed.
        _ = try sync(emil, try calendar("toDecide"))
    }
}
