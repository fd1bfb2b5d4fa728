import Glibc
import KinClient
import KinLoop
import KinModel

/// How often the daemon asks the allocator for memory: for a delivery, for a connection that signs in and follows, for a
/// command. Counted by the C library's own trace (mtrace(3)), so it is the same however busy the machine is.
enum Allocations {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let announcements = options.count ?? 10
        let step = options.clients ?? 50
        let batches = 3
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options, counted: true, traced: place.path + "/trace")
        try house.found()
        let token = try house.signIn()
        let sender = try house.client(.lines, token: token, follows: false)
        var followers: [LeanClient] = []
        func follow() throws(Trouble) {
            for _ in 0..<step { followers.append(try house.client(.webSocket, token: token, follows: true)) }
        }
        func allocations(_ act: () throws(Trouble) -> Void) throws(Trouble) -> Int {
            let before = try count(house, place)
            try act()
            return try count(house, place) - before
        }
        func announce() throws(Trouble) {
            for _ in 0..<announcements {
                try sender.ask("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
                for follower in followers { try follower.waitForEvent() }
            }
        }
        // The least of three, of deliveries and of connections: the daemon's upkeep comes in between, and asks for more than
        // a command does; and a loop that is woken more often for the same bytes asks more often.
        func announced() throws(Trouble) -> Int {
            var least = Int.max
            for _ in 1...3 { least = min(least, try allocations(announce)) }
            return least
        }
        try follow()
        try announce()
        try house.syncs(asking: "trace")
        let few = try announced()
        var connections = Int.max
        for _ in 1...batches { connections = min(connections, try allocations(follow)) }
        try announce()
        let many = try announced()
        let aDelivery = Double(many - few) / Double(batches * step * announcements)
        let aCommand = Double(few) / Double(announcements) - aDelivery * Double(step)
        let aConnection = Double(connections) / Double(step)
        var report = Report("Calls of the allocator, \(step) and \((1 + batches) * step) followers")
        for (name, value) in [("a delivery", aDelivery), ("a command", aCommand), ("a connection", aConnection)] {
            report.add(name, value.rounded(2))
            report.note(name + ", exactly", value)
        }
        return report
    }

    /// How many lines say that something was given out (`+`) or moved (`>`).
    private static func count(_ house: House, _ place: Place) throws(Trouble) -> Int {
        try house.syncs(asking: "flush")
        guard let file = fopen(place.path + "/trace", "r") else {
            throw Trouble("The C library traces no allocations here.")
        }
        defer { fclose(file) }
        var count = 0
        var buffer = [CChar](repeating: 0, count: 1024)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            if strstr(buffer, "] + 0x") != nil || strstr(buffer, "] > 0x") != nil { count += 1 }
        }
        return count
    }
}

extension LeanClient {
    /// Waits for an event; what else arrives is dropped.
    fileprivate func waitForEvent() throws(Trouble) {
        while true {
            try wait()
            if try messages().contains(where: LeanClient.isEvent) { return }
        }
    }
}
