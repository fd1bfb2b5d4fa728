import KinModel

extension Command {
    static let clock = Command(
        name: "clock", usage: ["clock", "clock trust"], words: 0...1,
        run: { (call) throws(Problem) in
            switch call.words.first {
            case nil:
                let result = try call.call("daemon.status")
                if call.wantsJSON { return call.output.say(result["clock"] ?? .null) }
                call.output.say(ClockLine(result["clock"]).text)
            case "trust":
                let result = try call.call("clock.trust")
                let time = result["time"]?.instant.map { LocalTime.long($0) } ?? "?"
                call.answer(result, phrase("clock.trusted", ["time": time]))
            default: throw call.misused
            }
        })
}

/// The state of the daemon's clock, in words.
struct ClockLine {
    let text: String
    let isDoubted: Bool

    init(_ clock: JSON?) {
        let doubt = clock?["doubt"]
        let why = doubt?["why"]?.string
        isDoubted = why != nil
        func time(_ json: JSON?) -> String { json?.instant.map { LocalTime.long($0) } ?? "?" }
        guard let why else {
            let isSynchronised = clock?["isSynchronised"]?.bool == true
            text = phrase(
                isSynchronised ? "status.clock.synchronised" : "status.clock.alone", ["time": time(clock?["time"])])
            return
        }
        let known = ["jumped", "behind", "ahead"].contains(why) ? why : "jumped"
        text = phrase(
            "status.clock.doubted",
            [
                "time": time(doubt?["since"]),
                "why": phrase(
                    "status.clock.\(known)", ["says": time(doubt?["says"]), "time": time(clock?["time"])]),
            ])
    }
}
