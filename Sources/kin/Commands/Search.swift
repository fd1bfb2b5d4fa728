import KinCalendar
import KinModel
import KinWords

extension Command {
    static let search = Command(
        name: "search", usage: ["search WORDS… [--kind THING,…] [--before DAY] [--limit COUNT]"],
        options: [.value("kind", "THING,…"), .value("before", "DAY"), .value("limit", "COUNT")], words: 1...100,
        run: { (call) throws(Problem) in
            var params: JSON.Object = ["words": .string(call.words.joined(separator: " "))]
            if let kinds = call.value("kind") {
                params["kinds"] = .array(
                    kinds.split(separator: ",").map { .string($0.filter { !$0.isWhitespace }.lowercased()) })
            }
            if let day = call.value("before") { params["until"] = .time(try SearchScreen.start(of: day)) }
            if let text = call.value("limit") {
                guard let limit = Int64(text), (1...50).contains(limit) else {
                    throw .usage(phrase("search.bad-limit"))
                }
                params["limit"] = .int(limit)
            }
            let result = try call.call("search.find", .object(params))
            if call.wantsJSON { return call.output.say(result) }
            try SearchScreen.show(result, call)
        })
}

/// The results of a search, in lines.
private enum SearchScreen {
    /// The beginning of a day that people type.
    static func start(of day: String) throws(Problem) -> Instant {
        let zone = LocalTime.zone ?? .utc
        guard let civil = Civil(day + "T00:00") else {
            return try TypedTime.moment(day, now: LocalTime.now, zone: zone)
        }
        switch zone.instant(of: civil) {
        case .one(let instant), .repeated(let instant, _), .skipped(_, let instant): return instant
        }
    }

    static func show(_ result: JSON, _ call: Invocation) throws(Problem) {
        let hits = result["hits"]?.array ?? []
        if result["isWhole"]?.bool == false { call.output.say(phrase("search.filling")) }
        guard !hits.isEmpty else {
            return call.output.say(phrase(result["next"] == nil ? "search.none" : "search.none-yet"))
        }
        let names = try People(call).names
        for hit in hits {
            let head = [
                phrase("search.kind.\(hit["kind"]?.string ?? "")"), hit["author"]?.identifier.map { names.member($0) },
                hit["at"]?.instant.map { hit["isDay"]?.bool == true ? LocalTime.wholeDay($0) : LocalTime.near($0) },
            ].compactMap(\.self).joined(separator: " · ")
            call.output.say(call.output.styled(head, "2"))
            for (text, highlights) in [("title", "titleHighlights"), ("snippet", "highlights")] {
                guard let said = hit[text]?.string else { continue }
                call.output.say("    " + highlighted(said, hit[highlights]?.array ?? [], call))
            }
        }
        if result["next"] != nil, let last = hits.last?["at"]?.instant {
            call.output.say(phrase("search.more", ["time": LocalTime.near(last)]))
        }
    }

    /// A text with its matches in bold, if the terminal has colours.
    private static func highlighted(_ text: String, _ highlights: [JSON], _ call: Invocation) -> String {
        let units = Array(text.utf16)
        func part(_ from: Int, _ to: Int) -> String { Plain.line(String(decoding: units[from..<to], as: UTF16.self)) }
        var (out, at) = ("", 0)
        for highlight in highlights {
            guard let ends = highlight.array, ends.count == 2, let from = ends[0].int, let to = ends[1].int,
                at <= Int(from), from <= to, Int(to) <= units.count
            else { continue }
            out += part(at, Int(from)) + call.output.styled(part(Int(from), Int(to)), "1")
            at = Int(to)
        }
        return out + part(at, units.count)
    }
}
