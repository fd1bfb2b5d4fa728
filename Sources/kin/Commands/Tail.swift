import KinClient
import KinCodec
import KinLoop
import KinModel
import KinWords

extension Command {
    static let tail = Command(
        name: "tail",
        usage: [
            "tail [--since CURSOR|10m|18:00|yesterday] [--name NAME] [--types TYPE,…] [--without TYPE,…] [--notify]",
            "tail --numbers",
        ]
            + CommandArea.all.flatMap(\.filters).map { "tail --\($0.option) \($0.placeholder)" },
        options: [
            .value("since", "WHEN"),
            .value("name", "NAME"),
            .value("types", "TYPES"), .value("without", "TYPES"), .flag("notify"),
            .flag("numbers"),
        ] + CommandArea.all.flatMap(\.filters).map { .value($0.option, $0.placeholder) },
        words: 0...0, run: { (call) throws(Problem) in try Tail(call).run() })
}

/// One run of `kin tail`.
final class Tail {
    private let call: Invocation
    private let output: Output
    private let door: Door
    private var names = Names()
    private var cursor: String?
    private var mark: Mark?
    private var notices: Notices?
    private let desktop = Desktop()
    private let types: EventTypes
    /// The lines on a terminal that can be written anew.
    private var lines: TailLines?
    /// Whether events that only repeat another one are wanted. They are if types were named.
    private let wantsEchoes: Bool
    /// The one thing that events must be about, if one was named.
    private let about: String?

    init(_ call: Invocation) throws(Problem) {
        self.call = call
        output = call.output
        door = try call.door()
        types = try EventTypes(call, door)
        wantsEchoes = types.wanted != nil
        var about: String?
        for filter in CommandArea.all.flatMap(\.filters) {
            if let text = call.value(filter.option) { about = try filter.about(call, text) }
        }
        self.about = about
        if output.canRewrite, !call.wantsJSON { lines = TailLines() }
    }

    func run() throws(Problem) {
        for area in CommandArea.all { area.prepare(call, &names) }
        let interruption = try Interruption.watch()
        if !call.wantsJSON, let sentence = try? CommandArea.forewarning(call) { output.warn(sentence) }
        let since = try startingPoint()
        // Without a snapshot at the beginning, names must be asked for.
        if since != nil, !call.wantsJSON || call.has("notify") {
            names = startingNames()
            for area in CommandArea.all { area.prepare(call, &names) }
            if !call.wantsJSON { ask(nil) }
        }
        if call.has("notify") { notices = Notices(isCatchingUp: since != nil) }
        if let mark { output.onGone = { mark.keep() } }
        let follower = Follower(credential: door.credential, since: since, types: types.wanted)
        let client = FollowingClient(
            follower, address: door.address, trust: door.trust, wantsMessages: call.wantsJSON,
            interruption: interruption)
        defer { mark?.keep() }
        // Whether nothing was heard yet. A reset then means that the daemon cannot go on from the given beginning.
        var isFirst = true
        while true {
            switch client.next(timeoutMilliseconds: timeout) {
            case .message(let message):
                if isOfStream(message), !types.leavesOut(message), isMeant(message) { output.say(message) }
            case .event(let event):
                isFirst = false
                heard(event)
            case .reset(let snapshot):
                if isFirst, let typed = call.value("since"), Self.isCursor(typed), !call.wantsJSON {
                    throw Self.unknown(typed)
                }
                names.learn(snapshot)
                if !call.wantsJSON { ask(nil) }
                if isFirst { begins() }
                isFirst = false
                if let cursor = client.follower.cursor { mark?.reached(cursor) }
            case .caughtUp(let cursor):
                if isFirst { begins() }
                isFirst = false
                notices?.caughtUp()
                mark?.reached(cursor)
            case .lost(let sentence, let milliseconds): lost(sentence, milliseconds)
            case .back(withoutGap: true): warn(phrase("tail.back"))
            case .back(withoutGap: false):
                warn(phrase("tail.gap"))
                notices?.caughtUp()
            case .passing, .nothing: break
            case .interrupted: return
            case .stopped(.refused(let rejection)): throw Problem(rejection)
            case .stopped(.closed(let closing)): throw Problem(.closed(closing))
            }
            tell()
            if let mark, mark.isDue, let cursor = mark.cursor {
                if client.tell("live.mark", ["name": .string(mark.name), "cursor": .string(cursor)]) { mark.told() }
            }
        }
    }

    /// Says on an empty screen that it follows events, and how to end it.
    private func begins() {
        guard output.canDraw, !call.wantsJSON else { return }
        warn(phrase("tail.follows"))
    }

    /// Writes an event's line. On a terminal each member on the way has one line below.
    private func tell(_ event: Event) {
        guard lines != nil else { return output.say(line(event)) }
        let movement = CommandArea.all.lazy.compactMap { $0.movement(event) }.first
        output.show(lines?.took(line(event), movement, size) ?? "")
    }

    /// Writes a warning, above the lines that are written anew.
    private func warn(_ sentence: String) {
        output.show(lines?.cleared(size) ?? "")
        output.warn(sentence)
        output.show(lines?.drawn(size) ?? "")
    }

    private var size: TailLines.Size { TailLines.Size(width: output.width ?? 80, height: output.height) }

    private func heard(_ event: Event) {
        names.learn(event)
        if !call.wantsJSON {
            let isWanted = types.takes(event.type) && isMeant(event.about)
            if isWanted { ask(event) }
            let voice = Voice(event, names, now: LocalTime.now)
            if isWanted, wantsEchoes || !voice.isEcho { tell(event) }
        }
        mark?.reached(event.cursor)
        guard var told = notices else { return }
        for area in CommandArea.all { area.notice(event, names, &told) }
        notices = told
    }

    private func lost(_ sentence: String, _ milliseconds: Int) {
        notices?.lost()
        let span = Words.span(seconds: Int64(milliseconds / 1000))
        let wait = milliseconds < 1000 ? phrase("tail.at-once") : phrase("tail.in", ["span": span])
        warn(phrase("tail.lost", ["sentence": Reader.here.failure(sentence), "wait": wait]))
    }

    /// Rings, and shows the notices that are due.
    private func tell() {
        let now = LocalTime.now
        guard let entries = notices?.due(now),
            let (title, body) = Notices.text(entries, InboxVoice(names: names, now: now))
        else { return }
        if output.canDraw { output.draw("\u{7}") }
        desktop.notify(title, body)
    }

    /// Milliseconds until the cursor is to be kept or a notice is due.
    private var timeout: Int? {
        let due = notices?.milliseconds(LocalTime.now)
        guard mark != nil else { return due }
        return min(due ?? 5000, 5000)
    }

    /// Asks once, beside the stream, for what names need besides snapshots and events. It does not wait long for an
    /// answer.
    private func ask(_ event: Event?) {
        let asking: CommandArea.Asking = { [door] method, params in
            let beside = try? Conversation.open(
                door.address, trust: door.trust, credential: door.credential, timeoutMilliseconds: 2000)
            return try? beside?.call(method, params, timeoutMilliseconds: 2000)
        }
        for area in CommandArea.all { area.ask(event, &names, asking) }
    }

    /// The names from a snapshot.
    private func startingNames() -> Names {
        let conversation = try? Conversation.open(door.address, trust: door.trust, credential: door.credential)
        guard let answer = try? conversation?.call("live.follow", ["since": .null]),
            let snapshot = answer["snapshot"].flatMap(Snapshot.init)
        else { return Names() }
        return Names(snapshot)
    }

    /// The cursor of `--since`, or else the one kept under the name, or else the present.
    private func startingPoint() throws(Problem) -> String? {
        var since: String?
        if let name = call.value("name") {
            mark = Mark(name, door)
            since = try call.call("live.mark", ["name": .string(name)])["cursor"]?.string
        }
        guard let text = call.value("since") else { return since }
        guard let time = Words.behind(text, now: LocalTime.now) else {
            guard Self.isCursor(text) else { throw Self.unknown(text) }
            return text
        }
        return try call.call("live.at", ["time": .time(time)])["cursor"]?.string
    }

    /// Whether a text has the form of a cursor; only the daemon knows whether it is one of its own.
    static func isCursor(_ text: String) -> Bool {
        text.utf8.count == 32 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }

    private static func unknown(_ since: String) -> Problem {
        .usage(phrase("tail.no-since", ["text": Plain.line(since)]))
    }

    /// Whether an event's `about` is the thing that was asked for, or under it.
    private func isMeant(_ about: String) -> Bool {
        self.about.map { about == $0 || about.hasPrefix($0 + "/") } ?? true
    }

    private func isMeant(_ message: [UInt8]) -> Bool {
        guard about != nil, let json = try? JSON.parse(message), json["method"]?.string == "event" else { return true }
        return isMeant(json["params"]?["about"]?.string ?? "")
    }

    /// Whether a message belongs to the stream, and is not the answer to a request beside it (signing in, marks).
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
