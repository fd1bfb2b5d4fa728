import KinClient
import KinLoop
import KinModel
import KinWords
import Synchronization

/// One `kin chat ROOM`: it shows the last messages, then new ones live, and sends each typed line. From a pipe each
/// line is sent, and the talk ends after the last.
final class Talk {
    private let call: Invocation
    private let room: Room
    private var names: Names
    /// The messages in the order in which they were shown, so that each can be named by its number.
    private var shown: [Identifier] = []
    /// The members who are shown as writing, with the time. This ends with a message of theirs, or after a minute.
    private var writers: [Identifier: Instant] = [:]
    /// The last message that each other member has read, of members who show it.
    private var reads: [Identifier: Identifier] = [:]
    /// The newest message that was shown.
    private var newest: Message?

    convenience init(_ call: Invocation) throws(Problem) {
        try self.init(call, in: call.words.joined(separator: " "))
    }

    private init(_ call: Invocation, in text: String) throws(Problem) {
        self.call = call
        room = try Rooms.find(text, call).room
        names = try People(call).names
    }

    /// Shows the messages before the first one that was shown last, in the room that was looked at last.
    static func older(_ call: Invocation) throws(Problem) {
        guard let last = LastList(call, "messages")?.ids, last.count > 1 else {
            throw Problem(.refused, phrase("chat.nothing-shown"))
        }
        let talk = try Talk(call, in: last[0].description)
        let result = try talk.page(before: last[1])
        if call.wantsJSON { return call.output.say(result) }
        let messages = (result["messages"]?.array ?? []).compactMap(Message.init)
        guard !messages.isEmpty else { return call.output.say(phrase("chat.no-older")) }
        talk.show(messages)
    }

    /// The newest messages of the room, or those before one of them.
    private func page(before: Identifier? = nil) throws(Problem) -> JSON {
        var limit: Int64 = 20
        if let text = call.value("limit") {
            guard let count = Int64(text), (1...100).contains(count) else { throw .usage(phrase("chat.bad-limit")) }
            limit = count
        }
        return try call.call(
            "message.list",
            .object(leavingOut: [
                "room": .id(room.id), "limit": .int(limit), "before": before.map { .id($0) },
            ]))
    }

    private func show(_ messages: [Message]) {
        call.output.say(call.output.styled(names.room(room, .here), "1"))
        // If there are no messages yet, the list keeps the room alone, as the one that was looked at last.
        LastList(call, "messages")?.keep([room.id])
        for message in messages { show(message) }
    }

    func run() throws(Problem) {
        let result = try page()
        if call.wantsJSON, !Input.isTerminal { return call.output.say(result) }
        let messages = (result["messages"]?.array ?? []).compactMap(Message.init)
        show(messages)
        if messages.isEmpty { call.output.say(phrase("chat.empty")) }
        for one in result["reads"]?.array ?? [] {
            if let member = one["member"]?.identifier { reads[member] = one["upTo"]?.identifier }
        }
        sayReaders()
        try read(upTo: messages.last?.id)
        guard Input.isTerminal else { return try sendAll() }
        try talk(since: result["cursor"]?.string)
    }

    private func talk(since: String?) throws(Problem) {
        let door = try call.door()
        let wake = try Interruption.watch()
        let typed = TypedLines(wake)
        do throws(LoopFailure) { try typed.listen() } catch {
            throw .failed(phrase("kin.signals", ["reason": error.sentence]))
        }
        call.output.warn(phrase("chat.talk"))
        let follower = Follower(
            credential: door.credential, since: since, types: ["message.", "room."], wantsPassing: true)
        let client = FollowingClient(follower, address: door.address, trust: door.trust, interruption: wake)
        var woken: UInt64 = 0
        while true {
            switch client.next(timeoutMilliseconds: nil) {
            case .event(let event): try heard(event)
            case .passing(let passing): saw(passing)
            case .lost(let sentence, _): call.output.warn(sentence)
            case .back: call.output.warn(phrase("chat.back"))
            case .interrupted:
                woken += wake.drain()
                let news = typed.take()
                for line in news.lines { send(line) }
                // A wake without a line came from a signal.
                if news.isOver || woken > news.wakes { return }
            case .stopped(.refused(let rejection)): throw Problem(rejection)
            case .stopped(.closed(let closing)): throw Problem(.closed(closing))
            case .reset(let snapshot): names.learn(snapshot)
            case .message, .caughtUp, .nothing: break
            }
        }
    }

    /// Shows that a member is writing, once for each message. An act at the machine in a member's name is not that
    /// member's own.
    private func saw(_ passing: Follower.Passing) {
        guard passing.type == "message.typing", passing.about == "room/\(room.id)", !passing.isAtMachine,
            passing.by != names.me
        else { return }
        let now = LocalTime.now
        if let before = writers[passing.by], now.milliseconds(since: before) < 60_000 { return }
        writers[passing.by] = now
        call.output.warn(phrase("chat.writes", ["name": names.member(passing.by)]))
    }

    /// Shows which members have read everything that is shown, of members who show how far they have read.
    private func sayReaders() {
        guard let newest else { return }
        let readers = reads.filter { $0.value >= newest.id && $0.key != newest.author }.keys.sorted()
        guard !readers.isEmpty else { return }
        let said = readers.map { names.member($0) }.joined(separator: ", ")
        call.output.say(phrase("chat.read-by", ["names": said]))
    }

    /// Notes how far a member has read. This is shown at once only if the member has read the newest message and the
    /// caller wrote it.
    private func learn(_ seen: Message.Seen) {
        reads[seen.member] = seen.upTo
        guard let newest, newest.author == names.me, let upTo = seen.upTo, upTo >= newest.id else { return }
        call.output.warn(phrase("chat.read-by", ["names": names.member(seen.member)]))
    }

    private func heard(_ event: Event) throws(Problem) {
        names.learn(event)
        if let message = event[Message.sent]?.message, message.room == room.id {
            writers[message.author] = nil
            show(message)
            // A message that the terminal shows counts as read.
            if message.author != names.me { try? read(upTo: message.id) }
        } else if let message = event[Message.updated]?.message, message.room == room.id {
            show(message)
        } else if let seen = event[Message.seen], seen.room == room.id {
            learn(seen)
        } else if let removed = event[Message.removed], removed.room == room.id {
            if removed.message == newest?.id { newest = nil }
            call.output.say(phrase("chat.was-taken", ["name": names.member(event.by)]))
        } else if let hidden = event[Room.hidden], hidden.room == room.id {
            throw Problem(.refused, phrase("chat.gone"))
        }
    }

    private func show(_ message: Message) {
        if !shown.contains(message.id) { shown.append(message.id) }
        if message.id >= newest?.id ?? message.id { newest = message }
        LastList(call, "messages")?.keep([room.id] + shown)
        let number = (shown.firstIndex(of: message.id) ?? 0) + 1
        let head = [
            names.member(message.author), LocalTime.near(message.at), message.edited.map { _ in phrase("chat.edited") },
            message.reply.map { reply in
                shown.firstIndex(of: reply).map { phrase("chat.answers", ["number": $0 + 1]) }
                    ?? phrase("chat.answers-old")
            },
        ]
        call.output.say(
            Plain.padded("\(number)", 4) + call.output.styled(head.compactMap(\.self).joined(separator: " · "), "2"))
        for line in MessageCommands.lines(message, call) { call.output.say("    " + line) }
    }

    private func read(upTo: Identifier?) throws(Problem) {
        guard let upTo else { return }
        _ = try call.call("message.read", ["room": .id(room.id), "upTo": .id(upTo)])
    }

    /// Sends a line. A refusal is shown, and the talk goes on.
    private func send(_ line: String) {
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        do throws(Problem) {
            _ = try call.call("message.send", ["room": .id(room.id), "text": .string(line)])
        } catch { call.output.warn(error.sentence) }
    }

    private func sendAll() throws(Problem) {
        while let line = readLine() {
            guard line.contains(where: { !$0.isWhitespace }) else { continue }
            _ = try call.call("message.send", ["room": .id(room.id), "text": .string(line)])
        }
    }
}

/// The lines that are typed. A thread of its own reads them.
private final class TypedLines: Sendable {
    private struct Held {
        var lines: [String] = []
        /// The number of times that the other thread was woken, or is about to be.
        var wakes: UInt64 = 0
        var isOver = false
    }

    private let held = Mutex(Held())
    private let wake: Wakeup

    init(_ wake: Wakeup) { self.wake = wake }

    /// Waits for lines from now on.
    func listen() throws(LoopFailure) {
        _ = try startThread(name: "typing") { [self] in
            while let line = readLine() { tell { $0.lines.append(line) } }
            tell { $0.isOver = true }
        }
    }

    private func tell(_ change: (inout Held) -> Void) {
        held.withLock { held in
            change(&held)
            held.wakes += 1
        }
        wake.wake()
    }

    /// The lines that were typed since the last time, and the number of all wakes for lines so far.
    func take() -> (lines: [String], wakes: UInt64, isOver: Bool) {
        held.withLock { held in
            defer { held.lines = [] }
            return (held.lines, held.wakes, held.isOver)
        }
    }
}
