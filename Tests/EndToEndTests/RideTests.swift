import KinModel
import Testing

@Suite(.serialized) struct RideTests {
    @Test func `four kinds of client follow a recorded ride through two deaths of the daemon`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        for name in ["bob", "carol", "dan"] { try house.join(name) }
        _ = try house.door(as: "bob").call("sharing.set", ["state": "on"])

        let token = try house.token("carol")
        let folder = stage.folder + "/python"
        let python = try PythonClient.command(PythonClient.debian, house, as: "carol", folder: folder)
        let watchers = Watcher.Kind.allCases.reversed().map { Watcher($0, house, token: token, python: python) }
        // Python first: its signing in is an event that the others shall see from the beginning or not at all.
        for watcher in watchers {
            try watcher.come()
            try stage.wait("the snapshot of \(watcher.kind)") {
                try watcher.look()
                return watcher.resets == 1
            }
        }
        let ride = Ride(stage, house, watchers)
        try ride.go()

        let fresh = try house.snapshot("carol")
        let bob = try #require(fresh.members.values.first { $0.username == "bob" })
        let first = try #require(watchers.first)
        let announced = first.events.filter { $0.type == "activity.announced" }.compactMap { $0.data["text"]?.string }
        #expect(announced == ride.announced)
        for watcher in watchers {
            #expect(watcher.resets == 1, "\(watcher.kind) went on from its cursors")
            #expect(watcher.durable == first.durable, "\(watcher.kind) carries what \(first.kind) carries")
            #expect(Set(watcher.durable).count == watcher.durable.count, "\(watcher.kind) carries each once")
            let positions = watcher.events.filter { $0.type == "position" }.compactMap { Position($0.data) }
            #expect(Set(positions.map(\.member)) == [bob.id])
            #expect(positions.last == fresh.positions[bob.id], "\(watcher.kind) ends where the ride ends")
            for (earlier, later) in zip(positions, positions.dropFirst()) {
                #expect(earlier.at < later.at, "\(watcher.kind) never goes backwards")
            }
            #expect(try watcher.folded() == fresh, "\(watcher.kind): snapshot + events = snapshot")
        }
    }
}

/// The ride itself: who is away when, and when the daemon dies.
private final class Ride {
    private let stage: Stage
    private let house: House
    private let watchers: [Watcher]
    private(set) var announced: [String] = []

    init(_ stage: Stage, _ house: House, _ watchers: [Watcher]) {
        (self.stage, self.house, self.watchers) = (stage, house, watchers)
    }

    private func watcher(_ kind: Watcher.Kind) -> Watcher {
        guard let watcher = watchers.first(where: { $0.kind == kind }) else {
            preconditionFailure("each kind is there")
        }
        return watcher
    }

    private func announce(_ text: String) throws {
        try stage.run("kin", "announce", text, "--as", "ada")
        announced.append(text)
    }

    /// Lets the ride go on until somebody who is here has seen more of it.
    private func goOn(_ points: Int, seenBy kind: Watcher.Kind) throws {
        let watcher = watcher(kind)
        try watcher.look()
        let before = watcher.events.count { $0.type == "position" }
        try stage.wait("\(kind) to see the ride go on") {
            for watcher in watchers { try watcher.look() }
            return watcher.events.count { $0.type == "position" } >= before + points
        }
    }

    /// Starts it with its last cursor. It follows before anything else happens: a sign-in may fail when the daemon dies in
    /// the middle of it, following may not.
    private func bring(_ kind: Watcher.Kind) throws {
        let watcher = watcher(kind)
        let before = watcher.messages.count
        try watcher.come()
        try stage.wait("\(kind) to follow again") {
            try watcher.look()
            return watcher.messages.count > before
        }
    }

    private func dieAndRise(_ text: String) throws {
        house.kill()
        try house.start()
        // These two are started with their last cursor (nc waits for its input when the other side is gone); the others
        // come back by themselves.
        for kind in [Watcher.Kind.lines, .events] {
            try watcher(kind).leave()
            try bring(kind)
        }
        try announce(text)
    }

    func go() throws {
        let ride = stage.start(
            ["kin", "import", Stage.fixtures + "/around-visnjan-with-car.gpx", "--speed", "30", "--as", "bob"])
        try goOn(8, seenBy: .tail)
        try announce("They are on their way.")

        try watcher(.lines).leave()
        try announce("nc is away.")
        try goOn(6, seenBy: .tail)
        try bring(.lines)

        try watcher(.events).leave()
        try goOn(4, seenBy: .lines)
        try announce("curl is away, and the daemon dies.")
        try dieAndRise("The daemon lives again.")
        try goOn(4, seenBy: .lines)

        try leavePython()
        try announce("Python is away.")
        try goOn(6, seenBy: .events)
        try bring(.python)

        try watcher(.tail).leave()
        try announce("tail is away, and the daemon dies again.")
        try goOn(4, seenBy: .events)
        try dieAndRise("The daemon lives for the third time.")
        try goOn(4, seenBy: .events)
        try bring(.tail)

        try stage.wait("the ride to end") { ride.status != nil }
        #expect(ride.status == 0, "\(ride.said)")
        #expect(ride.lines.contains { $0.hasPrefix("104 of 104 points were taken") }, "\(ride.lines)")
        try announce("They are there.")
        for watcher in watchers {
            try stage.wait("\(watcher.kind) to hear the end") {
                try watcher.look()
                return watcher.has(announced: "They are there.")
            }
        }
    }

    /// Killed between printing and keeping, it would be told again: what was received is what counts here.
    private func leavePython() throws {
        let python = watcher(.python)
        try python.leave()
        try Array((python.cursor ?? "").utf8).write(file: stage.folder + "/python/cursor")
    }
}
