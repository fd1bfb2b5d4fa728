import KinLoop
import KinModel
import KinWords

/// The state of the daemon on one screen. It has a line for each thing, with a mark if somebody should look at it.
struct StatusScreen {
    private enum Mood: String {
        case well = "32"
        case watch = "33"
        case bad = "31"
    }
    private struct Row {
        let key: String
        let text: String
        var mood = Mood.well
    }

    /// Days before its end at which a certificate gets a mark, and days after which the last backup does.
    static let certificateDays: Int64 = 14
    static let backupDays: Int64 = 8
    /// Followers that are more than this many seconds behind count as slow.
    static let lagSeconds: Int64 = 10

    private let title: String
    private var rows: [Row] = []

    init(_ status: JSON, isFounded: Bool = true, address: String, now: Instant) {
        let version = Plain.line(status["version"]?.string ?? "?")
        let since = status["startedAt"]?.instant.map { Words.span(seconds: max(0, now.milliseconds(since: $0) / 1000)) }
        title = phrase("status.title", ["version": version, "address": address, "span": since ?? "?"])
        let none = phrase("status.family.none", ["kin": Machine.typed("kin")])
        rows = [
            isFounded ? nil : Row(key: "family", text: none, mood: .watch), urls(status["urls"]),
            clients(status["clients"]), followers(status["followers"]), log(status["log"]),
            disk(status["disk"]),
            clock(status["clock"]), used(status["used"]), certificate(status["certificate"], now),
            backup(status["lastBackup"], now),
        ].compactMap { $0 }
    }

    func lines(_ width: Int?, isColoured: Bool) -> [String] {
        let names = rows.map { Plain.columns(phrase("status.\($0.key)")) }.max() ?? 0
        var lines = [Plain.wrapped(title, width, indent: 2), ""]
        for row in rows {
            let mark = row.mood == .well ? "  " : "! "
            let text = mark + Plain.padded(phrase("status.\(row.key)"), names) + "  " + row.text
            let line = Plain.wrapped(text, width, indent: names + 4)
            lines.append(isColoured && row.mood != .well ? "\u{1B}[\(row.mood.rawValue)m\(line)\u{1B}[0m" : line)
        }
        return lines
    }

    private func urls(_ urls: JSON?) -> Row? {
        guard let urls = urls?.array?.compactMap(\.string), !urls.isEmpty else { return nil }
        return Row(key: "urls", text: urls.map { Plain.line($0) }.joined(separator: ", "))
    }

    private func clients(_ clients: JSON?) -> Row? {
        guard let clients = clients?.object else { return nil }
        let counts = ["webSocket", "lines", "serverSentEvents", "ndjson", "http", "unix"].map {
            ($0, clients[$0]?.int ?? 0)
        }
        let kinds = counts.filter { $0.1 > 0 }.map { phrase("status.clients.\($0.0)", ["n": $0.1]) }
        let total = phrase("status.clients.total", ["n": counts.reduce(0) { $0 + $1.1 }])
        return Row(key: "clients", text: kinds.isEmpty ? total : "\(total): \(kinds.joined(separator: ", "))")
    }

    private func followers(_ followers: JSON?) -> Row? {
        guard let followers, let count = followers["count"]?.int else { return nil }
        let behind = followers["behindMax"]?.int ?? 0
        guard behind > 0 else { return Row(key: "followers", text: phrase("status.followers.even", ["n": count])) }
        let seconds = followers["secondsBehindMax"]?.int ?? 0
        return Row(
            key: "followers",
            text: phrase(
                "status.followers.behind", ["n": count, "events": behind, "span": Words.span(seconds: seconds)]),
            mood: seconds > Self.lagSeconds ? .watch : .well)
    }

    private func log(_ log: JSON?) -> Row? {
        guard let rows = log?["rows"]?.int else { return nil }
        return Row(
            key: "log", text: phrase("status.log.size", ["n": rows, "size": Words.bytes(log?["bytes"]?.int ?? 0)]))
    }

    private func disk(_ disk: JSON?) -> Row? {
        guard let disk else { return nil }
        let used = (disk["databaseBytes"]?.int ?? 0) + (disk["walBytes"]?.int ?? 0)
        let free = disk["freeBytes"]?.int.map { Words.bytes($0) } ?? "?"
        let isShort = disk["isShort"]?.bool == true
        return Row(
            key: "disk",
            text: phrase(
                isShort ? "status.disk.short" : "status.disk.free", ["used": Words.bytes(used), "free": free]),
            mood: isShort ? .bad : .well)
    }

    private func clock(_ clock: JSON?) -> Row? {
        guard let clock, clock.object != nil else { return nil }
        let line = ClockLine(clock)
        return Row(key: "clock", text: line.text, mood: line.isDoubted ? .bad : .well)
    }

    /// The totals that all members used together. Nothing is shown of a single member.
    private func used(_ used: JSON?) -> Row? {
        guard let used = used?.object else { return nil }
        func counts(_ names: [String]) -> [String] {
            names.map { phrase("status.used.\($0)", ["n": used[$0]?.int ?? 0]) }
        }
        let today = CommandArea.all.flatMap { counts($0.used.today) }
        let inAll = CommandArea.all.flatMap { counts($0.used.inAll) }
        return Row(
            key: "used",
            text: phrase(
                "status.used.sums",
                ["today": today.joined(separator: ", "), "total": inAll.joined(separator: ", ")]))
    }

    private func certificate(_ certificate: JSON?, _ now: Instant) -> Row? {
        guard let until = certificate?["notAfter"]?.instant else {
            return Row(key: "certificate", text: phrase("status.certificate.none"))
        }
        let kind = certificate?["isOwn"]?.bool == true ? "own" : "given"
        let isNear = until < now.adding(days: Self.certificateDays)
        return Row(
            key: "certificate",
            text: phrase(
                until < now ? "status.certificate.ended" : "status.certificate.\(kind)",
                ["date": LocalTime.day(until), "age": Words.age(until, now: now)]),
            mood: until < now ? .bad : isNear ? .watch : .well)
    }

    private func backup(_ backup: JSON?, _ now: Instant) -> Row? {
        guard let at = backup?["at"]?.instant else {
            return Row(key: "backup", text: phrase("status.backup.none"), mood: .watch)
        }
        let size = Words.bytes(backup?["bytes"]?.int ?? 0)
        let isOld = at < now.adding(days: -Self.backupDays)
        return Row(
            key: "backup",
            text: phrase(
                "status.backup.made", ["age": Words.age(at, now: now), "time": LocalTime.long(at), "size": size]),
            mood: isOld ? .watch : .well)
    }
}
