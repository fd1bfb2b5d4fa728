import Glibc
import KinClient
import KinLoop
import KinModel
import KinWords
import Synchronization

extension ListCommands {
    /// Edits a list with keys on the whole terminal. Changes by others show at once.
    static func edit(_ call: Invocation) throws(Problem) {
        let seen = try find(call.words.dropFirst().joined(separator: " "), call)
        let editing = try ListEditing(call, seen.list)
        guard call.output.canRewrite, let keys = TerminalKeys() else { throw .usage(phrase("list.edit-no-terminal")) }
        defer { keys.putBack() }
        try editing.run()
    }
}

/// One `kin list edit`. Each key becomes a request to the daemon, and the list follows its log.
private final class ListEditing {
    private let call: Invocation
    private var screen: ListScreen
    /// The cursor behind which the events come that are not shown yet.
    private let cursor: String?

    init(_ call: Invocation, _ list: SharedList) throws(Problem) {
        self.call = call
        let names = try People(call).names
        let result = try call.call("list.show", ["list": .id(list.id)])
        screen = ListScreen(list, Self.items(result), names)
        cursor = result["cursor"]?.string
    }

    private static func items(_ result: JSON) -> [ListItem] {
        (result["items"]?.array ?? []).compactMap(ListItem.init)
    }

    func run() throws(Problem) {
        let door = try call.door()
        let wake = try Interruption.watch()
        let typed = TypedKeys(wake)
        do throws(LoopFailure) { try typed.listen() } catch {
            throw .failed(phrase("kin.signals", ["reason": error.sentence]))
        }
        let follower = Follower(credential: door.credential, since: cursor, types: ["list.", "item."])
        let client = FollowingClient(follower, address: door.address, trust: door.trust, interruption: wake)
        // This switches to the terminal's other screen and hides the cursor (xterm). At the end the former screen comes
        // back.
        call.output.show("\u{1B}[?1049h\u{1B}[?25l")
        defer { call.output.show("\u{1B}[?25h\u{1B}[?1049l") }
        var woken: UInt64 = 0
        while true {
            draw()
            switch client.next(timeoutMilliseconds: nil) {
            case .event(let event):
                screen.take(event)
                if screen.isGone { throw Problem(.refused, phrase("list.edit-gone")) }
            case .interrupted:
                woken += wake.drain()
                let news = typed.take()
                for key in news.keys {
                    if let deed = screen.take(key), !does(deed) { return }
                }
                // A wake without a key came from a signal.
                if news.isOver || woken > news.wakes { return }
            case .lost(let sentence, _): screen.message = sentence
            case .back(let withoutGap):
                screen.message = phrase("list.edit-back")
                if !withoutGap { try look() }
            case .reset: try look()
            case .stopped(.refused(let rejection)): throw Problem(rejection)
            case .stopped(.closed(let closing)): throw Problem(.closed(closing))
            case .message, .passing, .caughtUp, .nothing: break
            }
        }
    }

    private func draw() {
        let output = call.output
        let lines = screen.lines(output.width ?? Help.width, output.height, isColoured: output.isColoured)
        output.show("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Asks for the whole list again.
    private func look() throws(Problem) {
        screen.learn(Self.items(try call.call("list.show", ["list": .id(screen.list.id)])))
    }

    /// Carries out the meaning of a key. A refusal is shown below the list. Answers `false` if the key leaves the
    /// screen.
    private func does(_ deed: ListScreen.Deed) -> Bool {
        let list = JSON.id(screen.list.id)
        do throws(Problem) {
            switch deed {
            case .leave: return false
            case .put(let edit):
                let result = try call.call("item.put", ["list": list, "items": [edit]])
                for item in Self.items(result) { screen.put(item) }
                for id in (result["removed"]?.array ?? []).compactMap(\.identifier) { screen.remove(id) }
            case .suggest(let words):
                let found = try ListCommands.suggested(words, kind: screen.list.kind, call)
                screen.offer(found.map { $0.text })
            case .remove(let id):
                _ = try call.call("item.remove", ["list": list, "items": [.id(id)]])
                screen.remove(id)
            }
        } catch { screen.refused(error.sentence) }
        return true
    }
}

/// The keys that are typed. A thread of its own reads them.
private final class TypedKeys: Sendable {
    private struct Held {
        var keys: [Key] = []
        /// The number of times that the other thread was woken, or is about to be.
        var wakes: UInt64 = 0
        var isOver = false
    }

    private let held = Mutex(Held())
    private let wake: Wakeup

    init(_ wake: Wakeup) { self.wake = wake }

    /// Waits for keys from now on.
    func listen() throws(LoopFailure) {
        _ = try startThread(name: "keys") { [self] in
            var reader = KeyReader()
            var bytes = [UInt8](repeating: 0, count: 256)
            while true {
                let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                let keys = reader.take(Array(bytes.prefix(count)))
                if !keys.isEmpty { tell { $0.keys += keys } }
            }
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

    /// The keys since the last time, and the number of all wakes for keys so far.
    func take() -> (keys: [Key], wakes: UInt64, isOver: Bool) {
        held.withLock { held in
            defer { held.keys = [] }
            return (held.keys, held.wakes, held.isOver)
        }
    }
}
