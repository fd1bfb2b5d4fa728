import KinModel
import KinWords

/// The source of map pictures outside, which an admin names, allows and forbids.
enum MapSourceCommand {
    static func run(_ call: Invocation) throws(Problem) {
        let word = call.words.dropFirst().first
        let isSetting = word != nil || call.value("attribution") != nil || call.value("zoom") != nil
        guard isSetting else { return say(try call.call("map.source"), call) }
        let zoom = call.value("zoom")
        guard zoom.map({ Int64($0) != nil }) ?? true else { throw .usage(phrase("map.source.zoom")) }
        let address = word.flatMap { ["on", "off"].contains($0) ? nil : $0 }
        let result = try call.call(
            "map.setSource",
            .object(leavingOut: [
                "on": word.map { .bool($0 != "off") }, "address": address.map { .string($0) },
                "attribution": call.value("attribution").map { .string($0) },
                "zoomMax": zoom.flatMap { Int64($0) }.map { .int($0) },
            ]))
        say(result, call)
        if !call.wantsJSON, result["on"]?.bool == true { call.output.say(phrase("map.source.learns")) }
    }

    private static func say(_ result: JSON, _ call: Invocation) {
        if call.wantsJSON { return call.output.say(result) }
        guard result["on"]?.bool == true else { return call.output.say(phrase("map.source.off")) }
        call.output.say(
            phrase(
                "map.source.on",
                [
                    "address": Plain.line(result["address"]?.string ?? ""),
                    "attribution": Plain.line(result["attribution"]?.string ?? ""),
                    "zoom": "\(result["zoomMax"]?.int ?? 0)",
                ]))
    }
}
