import KinClient
import KinLoop
import KinModel

extension Command {
    static let tail = Command(
        name: "tail",
        usage: ["tail [--since CURSOR|10m|18:00|yesterday] [--name NAME] [--types TYPE,…]"],
        options: [
            .value("since", "WHEN"),
            .value("name", "NAME"),
            .value("types", "TYPES"),
        ],
        words: 0...0, run: { (call) throws(Problem) in try Tail(call).run() })
}

/// One `kin tail`.
private final class Tail {
    private let call: Invocation
    private let output: Output
    private let door: Door
    private var names = Names()
    private var cursor: String?
    private var mark: Mark?

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        output = call.output
        door = try call.door()
    }

    func run() throws(Problem) {
        let interruption = try Interruption.watch()
        let since = try startingPoint()
        // Without a snapshot to begin with, names have to be asked for.
        if since != nil, !call.wantsJSON { names = (try? People(call))?.names ?? Names() }
        if let mark { output.onGone = { mark.keep() } }
        let types = call.value("types").map { $0.split(separator: ",").map { String($0) } }
        let follower = Follower(credential: door.credential, since: since, types: types)
        let client = FollowingClient(
            follower, address: door.address, trust: door.trust, wantsMessages: call.wantsJSON,
            interruption: interruption)
        defer { mark?.keep() }
        while true {
            let news = client.next(timeoutMilliseconds: mark == nil ? nil : 5000)
            switch news {
            case .message(let message): if isOfStream(message) { output.say(message) }
            case .event(let event):
                names.learn(event.data)
                if !call.wantsJSON { output.say(line(event)) }
                mark?.reached(event.cursor)
            case .reset(let snapshot):
                names.learn(snapshot)
                if let cursor = client.follower.cursor { mark?.reached(cursor) }
            case .caughtUp(let cursor): mark?.reached(cursor)
            case .lost(let sentence, let milliseconds):
                let wait =
                    milliseconds < 1000
                    ? phrase("tail.at-once")
                    : phrase("tail.in", ["span": Words.span(seconds: Int64(milliseconds / 1000))])
                output.warn(phrase("tail.lost", ["sentence": sentence, "wait": wait]))
            case .back(withoutGap: true): output.warn(phrase("tail.back"))
            case .back(withoutGap: false):
                output.warn(phrase("tail.gap"))
            case .nothing: break
            case .interrupted: return
            case .stopped(.refused(let rejection)): throw Problem(rejection)
            case .stopped(.closed(let closing)): throw Problem(.closed(closing))
            }
            if let mark, mark.isDue, let cursor = mark.cursor {
                if client.tell("live.mark", ["name": .string(mark.name), "cursor": .string(cursor)]) { mark.told() }
            }
        }
    }

    /// `--since`, else where the name stands, else now.
    private func startingPoint() throws(Problem) -> String? {
        var since: String?
        if let name = call.value("name") {
            mark = Mark(name, door)
            since = try call.call("live.mark", ["name": .string(name)])["cursor"]?.string
        }
        guard let text = call.value("since") else { return since }
        guard let time = Words.behind(text, now: LocalTime.now) else { return text }
        return try call.call("live.at", ["time": .time(time)])["cursor"]?.string
    }

    /// Everything but answers to what was asked beside following (signing in, marks).
    private func isOfStream(_ message: [UInt8]) -> Bool {
        !message.starts(with: Self.answer) || message.starts(with: Self.followAnswer)
    }
    private static let answer = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let followAnswer = Array(#"{"jsonrpc":"2.0","id":2,"#.utf8)

    private func line(_ event: Event) -> String {
        let time = LocalTime.short(event.at)
        let text = Plain.wrapped("\(time) \(Sentence.of(event, names))", output.width, indent: time.count + 1)
        guard output.isColoured else { return text }
        return output.styled(time, "2") + text.dropFirst(time.count)
    }
}
