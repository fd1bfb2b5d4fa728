import Glibc
import KinCodec
import KinModel
import Testing

/// What stands in for ntfy's Android app, with its shade, its buttons and the ways in which it comes back; written by somebody
/// who had not seen this server.
@Suite(.serialized) struct AppClientTests {
    @Test(
        .enabled(if: access(PythonClient.debian, X_OK) == 0, "python3 is not installed"), arguments: ["json", "ws"])
    func `the app votes from its shade, comes back after a stop, and clears what was read`(way: String) throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let bob = try house.door(as: "bob")
        let topic = try #require(try bob.call("notice.add", ["name": "pixel"])["topic"]?.string)
        let app = stage.start(
            [PythonClient.debian, Stage.fixtures + "/ntfy_app.py", house.url, topic] + (way == "ws" ? ["--ws"] : []))
        /// The first thing that it says it did, of those that are asked for.
        func did(_ what: String, where isWanted: (JSON) -> Bool = { _ in true }) throws -> JSON {
            var found: JSON?
            try stage.wait(what) {
                app.take()
                let said = app.lines.compactMap { try? JSON.parse(Array($0.utf8)) }
                found = said.first { $0["do"]?.string == what && isWanted($0) }
                return found != nil || app.status != nil
            }
            return try #require(found, "\(app.said)")
        }
        try stage.wait("the app") { app.said.contains("connected") || app.status != nil }
        let ada = try house.door(as: "ada")
        let start = Instant(milliseconds: Int64(time(nil)) * 1000).adding(days: 2)
        let invitee = try #require(try house.snapshot("ada").members.values.first { $0.username == "bob" }).id
        let meeting = try #require(
            try ada.call(
                "meeting.propose",
                [
                    "title": "Supper", "kind": "group", "zone": "UTC", "invitees": [.id(invitee)],
                    "slots": [["start": .time(start), "end": .time(start.adding(seconds: 3600))]],
                ])["meeting"]?["id"])
        let shown = try did("shown")
        #expect(shown["title"] == "Supper" && shown["buttons"]?.array?.count == 3)
        let sequence = try #require(shown["sequence"]?.string)
        app.write("press \(sequence) Yes\n")
        #expect(try did("pressed")["status"] == 200)
        _ = try did("replaced") { $0["message"] == "Answered: Yes" }
        let own = try bob.call("meeting.show", ["meeting": meeting])["own"]
        #expect(own?["votes"]?.array?.first?["answer"] == "yes")
        // A stop with a goodbye: the app comes back by itself, and has what was said meanwhile.
        let daemon = house.daemon
        daemon.signal(SIGTERM)
        try stage.wait("the end") { daemon.status != nil }
        try house.start()
        _ = try house.door(as: "ada").call("activity.announce", ["text": "After"])
        let after = try did("shown") { $0["message"]?.string?.contains("After") == true }
        // Read on another device: it is no longer in the shade.
        _ = try house.door(as: "bob").call(
            "activity.read", ["upTo": .time(Instant("2200-01-01T00:00:00Z") ?? .earliest)])
        let cleared = try did("cleared") { $0["sequence"] == after["sequence"] }
        #expect(cleared["was_shown"] == true)
        #expect(!app.said.contains("WRONG FOR THE APP") && app.status == nil)
        app.write("quit\n")
    }
}
