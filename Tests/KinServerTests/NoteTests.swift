import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The daemon's own log.
@Suite struct NoteTests {
    private func open(_ box: Box, _ username: String, _ password: String) throws {
        _ = try box.connect().refusal(
            "session.open", ["username": .string(username), "password": .string(password)])
    }

    @Test func `lines begin with what they tell of, name members, and never hold what was typed`() throws {
        let box = try Box.family()
        #expect(box.notes.contains("info: founded: The family was founded by ada."))
        try open(box, "ben", "wrong")
        #expect(box.notes.last == "info: sign-in-refused: A sign-in as ben from 127.0.0.1 was refused.")
        // Who types the password into the wrong field does not find it in the log.
        try open(box, "my.secret.word", "wrong")
        #expect(box.notes.last?.contains("a name that is nobody's") ?? false)
        for _ in 0..<5 { try open(box, "ben", "wrong") }
        #expect(box.notes.last?.hasPrefix("warning: sign-in-slowed: Sign-ins as ben from 127.0.0.1 wait ") ?? false)
        let ben = try box.line("ben")
        let other = try box.signIn("ben")
        _ = try ben.result("session.revoke", ["session": .id(other.session)])
        #expect(box.notes.last == "info: session-revoked: ben ended one of their sessions.")
        _ = try box.line("ada").result("activity.announce", ["text": "nobody's business"])
        #expect(
            !box.notes.contains { $0.contains("business") || $0.contains("my.secret.word") || $0.contains("wrong") })
        let words = Set(Notable.allCases.map(\.rawValue))
        for note in box.notes {
            let parts = note.split(separator: ": ", maxSplits: 2)
            #expect(parts.count == 3 && words.contains(String(parts[1])), "\(note)")
        }
    }

    @Test func `a flood is a few lines a minute and a sum`() throws {
        var setting = Box.Setting()
        setting.limits.requestsMax = 4
        let box = try Box.family(setting)
        let ada = try box.line("ada")
        box.isKeeperBusy = true
        for _ in 0..<24 { ada.postCall("family.show") }
        try box.settle()
        box.isKeeperBusy = false
        try box.settle()
        let hits = try #require(box.server.counters.limitsHit["requests"])
        #expect(box.notes.filter { $0.contains("limit: The limit requests was reached.") }.count == 1)
        for number in 0..<30 { try open(box, "user\(number)", "wrong") }
        #expect(box.notes.count { $0.contains("sign-in-refused") } == ServerLimits().linesPerMinuteMax)
        try box.advance(seconds: 61)
        #expect(
            box.notes.contains("warning: limit: The limit requests was reached \(hits - 1) more times within a minute.")
        )
        #expect(
            box.notes.contains {
                $0.hasPrefix("info: sign-in-refused: 1") && $0.hasSuffix(" more of these within a minute.")
                    || $0.hasPrefix("info: sign-in-refused: ") && $0.hasSuffix(" more of these within a minute.")
            })
        // The next minute begins anew.
        let before = box.notes.count
        try open(box, "user99", "wrong")
        #expect(box.notes.count == before + 1)
    }

    @Test func `what comes once is told at once: a backup, the end`() throws {
        let box = try Box.family()
        _ = try box.connect(from: Box.machine).result("family.backup", ["name": "b.tar"])
        #expect(box.notes.last?.hasPrefix("info: backup: A backup of ") ?? false)
        let status = try box.connect(from: Box.machine).result("daemon.status")
        #expect(status["lastBackup"]?["bytes"]?.int ?? 0 > 0)
        #expect(status["lastBackup"]?["at"]?.instant != nil)
    }

    @Test func `the status says who is there`() throws {
        let box = try Box.family()
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let machine = box.connect(from: Box.machine)
        let status = try machine.result("daemon.status")
        #expect(status["version"]?.string == KinwireVersion.text)
        #expect(status["clients"]?["lines"] == 1 && status["clients"]?["unix"] == 1)
        #expect(status["followers"]?["count"] == 1 && status["followers"]?["behindMax"] == 0)
        #expect(status["log"]?["rows"]?.int ?? 0 > 3)
        #expect(status["disk"]?["isShort"] == false)
        #expect(status["lastBackup"] == nil && status["certificate"] == nil)
        #expect(try ben.refusal("daemon.status") == 1403)
        let bearer = "Authorization: Bearer \(try box.person("ada").token)"
        #expect(try box.connect().ask("GET /api/status", [bearer]).json?["version"]?.string == KinwireVersion.text)
    }

    @Test func `the table in the documentation is the program's`() throws {
        let rows = Notable.allCases.map { "| `\($0.rawValue)` | \($0.level.rawValue) | \($0.meaning) |" }
        try Documentation("Logs").expect(
            """
            # The daemon's log

            The lines that `kinwired` writes to standard error, and what each of them means.

            ## Overview

            The daemon writes one line for each event that an admin may want to know of. Each line begins with one of the words
            in the table. Under systemd each line has a priority of the journal, so that this command shows what needs attention:

            ```sh
            journalctl -u kinwired -p warning
            ```

            A line names members by their usernames. It never holds what a member wrote. It never holds a typed name that is no
            member's, because people type passwords into the wrong field.

            Strangers can cause some lines as often as they like. The daemon writes \(ServerLimits().linesPerMinuteMax) such lines of one kind a minute, counts the
            others, and then writes the count. It writes that a limit was reached once a minute, with the count.

            ## The words

            | word | priority | when |
            | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            """)
    }
}
