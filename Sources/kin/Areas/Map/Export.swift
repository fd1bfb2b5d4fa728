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

/// Exports a history as a file, piece by piece as the daemon makes them.
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
        let path = call.words.first
        let count = try NewFile.takeOut("position.export", params, to: path, counting: "positions", call)
        if path != nil { call.answer(["points": .int(count)], phrase("export.done", ["n": count])) }
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
