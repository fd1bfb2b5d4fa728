import Glibc
import KinCodec
import KinModel
import Testing

/// Programs of the house tell somebody something, and what rings is answered from the shade: with programs that others wrote.
@Suite(.serialized) struct ScriptTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
    }

    /// Made by `deploy/test` where PyPI can be reached.
    private static let apprise = Stage.root + "/.build/python/bin/apprise"
    private static let hasApprise = access(apprise, X_OK) == 0

    /// A phone of somebody's, which listens from here on.
    private func phone(of who: String) throws -> Program {
        let added = try stage.run("kin", "phone", "add", "pixel", "--app", "ntfy", "--as", who)
        let link = try #require(added.lines.first { $0.contains("ntfy://") })
        let topic = try #require(link.split(separator: "/").last?.split(separator: "?").first)
        let phone = stage.start(["curl", "-sN", "\(house.url)/\(topic)/json"])
        try stage.wait("the stream") { phone.lines.contains { $0.contains("\"open\"") } }
        return phone
    }

    private func message(_ phone: Program, _ text: String) throws -> JSON {
        try stage.wait("\(text) to ring") { phone.lines.contains { $0.contains(text) } }
        return try JSON.parse(Array((phone.lines.last { $0.contains(text) } ?? "").utf8))
    }

    @Test func `the line that kin prints works as it stands, and what it says rings`() throws {
        let none = try stage.run("kin", "script", "--as", "bob").lines
        #expect(none == ["No program tells you anything yet. Add one: kin script add NAME"])
        let phone = try phone(of: "bob")
        let added = try stage.run("kin", "script", "add", "Washing", "machine", "--as", "bob").lines
        let line = try #require(added.first { $0.contains("curl ") })
        let said = stage.start(["sh", "-c", line])
        try stage.wait("curl to end") { said.status != nil }
        let rung = try message(phone, "Washing done")
        #expect(rung["title"] == "Washing machine" && rung["message"] == "Washing done")
        #expect(try stage.run("kin", "inbox", "--as", "bob").lines.joined().contains("Washing machine says this"))
        let kept = try stage.run("kin", "script", "messages", "--as", "bob").lines
        #expect(kept.last?.hasSuffix(": Washing done") == true)
        #expect(try stage.run("kin", "script", "--as", "bob").lines.contains { $0.hasPrefix("Washing machine") })
        // Nobody else's inbox has it.
        #expect(try !stage.run("kin", "inbox", "--as", "ada").lines.joined().contains("Washing"))
        let gone = try stage.run("kin", "script", "remove", "Washing", "machine", "--as", "bob").lines
        #expect(gone == ["Washing machine tells you nothing any more."])
        let refused = stage.start(["sh", "-c", line])
        try stage.wait("curl to end") { refused.status != nil }
        #expect((refused.unended + refused.lines.joined()).contains("40301"))
    }

    @Test(.enabled(if: Self.hasApprise, "PyPI's apprise is not installed"))
    func `apprise publishes as it does to any server of ntfy`() throws {
        let phone = try phone(of: "bob")
        let added = try stage.run("kin", "script", "add", "NAS", "--as", "bob").lines
        let topic = try #require(added.first { $0.contains("curl ") }?.split(separator: "/").last)
        let target = house.url.split(separator: "/").last ?? ""
        let published = stage.start([
            Self.apprise, "--title", "Backup", "--body", "Größe: 3 GB, ohne Fehler",
            "ntfy://\(target)/\(topic)?priority=high&tags=floppy_disk&click=https://nas.example/log",
        ])
        try stage.wait("apprise to end") { published.status != nil }
        #expect(published.status == 0, "\(published.said)")
        let rung = try message(phone, "Größe")
        #expect(rung["title"] == "Backup" && rung["message"] == "Größe: 3 GB, ohne Fehler")
        #expect(rung["priority"] == 4 && rung["tags"] == ["floppy_disk"] && rung["click"] == "https://nas.example/log")
    }

    @Test(.enabled(if: PythonClient.hasWebSockets(PythonClient.debian), "python3-websockets is not installed"))
    func `an invitation is answered from the shade, and the vote is seen on four transports`() throws {
        try house.join("carol")
        let phone = try phone(of: "bob")
        let token = try house.token("carol")
        let python = try PythonClient.command(
            PythonClient.debian, house, as: "carol", folder: stage.folder + "/python")
        let watchers = Watcher.Kind.allCases.reversed().map { Watcher($0, house, token: token, python: python) }
        for watcher in watchers {
            try watcher.come()
            try stage.wait("the snapshot of \(watcher.kind)") {
                try watcher.look()
                return watcher.resets > 0
            }
        }
        try stage.run("kin", "meet", "propose", "Cinema", "tomorrow 18:00-20:00", "--with", "bob,carol", "--as", "ada")
        let rung = try message(phone, "Cinema")
        let actions = try #require(rung["actions"]?.array)
        #expect(actions.compactMap { $0["label"]?.string } == ["Yes", "If need be", "No"])
        let url = try #require(actions[0]["url"]?.string)
        let pressed = try stage.run("curl", "-s", "-X", try #require(actions[0]["method"]?.string), url)
        #expect((pressed.lines.joined() + pressed.unended).contains(#""done":true"#))
        let after = try message(phone, "Answered: Yes")
        #expect(after["sequence_id"] == rung["sequence_id"])
        for watcher in watchers {
            try stage.wait("the vote on \(watcher.kind)") {
                try watcher.look()
                return watcher.events.contains { $0.type == "meeting.voted" }
            }
        }
        let listed = try stage.run("curl", "-s", "-X", "POST", url)
        #expect((listed.lines.joined() + listed.unended).contains("answered already"))
        // Nothing of it stands in the daemon's own words.
        let secret = String(url.split(separator: "/").last ?? "?")
        #expect(!house.daemon.said.contains(secret))
    }
}
