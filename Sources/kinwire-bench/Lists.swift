import KinClient
import KinKeeper
import KinModel
import KinStore

/// What lists, the inbox and a search cost after ten years of meetings, beside the same queries of a family that has
/// none.
enum Lists {
    private static let queries: [(name: String, method: String, params: JSON)] = [
        ("invitations", "meeting.list", ["view": "invitations"]), ("hosting", "meeting.list", ["view": "hosting"]),
        ("coming", "meeting.list", ["view": "coming"]), ("past", "meeting.list", ["view": "past", "limit": 1]),
        ("past, a page of 20", "meeting.list", ["view": "past", "limit": 20]),
        ("search, one word", "meeting.list", ["view": "past", "words": "football", "limit": 1]),
        ("search, no hit", "meeting.list", ["view": "past", "words": "submarine"]),
        ("inbox, the newest", "activity.list", ["limit": 1]), ("inbox, a page of 20", "activity.list", ["limit": 20]),
    ]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = if let keep = options.keep { try Place(keeping: keep) } else { try Place(in: options.directory) }
        say("Making a family of \(MeetingDecade.meetings) meetings; this takes a minute.")
        try MeetingDecade.build(place.path + "/ten-years", meetings: MeetingDecade.meetings)
        try MeetingDecade.build(place.path + "/empty", meetings: 0)
        let old = try House(place.path + "/ten-years", options)
        let young = try House(place.path + "/empty", options)
        // Answers are read and not parsed, so that a client's work is no part of it.
        let asked = try old.client(.lines, token: try old.signIn(), follows: false)
        let compared = try young.client(.lines, token: try young.signIn(), follows: false)
        let count = options.count ?? 500
        var report = Report("\(MeetingDecade.meetings) meetings in ten years, p99 in microseconds")
        for query in queries {
            var best: (ratio: Double, ours: Double, floor: Double)?
            for _ in 0..<options.rounds {
                var (ours, floor): ([Double], [Double]) = ([], [])
                for _ in 0..<count {
                    floor.append(try compared.time(query.method, query.params))
                    ours.append(try asked.time(query.method, query.params))
                }
                let ratio = ours.percentile(0.99) / floor.percentile(0.99)
                if ratio < best?.ratio ?? .infinity {
                    best = (ratio, ours.percentile(0.99), floor.percentile(0.99))
                }
            }
            guard let best else { continue }
            report.add(
                query.name, best.ours.rounded(0), floor: "empty \(best.floor.rounded(0))",
                verdict: "\(best.ratio.rounded(2)) x (goal: at most 3)")
        }
        return report
    }
}
