import Glibc
import KinCodec
import KinModel
import Testing

/// Calendars from outside: the daemon as it is, over HTTPS, to a server of calendars on loopback that behaves badly too.
@Suite(.serialized) struct OutsideCalendarTests {
    private let stage: Stage
    private let house: House
    private let server: Program
    private let port: Int64

    init() throws {
        stage = try Stage()
        try stage.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=feeds", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
            "\(stage.folder)/feeds.key", "-out", "\(stage.folder)/feeds.crt")
        server = stage.start([
            "python3", Stage.fixtures + "/feeds.py", "\(stage.folder)/feeds.crt", "\(stage.folder)/feeds.key",
            stage.folder,
        ])
        let server = server
        try stage.wait("the server of calendars") { !server.lines.isEmpty || server.status != nil }
        port = try JSON.parse(Array((server.lines.first ?? "").utf8))["port"]?.int ?? 0
        house = try House(stage, family: ["bob"], environment: ["SSL_CERT_FILE=\(stage.folder)/feeds.crt"])
        try write("Parents’ evening")
    }

    private func write(_ subject: String) throws {
        let text = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            X-WR-CALNAME:School\r
            BEGIN:VEVENT\r
            UID:1@school\r
            DTSTART:20270302T180000Z\r
            SUMMARY:\(subject)\r
            END:VEVENT\r
            END:VCALENDAR\r

            """
        let file = try #require(fopen(stage.folder + "/feed.ics", "w"))
        fputs(text, file)
        fclose(file)
    }

    private func address(_ path: String) -> String { "webcal://127.0.0.1:\(port)\(path)" }

    @discardableResult
    private func kin(_ words: String..., as who: String = "ada", fails: Bool = false) throws -> [String] {
        let program = stage.start(["kin"] + words + ["--as", who])
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect((program.status == 0) != fails, "\(words): \(program.said)")
        return program.lines
    }

    private func asked() throws -> [JSON] {
        server.take()
        return try server.lines.dropFirst().map { try JSON.parse(Array($0.utf8)) }
    }

    private func agenda() throws -> String { try kin("agenda", "2027-03-01", "--days", "7").joined(separator: "\n") }

    @Test func `a calendar is read, asked for anew by what is known of it, and stays when its server goes mad`() throws
    {
        // Nothing is asked without an admin's word, and no machine of the house without one more.
        try kin("calendar", "subscribe", address("/good.ics?key=s3cret"), fails: true)
        try kin("calendar", "outside", "on")
        let refused = try kin("calendar", "subscribe", address("/good.ics?key=s3cret"))
        #expect(try refused.joined().contains("kin outside allow") && asked().isEmpty)
        try kin("outside", "allow", "127.0.0.1:\(port)")
        let list = try kin("calendar", "list")
        #expect(list.contains { $0.hasPrefix("127.0.0.1:\(port) · you manage it") }, "\(list)")
        _ = try readdress("subscribed", "/good.ics?key=s3cret2")
        #expect(try agenda().contains("Parents’ evening"))
        #expect(try kin("calendar", "list").contains { $0.hasPrefix("School · you manage it") })
        #expect(try !kin("calendar", "list", as: "bob").joined().contains("s3cret"))
        // By its tag, after a restart too.
        house.kill()
        try house.start()
        let before = try asked().count
        try stage.wait("half a minute to pass") {
            let answer = try? house.door(as: "ada").call(
                "calendar.refresh", ["calendar": try calendar()])
            return answer != nil
        }
        let last = try #require(try asked().last)
        #expect(try asked().count == before + 1 && last["known"]?.string?.hasPrefix("\"") == true, "\(last)")
        #expect(last["accept"]?.string?.hasPrefix("text/calendar") == true)
        // What was never there has not gone, and two that are called the same are told apart.
        let missing = try kin("calendar", "subscribe", address("/gone")).joined(separator: "\n")
        #expect(missing.contains("There is no calendar at this address. Check the address."), "\(missing)")
        #expect(try kin("calendar", "unsubscribe", "127.0.0.1:\(port)").count == 1)
        let plain = stage.start(["kin", "calendar", "subscribe", "http://127.0.0.1:\(port)/x.ics", "--as", "ada"])
        #expect(plain.waited() != 0)
        #expect(plain.said.contains("an admin types: kin outside allow 127.0.0.1:\(port) --plain"), "\(plain.said)")
        // What is none any more deletes nothing.
        for (path, words) in [
            ("/page", "A page is at its address"), ("/gone", "Nothing is at its address"),
            ("/huge", "larger than 10 MB"),
            ("/endless", "larger than 10 MB"), ("/cut", "It ends in the middle"),
            ("/away?\(house.url)/healthz", "leads on to one without https://"),
            ("/away?https://127.0.0.1/x.ics", "leads to a machine of the house"),
            ("/away?http://127.0.0.1:\(port)/good.ics", "leads on to one without https://"),
        ] {
            let said = try readdress("School", path).joined(separator: "\n")
            #expect(said.contains(words), "\(path): \(said)")
            #expect(try agenda().contains("Parents’ evening"), "\(path)")
        }
        try write("Open doors")
        _ = try readdress("School", "/good.ics")
        #expect(try agenda().contains("Open doors") && !agenda().contains("Parents’ evening"))
        #expect(try kin("calendar", "unsubscribe", "School").first?.contains("removed") == true)
        #expect(try !agenda().contains("Open doors"))
        #expect(!house.daemon.said.contains("s3cret") && !house.daemon.said.contains("good.ics"))
    }

    /// Has it be read at another address, and what came of it; once in 10 s it is read.
    private func readdress(_ name: String, _ path: String) throws -> [String] {
        var said: [String] = []
        try stage.wait("ten seconds to pass") {
            let program = stage.start(["kin", "calendar", "readdress", name, address(path), "--as", "ada"])
            let status = program.waited()
            said = program.lines
            return status == 0
        }
        return said
    }

    private func calendar() throws -> JSON {
        try house.door(as: "ada").call("calendar.list", [:])["subscribed"]?.array?.first?["calendar"] ?? .null
    }

    @Test(.enabled(if: Browser.isThere, "Chromium and its driver are not installed"), arguments: ["en", "de"])
    func `on the page it is allowed, subscribed to, told why it is not read, and read in one dialog`(
        language: String
    ) throws {
        let browser = try Browser(stage, language: language)
        try browser.screen(width: language == "de" ? 390 : 1280, height: 844, isDark: language == "de")
        try browser.signIn(house, "ada")
        _ = try browser.run("location.hash = '#/calendar/2027-03-02'")
        try browser.wait("the calendars there are") {
            try browser.run("return !!document.querySelector('#new-outside')").bool == true
        }
        _ = try browser.run("document.querySelector('#new-outside').closest('details').open = true")
        try browser.wait("the calendar") { try browser.sees("#new-outside") }
        try browser.click("#new-outside")
        try browser.click("#outside-allow")
        try browser.wait("the form") { try browser.sees("#outside-address") }
        try browser.type(address("/good.ics").replacing("webcal:", with: "https:"), into: "#outside-address")
        try browser.type("School", into: "#outside-name")
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        try browser.draw("calendar-outside-\(language)")
        try browser.click("dialog button[type=submit]")
        // No machine of the house is asked without one more word: why stands in the dialog, which stays.
        try browser.wait(for: "kin outside allow", in: "dialog > .wrong")
        try browser.wait("the way to keep it") { try browser.sees("#outside-keep") }
        try browser.draw("calendar-outside-refused-\(language)")
        #expect(try browser.run("return document.querySelector('#outside-name').value").string == "School")
        try kin("outside", "allow", "127.0.0.1:\(port)")
        // Once in 10 s it is read: until then the page says how long to wait.
        var pressed = 0.0
        try browser.wait("the dialog to close") {
            guard try browser.sees("dialog") else { return true }
            if Stage.seconds - pressed > 2 {
                try browser.run("document.querySelector('dialog button[type=submit]:not(:disabled)')?.click()")
                pressed = Stage.seconds
            }
            return false
        }
        try browser.wait("what it holds") {
            try browser.run("return document.querySelector('kin-calendar').textContent.includes('Parents’ evening')")
                .bool == true
        }
        #expect(try kin("calendar", "list").contains { $0.hasPrefix("School · you manage it") })
        #expect(try browser.log() == [])
    }
}
