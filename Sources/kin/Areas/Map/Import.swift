import KinClient
import KinCrypto
import KinLoop
import KinModel

extension Command {
    static let importTrack = Command(
        name: "import",
        usage: ["import FILE.gpx [--speed N | --at-once] [--keep-times] [--as MEMBER]"],
        options: [
            .value("speed", "N"),
            .flag("at-once"),
            .flag("keep-times"),
            .value("device", "NAME"),
            .value("username", "NAME"),
        ] + Option.password,
        words: 1...1, run: { (call) throws(Problem) in try Importing(call).run() })
}

private final class Importing {
    private let call: Invocation
    private let path: String

    init(_ call: Invocation) {
        self.call = call
        path = call.words[0]
    }

    func run() throws(Problem) {
        let pace = try pace()
        let track = try Track(path: path)
        let door = try call.door()
        guard let username = call.value("username") ?? door.username else {
            throw .usage(phrase("import.whose"))
        }
        let interruption = try Interruption.watch()
        let device = call.value("device") ?? String(path.split(separator: "/").last ?? "gpx").prefix(64).description
        var appPassword: JSON?
        let password: String
        if call.has("password-file") || call.has("password-stdin") {
            password = try Input.password(call, isNew: false)
        } else {
            let made = try call.call(
                "appPassword.create",
                ["device": .string("import of \(device)".prefix(60).description), "scope": "report"])
            appPassword = made["id"]
            password = made["password"]?.string ?? ""
        }
        let replay = Replay(
            track: track, pace: pace, keepsTimes: call.has("keep-times"), began: LocalTime.now)
        let postbox = Postbox(
            door, username: username, password: password, device: device, interruption: interruption)
        var taken = 0
        let outcome: Problem?
        do throws(Problem) {
            taken = try post(replay, postbox, interruption)
            outcome = nil
        } catch { outcome = error }
        if let appPassword { forget(appPassword) }
        if let outcome { throw outcome }
        report(taken: taken, track: track, retries: postbox.retries)
        guard taken == track.points.count else {
            throw .failed(phrase("import.interrupted", ["n": track.points.count - taken]))
        }
    }

    private func pace() throws(Problem) -> Replay.Pace {
        guard !call.has("at-once") else {
            guard call.value("speed") == nil else { throw .usage(phrase("import.speed-and-at-once")) }
            return .atOnce
        }
        guard let text = call.value("speed") else { return .live(speed: 1) }
        guard let speed = Double(text), speed.isFinite, (0.01...100_000).contains(speed) else {
            throw .usage(phrase("import.speed-number"))
        }
        return .live(speed: speed)
    }

    /// Posts the points in order. Answers how many were accepted before the end or an interruption.
    private func post(_ replay: Replay, _ postbox: Postbox, _ interruption: Wakeup) throws(Problem) -> Int {
        let bar = ProgressBar(call.output, total: replay.track.points.count)
        defer { bar.clear() }
        let id = Hex.encode(Randomness.bytes(4))
        for index in replay.track.points.indices {
            let wait = replay.due(index).milliseconds(since: LocalTime.now)
            if wait > 0, interruption.wait(timeoutMilliseconds: Int(clamping: wait)) { return index }
            guard try postbox.post(replay.message(index, id: id)) == .taken else { return index }
            bar.show(index + 1)
        }
        return replay.track.points.count
    }

    /// It uses a connection of its own: an import can take hours, and the daemon may have been restarted meanwhile.
    private func forget(_ id: JSON) {
        guard let conversation = try? call.talkAnew() else { return }
        _ = try? conversation.call("appPassword.revoke", ["appPassword": id], timeoutMilliseconds: 5000)
    }

    private func report(taken: Int, track: Track, retries: Int) {
        if call.wantsJSON {
            return call.output.say([
                "taken": .int(Int64(taken)), "points": .int(Int64(track.points.count)),
                "leftOut": .int(Int64(track.leftOut)), "retries": .int(Int64(retries)),
            ])
        }
        var sentence = phrase("import.taken", ["taken": taken, "n": track.points.count])
        if track.leftOut > 0 { sentence += "; " + phrase("import.left-out", ["n": track.leftOut]) }
        if retries > 0 { sentence += "; " + phrase("import.retries", ["n": retries]) }
        call.output.say("\(sentence).")
    }
}
