import Glibc
import KinLoop
import KinModel
import KinWords

extension Command {
    /// The map beneath, on the machine on which the daemon runs.
    static let map = Command(
        name: "map",
        usage: [
            "map [list] [--data DIR]", "map add FILE [--name NAME] [--data DIR] [--yes]",
            "map remove NAME [--data DIR]", "map source [URL] [--attribution TEXT] [--zoom N]", "map source on|off",
        ],
        options: [
            .value("name", "NAME"), .value("data", "DIR"), .flag("yes"), .value("attribution", "TEXT"),
            .value("zoom", "N"),
        ], words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try Regions(call).daemon(["--list-maps"])
            case ("add", 2): try Regions(call).add(call.words[1])
            case ("source", 1...2): try MapSourceCommand.run(call)
            case ("remove", 2): try Regions(call).daemon(["--remove-map", call.words[1]])
            default: throw call.misused
            }
        })
}

/// Regions beneath the map. Tiles are made from OpenStreetMap here, with the caller's rights, and not by the daemon: it
/// takes memory, minutes, and programs that read a stranger's file.
private struct Regions {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Has the daemon's program do it. If no data directory is named, it uses its own.
    func daemon(_ order: [String]) throws(Problem) {
        let order = order + (call.value("data").map { ["--data", $0] } ?? [])
        // The daemon's program writes English.
        let said = "\(Machine.environment("TMPDIR") ?? "/tmp")/kin-map-\(getpid())"
        let status = try Tool.run(Kinwired.path, order, .file(said))
        let bytes = (try? Files.read(said, max: 1 << 20)) ?? []
        unlink(said)
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let text = Reader.here.refusal(String(line))
            if status == 0 { call.output.say(text) } else { call.output.warn(text) }
        }
        guard status == 0 else { throw .failed(phrase("map.not-done")) }
    }

    func add(_ path: String) throws(Problem) {
        guard access(path, R_OK) == 0 else {
            throw .failed(phrase("file.unreadable", ["path": path, "reason": Problem.reason(errno)]))
        }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        if file.hasSuffix(".mbtiles") {
            return try install(path, name: call.value("name") ?? String(file.dropLast(".mbtiles".count)))
        }
        guard [".pbf", ".osm", ".osm.bz2", ".osm.gz"].contains(where: file.hasSuffix) else {
            throw .usage(phrase("map.unknown-file", ["file": Plain.line(file)]))
        }
        let missing = ["osmium": "osmium-tool", "tilemaker": "tilemaker"].filter { Tool.path($0.key) == nil }
        guard missing.isEmpty else {
            throw .failed(phrase("map.no-tools", ["packages": missing.values.sorted().joined(separator: " ")]))
        }
        let bytes = Files.size(of: path) ?? 0
        let estimate = Estimate(bytes: bytes)
        let size = phrase("map.size", ["mb": max(1, bytes >> 20), "tiles": max(1, estimate.tileBytes >> 20)])
        let time = phrase("map.time", ["n": estimate.minutes, "memory": estimate.memoryMB])
        if !call.has("yes") {
            call.output.say(size + " " + time)
            guard Input.isTerminal else { throw .usage(phrase("map.needs-yes")) }
            guard Input.confirms(call, phrase("map.go-on")) else { return call.output.say(phrase("map.left")) }
        }
        let name = call.value("name") ?? String(file.split(separator: ".").first ?? "region")
        let kitchen = try Kitchen(beside: path)
        defer { kitchen.clear() }
        let tiles = try kitchen.tiles(of: path) { step in
            if !call.wantsJSON { call.output.say(step) }
        }
        try install(tiles, name: name)
    }

    private func install(_ path: String, name: String) throws(Problem) {
        try daemon(["--add-map", path, "--map-name", name])
    }
}

/// The cost of making tiles, shown before it begins. It is estimated from two clipped extracts of cities and the sizes
/// that tilemaker's authors name: the tiles have about as many bytes as the extract, and 20 MB of it take a minute on
/// two cores.
struct Estimate {
    let bytes: Int
    var tileBytes: Int { bytes }
    var minutes: Int { max(1, bytes / (20 << 20)) }
    /// Nodes, ways and areas are held in memory: about ten times the extract.
    var memoryMB: Int { max(100, 10 * (bytes >> 20)) }
}
