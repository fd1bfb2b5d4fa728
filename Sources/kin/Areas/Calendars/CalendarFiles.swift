import Glibc
import KinCrypto
import KinModel
import KinWords

/// Writes calendars to files, imports them, and manages the addresses at which other programs read them.
enum CalendarFiles {
    /// Writes what the caller sees of a calendar, or of all, into a new file, or prints it.
    static func takeOut(_ call: Invocation) throws(Problem) {
        var params: JSON = [:]
        if let name = call.value("in") { params["calendar"] = .id(try CalendarCommands.find(name, call).id) }
        let path = call.words.dropFirst().first
        let count = try NewFile.takeOut("calendar.export", params, to: path, counting: "entries", call)
        if path != nil { call.answer(["entries": .int(count)], phrase("calendar.exported", ["n": count])) }
    }

    /// Imports a file batch by batch, and reports each event that was not taken unchanged.
    static func takeIn(_ call: Invocation) throws(Problem) {
        let path = call.words[1]
        var batches = CalendarBatches(try bytes(of: path))
        guard batches.count > 0 else {
            throw .failed(
                phrase(batches.isCalendar ? "calendar.file-empty" : "calendar.no-file", ["path": Plain.line(path)]))
        }
        var params: JSON = [:]
        if let name = call.value("in") { params["calendar"] = .id(try CalendarCommands.find(name, call).id) }
        let bar = ProgressBar(call.output, total: batches.count)
        let isLong = batches.count > CalendarBatches.itemsMax
        var report = CalendarReport()
        while let batch = batches.next() {
            if isLong { bar.show(report.count) }
            params["ics"] = .string(Base64.encode(batch.bytes))
            let result: JSON
            do throws(Problem) {
                result = try call.call("calendar.import", params, timeoutMilliseconds: 600_000)
            } catch {
                bar.clear()
                if report.count > 0 {
                    call.output.warn(phrase("calendar.import-broken", ["done": report.count, "n": batches.count]))
                }
                throw error
            }
            let lines = report.take(result, items: batch.items)
            guard !call.wantsJSON, !lines.isEmpty else { continue }
            bar.clear()
            call.output.say(lines)
        }
        bar.clear()
        call.answer(report.json, report.sentence)
    }

    /// The bytes of a file.
    private static func bytes(of path: String) throws(Problem) -> [UInt8] {
        func unreadable() -> Problem {
            .failed(phrase("file.unreadable", ["path": path, "reason": Problem.reason(errno)]))
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable() }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= mostBytes else { throw .failed(phrase("calendar.file-too-long", ["path": path])) }
        }
    }

    /// Bytes of a file. All of it is in memory, and the daemon gets it batch by batch.
    private static let mostBytes = 64 << 20

    /// Makes an address at which a calendar program reads a calendar.
    static func addFeed(_ call: Invocation) throws(Problem) {
        let site = try Site(call.door())
        var params: JSON = ["name": .string(call.words.dropFirst().joined(separator: " "))]
        if let name = call.value("in") { params["calendar"] = .id(try CalendarCommands.find(name, call).id) }
        var made = try call.call("calendar.addFeed", params)
        let address = "\(site.url)/feed/\(made["secret"]?.string ?? "").ics"
        let webcal = "webcal" + address.drop { $0 != ":" }
        if call.wantsJSON {
            made["address"] = .string(address)
            made["webcal"] = .string(webcal)
            return call.output.say(made)
        }
        call.output.say(address)
        call.output.say(phrase("calendar.feed-made"))
        call.output.say(phrase("calendar.feed-webcal"))
        call.output.say(webcal)
        site.sayReach(call, isForStrangers: true)
    }

    static func feeds(_ call: Invocation) throws(Problem) {
        let result = try call.call("calendar.feeds")
        if call.wantsJSON { return call.output.say(result) }
        let feeds = result["feeds"]?.array ?? []
        guard !feeds.isEmpty else { return call.output.say(phrase("calendar.no-feeds")) }
        LastList(call, "feeds")?.keep(feeds.compactMap { $0["id"]?.identifier })
        let calendars = (try call.call("calendar.list")["calendars"]?.array ?? []).compactMap(FamilyCalendar.init)
        let names = try People(call).names
        for (index, feed) in feeds.enumerated() {
            let calendar = calendars.first { $0.id == feed["calendar"]?.identifier }
            let of = calendar.map { names.calendar($0, Reader.here) } ?? phrase("calendar.feed-of-all")
            let used = feed["used"]?.instant.map { phrase("calendar.feed-used", ["time": LocalTime.near($0)]) }
            call.output.say(
                Plain.padded("\(index + 1)", 4) + Plain.line(feed["name"]?.string ?? "") + " · " + of + " · "
                    + (used ?? phrase("calendar.feed-unused")))
        }
    }

    static func removeFeed(_ call: Invocation) throws(Problem) {
        let ids = LastList(call, "feeds")?.ids ?? []
        guard let number = Int(call.words[1]), ids.indices.contains(number - 1) else {
            throw Problem(.refused, phrase("calendar.no-feed", ["number": Plain.line(call.words[1])]))
        }
        call.answer(
            try call.call("calendar.removeFeed", ["feed": .id(ids[number - 1])]), phrase("calendar.feed-removed"))
    }
}

/// The results for the events of a file.
struct CalendarReport {
    private var entries: [JSON] = []
    private var remarks: JSON?
    private var taken: Int64 = 0
    private var counts: [String: Int] = [:]
    /// The number of items that were examined.
    private(set) var count = 0

    /// Takes the answer to one batch. Answers a line for each event that was not taken unchanged, and for the file itself.
    mutating func take(_ result: JSON, items: Int) -> [String] {
        var lines: [String] = []
        for one in result["entries"]?.array ?? [] {
            var one = one
            let number = Int64(count) + (one["number"]?.int ?? 0)
            one["number"] = .int(number)
            entries.append(one)
            let outcome = one["outcome"]?.string ?? ""
            counts[outcome, default: 0] += 1
            let remarks = (one["remarks"]?.array ?? []).compactMap(\.string).map { Plain.line(Reader.here.refusal($0)) }
            guard !remarks.isEmpty else { continue }
            lines.append(
                phrase(
                    outcome == "refused" ? "calendar.event-refused" : "calendar.event-taken",
                    [
                        "number": number,
                        "name": one["name"]?.string.map { $0.isEmpty ? "" : " " + Plain.line($0) } ?? "",
                        "remarks": remarks.joined(separator: " "),
                    ]))
        }
        if remarks == nil, let said = result["remarks"] {
            remarks = said
            lines += (said.array ?? []).compactMap(\.string).map { Plain.line(Reader.here.refusal($0)) }
        }
        taken += result["taken"]?.int ?? 0
        count += items
        return lines
    }

    var json: JSON {
        .object(leavingOut: ["taken": .int(taken), "entries": .array(entries), "remarks": remarks])
    }

    var sentence: String {
        phrase(
            "calendar.imported",
            [
                "added": counts["added"] ?? 0, "changed": counts["changed"] ?? 0, "same": counts["same"] ?? 0,
                "refused": counts["refused"] ?? 0,
            ])
    }
}
