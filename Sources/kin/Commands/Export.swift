import Glibc
import KinModel

extension Command {
    static let exportTrack = Command(
        name: "export", usage: ["export [FILE.gpx] [--gpx] [--from WHEN] [--to WHEN]"],
        options: [.flag("gpx"), .value("from", "WHEN"), .value("to", "WHEN")], words: 0...1,
        run: { (call) throws(Problem) in
            let now = LocalTime.now
            func time(_ name: String, _ assumed: Instant) throws(Problem) -> Instant {
                guard let text = call.value(name) else { return assumed }
                guard let time = Words.behind(text, now: now) else {
                    throw .usage(phrase("usage.no-time", ["option": "--\(name)", "text": Plain.line(text)]))
                }
                return time
            }
            let from = try time("from", .earliest)
            let to = try time("to", now)
            guard let username = try call.door().username,
                let me = try People(call).members.first(where: { $0.username == username })
            else { throw .usage(phrase("export.whose")) }
            let file = try call.words.first.map { (path) throws(Problem) in try TrackFile(path) }
            let writer = TrackWriter()
            var params: JSON = ["member": .id(me.id), "from": .time(from), "to": .time(to)]
            var count = 0
            let put = { (text: String) throws(Problem) in
                if let file { try file.write(text) } else { call.output.say(Array(text.utf8)) }
            }
            try put(writer.head(of: Plain.line(me.displayName)))
            while true {
                let page = try call.call("position.history", params)
                for position in (page["positions"]?.array ?? []).compactMap(Position.init) {
                    try put(writer.point(position))
                    count += 1
                }
                guard page["more"]?.bool == true, let next = page["next"] else { break }
                params["after"] = next
            }
            try put(writer.tail)
            if file != nil { call.answer(["points": .int(Int64(count))], phrase("export.done", ["n": count])) }
        })
}

/// A new file for a track; one that is there is never written over.
private final class TrackFile {
    private let path: String
    private let descriptor: CInt

    init(_ path: String) throws(Problem) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failed(path) }
    }

    deinit { close(descriptor) }

    private static func failed(_ path: String) -> Problem {
        errno == EEXIST
            ? .failed(phrase("file.exists", ["path": path]))
            : .failed(phrase("file.unwritable", ["path": path]) + ": \(String(cString: strerror(errno))).")
    }

    func write(_ text: String) throws(Problem) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failed(path) }
            rest = rest.dropFirst(count)
        }
    }
}
