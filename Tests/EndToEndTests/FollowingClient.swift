import KinModel
import Testing

/// A client of somebody else's: it signs in, follows, prints a line of JSON for each message, and keeps its cursor.
struct FollowingClient {
    let stage: Stage
    let house: House
    /// The password is typed into it.
    let command: [String]
    /// What it prints when the first snapshot has come.
    let greeting: String

    /// It follows through a kill of the daemon, and goes on after its own: nothing is missed, nothing is told anew.
    func followThroughKills() throws {
        var client = stage.start(command, input: House.password + "\n")
        func hear(_ text: String) throws {
            try stage.wait("\(command[0]) to hear: \(text)") { client.lines.contains { $0.contains(text) } }
        }
        try hear(greeting)
        try announce("one")
        try hear(#"{"text":"one"}"#)
        house.kill()
        try house.start()
        try announce("two")
        try hear(#"{"text":"two"}"#)
        client.kill()
        #expect(client.lines.count { $0.contains("activity.announced") } == 2)
        #expect(client.lines.count { $0.contains(#""snapshot":{"#) } == 1, "it went on from its cursor")
        try announce("three")
        client = stage.start(command, input: House.password + "\n")
        try hear(#"{"text":"three"}"#)
        client.kill()
        #expect(!client.lines.contains { $0.contains(#""snapshot":{"#) })
        // Killed between printing and keeping its cursor, it is told the last thing again.
        #expect((1...2).contains(client.lines.count { $0.contains("activity.announced") }), "\(client.lines)")
    }

    private func announce(_ text: String) throws {
        _ = try house.door(as: "ada").call("activity.announce", ["text": .string(text)])
    }
}
