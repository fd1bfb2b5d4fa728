import Glibc
import KinModel
import KinWords

extension Command {
    static let exportTrack = Command(
        name: "export",
        usage: ["export [FILE] [--gpx | --geojson] [--member MEMBER] [--from WHEN] [--to WHEN]"],
        options: [
            .flag("gpx"), .flag("geojson"), .value("member", "MEMBER"), .value("from", "WHEN"), .value("to", "WHEN"),
        ], words: 0...1, run: { (call) throws(Problem) in try Exporting(call).run() })
}

/// Takes a history out as a file, piece by piece as the daemon makes them.
private struct Exporting {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(Problem) {
        let now = LocalTime.now
        var params: JSON = ["format": .string(try format())]
        for name in ["from", "to"] {
            guard let text = call.value(name) else { continue }
            guard let time = Words.behind(text, now: now) else {
                throw .usage(phrase("usage.no-time", ["option": "--\(name)", "text": Plain.line(text)]))
            }
            params[name] = .time(time)
        }
        params["member"] = .id(try whose())
        // What may not be taken out leaves no file behind.
        var piece = try call.call("position.export", params)
        let file = try call.words.first.map { (path) throws(Problem) in try TrackFile(path) }
        var count: Int64 = 0
        while true {
            let text = piece["text"]?.string ?? ""
            count += piece["positions"]?.int ?? 0
            if let file {
                try file.write(text)
            } else if !text.isEmpty {
                call.output.say(Array(text.utf8.dropLast()))
            }
            guard let next = piece["next"] else { break }
            params["after"] = next
            piece = try call.call("position.export", params)
        }
        file?.keep()
        if file != nil { call.answer(["points": .int(count)], phrase("export.done", ["n": count])) }
    }

    private func format() throws(Problem) -> String {
        guard !(call.has("gpx") && call.has("geojson")) else { throw .usage(phrase("export.one-form")) }
        if call.has("geojson") { return "geojson" }
        if call.has("gpx") { return "gpx" }
        let path = call.words.first?.lowercased() ?? ""
        return path.hasSuffix(".geojson") || path.hasSuffix(".json") ? "geojson" : "gpx"
    }

    private func whose() throws(Problem) -> Identifier {
        let people = try People(call)
        if let name = call.value("member") { return try people.member(name).id }
        guard let username = try call.door().username,
            let me = people.members.first(where: { $0.username == username })
        else { throw .usage(phrase("export.whose")) }
        return me.id
    }
}

/// A new file for a track; one that is there is never written over, and one that was not finished does not stay.
private final class TrackFile {
    private let path: String
    private let descriptor: CInt
    private var isWhole = false

    init(_ path: String) throws(Problem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Thrown before there is a file of ours to remove: what lies at the path stays.
        guard descriptor >= 0 else { throw Self.failed(path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if !isWhole { unlink(path) }
    }

    private static func failed(_ path: String) -> Problem {
        errno == EEXIST
            ? .failed(phrase("file.exists", ["path": path]))
            : .failed(phrase("file.unwritable", ["path": path]) + ": \(String(cString: strerror(errno))).")
    }

    func keep() { isWhole = true }

    func write(_ text: String) throws(Problem) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failed(path) }
            rest = rest.dropFirst(count)
        }
    }
}
