import Glibc
import KinModel
import Testing

/// `kin` where a person looks: on a terminal, which `script` plays.
@Suite(.serialized, .enabled(if: access("/usr/bin/script", X_OK) == 0, "script is needed, of Debian's bsdutils"))
struct TerminalTests {
    /// A command on a terminal; everything it shows comes as output.
    private func start(_ stage: Stage, _ command: String) -> Program {
        stage.start(["/usr/bin/script", "-qefc", "\(Stage.built)/kin \(command)", "/dev/null"])
    }

    private func shown(_ stage: Stage, _ command: String) throws -> String {
        let program = start(stage, command)
        try stage.wait("\(command) to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(program.lines)")
        return program.lines.joined(separator: "\n")
    }

    @Test func `colours are for terminals, and NO_COLOR takes them away`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
        stage.environment["TERM"] = "xterm-256color"
        try stage.run("kin", "meet", "propose", "Soup", "tomorrow 18-20", "--with", "bob", "--as", "ada")
        for command in ["meet --as bob", "status"] {
            let coloured = try shown(stage, command)
            #expect(coloured.contains("\u{1B}["), "\(coloured)")
            stage.environment["NO_COLOR"] = "1"
            let plain = try shown(stage, command)
            #expect(!plain.contains("\u{1B}"), "\(plain)")
            stage.environment["NO_COLOR"] = nil
            stage.environment["TERM"] = "dumb"
            #expect(try !shown(stage, command).contains("\u{1B}"))
            stage.environment["TERM"] = "xterm-256color"
            // Where it is piped there are none, whatever the terminal could.
            #expect(try !stage.run("sh", "-c", "\(Stage.built)/kin \(command) | cat").lines.joined().contains("\u{1B}"))
        }
    }

    @Test func `how far a long file is taken in stands on the terminal`() throws {
        let stage = try Stage()
        _ = try House(stage, family: [])
        let path = stage.folder + "/long.ics"
        let events = (0..<300).map {
            "BEGIN:VEVENT\r\nUID:e\($0)\r\nDTSTART:20370302T120000Z\r\nSUMMARY:No. \($0)\r\nEND:VEVENT\r\n"
        }
        let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + events.joined() + "END:VCALENDAR\r\n"
        try Array(text.utf8).write(file: path)
        let all = try shown(stage, "calendar import \(path) --as ada")
        #expect(all.contains("] 0 %  0 of 300") && all.contains("] 83 %  250 of 300"), "\(all)")
        #expect(all.contains("300 new, 0 changed, 0 already there, 0 not taken."), "\(all)")
    }

    @Test func `of what repeats, a person is asked how much is meant, by the day that the number stands for`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        try stage.run(
            "kin", "calendar", "add", "Choir", "--at", "2027-03-02 19:30-21:00", "--repeat", "weekly", "--until",
            "2027-03-31", "--as", "ada")
        func march() throws -> [String] {
            let found = try house.door(as: "ada").call(
                "entry.list", ["from": "2027-03-01", "to": "2027-03-31", "zone": "UTC"])
            return (found["occurrences"]?.array ?? []).compactMap {
                $0["starts"]?.string.map { String($0.dropFirst(8)) }
            }
        }
        func answer(_ words: String, _ number: String, exits code: Int32 = 0) throws -> String {
            let program = start(stage, "calendar \(words) --as ada")
            try stage.wait("the question") { program.lines.contains { $0.contains("How much of it do you mean?") } }
            program.write(number + "\n")
            try stage.wait("\(words) to end") { program.status != nil }
            program.take()
            #expect(program.status == code, "\(program.lines)")
            return program.lines.joined(separator: "\n")
        }
        try stage.run("kin", "agenda", "2027-03-09", "--as", "ada")
        let asked = try answer("edit 1 --at 18:00-19:00", "1")
        #expect(asked.contains("1  Tue 9 Mar") && asked.contains("alone") && asked.contains("3  all of it"), "\(asked)")
        #expect(try march() == ["02T19:30", "09T18:00", "16T19:30", "23T19:30", "30T19:30"])
        try stage.run("kin", "agenda", "2027-03-16", "--as", "ada")
        _ = try answer("edit 1 --at 20:00-21:00", "2")
        #expect(try march() == ["02T19:30", "09T18:00", "16T20:00", "23T20:00", "30T20:00"])
        try stage.run("kin", "agenda", "2027-03-23", "--as", "ada")
        // What cannot be otherwise on one day is not offered for one.
        let more = try answer("edit 1 --category music", "2")
        #expect(more.contains("1  Tue 23 Mar 2027 and all behind it") && !more.contains("alone"), "\(more)")
        _ = try answer("rm 1 --yes", "9", exits: 2)
        #expect(try march().count == 5)
        _ = try answer("rm 1 --yes", "1")
        #expect(try march() == ["02T19:30", "09T18:00", "16T20:00", "30T20:00"])
    }

    @Test func `an import at once draws how far it is, on a terminal only`() throws {
        let stage = try Stage()
        _ = try House(stage, family: [])
        let command = "import \(Stage.fixtures)/around-visnjan-with-car.gpx --at-once --as ada"
        let drawn = try shown(stage, command)
        #expect(drawn.contains("####") && drawn.contains("of 104"), "\(drawn)")
        let piped = try stage.run("sh", "-c", "\(Stage.built)/kin \(command) 2>&1 | cat")
        #expect(!piped.lines.joined().contains("##"), "\(piped.lines)")
    }

    @Test func `kin tail writes the line of a member on the way anew, on a terminal only`() throws {
        let stage = try Stage()
        let house = try House(stage, foundedNowWith: ["bob"])
        stage.environment["TERM"] = "xterm"
        let bob = try house.door(as: "bob")
        _ = try bob.call("sharing.set", ["state": "on"])
        let terminal = start(stage, "tail --as ada")
        let pipe = stage.start(["kin", "tail", "--as", "ada"])
        let without = stage.start(["kin", "tail", "--without", "position", "--as", "ada"])
        for program in [terminal, pipe, without] {
            try stage.wait("the tail") {
                _ = try? house.door(as: "ada").call("activity.announce", ["text": "Begin"])
                return program.lines.contains { $0.contains("Begin") }
            }
        }
        // A kilometre north a minute: on the way all along.
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Instant(milliseconds: Int64(time.tv_sec) * 1000)
        for minute in 0..<4 {
            let point: JSON = [
                "lat": .double(52.5 + Double(minute) / 100), "lon": 13.4,
                "at": .time(now.adding(seconds: Int64(minute - 4) * 60)),
                "accuracy": 5,
            ]
            _ = try bob.call("position.report", point)
        }
        _ = try house.door(as: "ada").call("activity.announce", ["text": "The end"])
        for program in [terminal, pipe, without] {
            try stage.wait("the end") { program.lines.contains { $0.contains("The end") } }
        }
        let up = terminal.lines.joined(separator: "\n").matches(of: /\u{1B}\[1A\r\u{1B}\[J/).count
        let told = pipe.lines.count { $0.contains("Bob is") }
        #expect(told > 1 && up >= told - 1, "\(terminal.lines) \(pipe.lines)")
        #expect(!pipe.lines.joined().contains("\u{1B}"))
        #expect(!without.lines.contains { $0.contains("Bob is") }, "\(without.lines)")
    }

    @Test func `kin tail --notify rings the terminal's bell`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let tail = start(stage, "tail --notify --since 1h --as bob")
        try stage.wait("the tail") { tail.lines.contains { $0.contains("Bob") || $0.contains("signed in") } }
        try stage.run("kin", "announce", "Fire!", "--as", "ada")
        try stage.wait("the announcement") { tail.lines.contains { $0.contains("Fire!") } }
        // The bell comes a second later, with what is said next where nothing ends its line.
        var count = 0
        try stage.wait("the bell") {
            count += 1
            if count % 20 == 0 { _ = try? house.door(as: "ada").call("activity.announce", ["text": "And more."]) }
            return tail.lines.contains { $0.contains("\u{7}") }
        }
        #expect(tail.status == nil)
    }
}
