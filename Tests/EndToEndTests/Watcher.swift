import KinCodec
import KinModel
import Testing

/// One way of following, by a program of somebody else's or our own, that is taken away and brought back.
final class Watcher {
    enum Kind: String, CaseIterable {
        case tail, lines, events, python
    }

    let kind: Kind
    private let house: House
    private let token: String
    private let python: [String]
    private var program: Program?
    private var seen = 0
    /// The last cursor received.
    private(set) var cursor: String?
    /// Everything received in all lives, in order.
    private(set) var messages: [Message] = []

    struct Message: Equatable {
        let method: String
        let params: JSON
        /// The whole event with its cursor, as it was sent.
        let text: String
    }

    init(_ kind: Kind, _ house: House, token: String, python: [String]) {
        self.kind = kind
        self.house = house
        self.token = token
        self.python = python
    }

    var events: [Event] { messages.filter { $0.method == "event" }.compactMap { Event($0.params) } }
    var durable: [String] {
        messages.filter { $0.method == "event" && $0.params["type"] != "position" }.map(\.text)
    }
    /// How often a whole snapshot came.
    var resets: Int { messages.count { $0.method == "reset" } }
    func has(announced text: String) -> Bool {
        messages.contains { $0.method == "event" && $0.params["data"]?["text"]?.string == text }
    }

    /// Takes it away without a word, keeping what it had received.
    func leave() throws {
        program?.kill()
        try look()
        program = nil
    }

    /// Starts it with its last cursor.
    func come() throws {
        seen = 0
        switch kind {
        case .tail:
            program = house.stage.start(
                ["kin", "tail", "--json", "--as", "carol"] + (cursor.map { ["--since", $0] } ?? []))
        case .lines:
            let since: JSON = cursor.map { .string($0) } ?? .null
            let resume: JSON = [
                "jsonrpc": "2.0", "id": 1, "method": "session.resume", "params": ["token": .string(token)],
            ]
            let follow: JSON = ["jsonrpc": "2.0", "id": 2, "method": "live.follow", "params": ["since": since]]
            program = house.stage.start(
                ["nc", "127.0.0.1", "\(house.port)"], input: resume.text + "\n" + follow.text + "\n")
        case .events:
            program = house.stage.start(
                [
                    "curl", "-sN", "\(house.url)/live", "-H", "Accept: text/event-stream", "-H",
                    "Authorization: Bearer \(token)",
                ]
                    + (cursor.map { ["-H", "Last-Event-ID: \($0)"] } ?? []))
        case .python:
            program = house.stage.start(python, input: House.password + "\n")
        }
    }

    /// Reads what arrived since the last look.
    func look() throws {
        guard let program else { return }
        program.take()
        let lines = program.lines[seen...]
        seen = program.lines.count
        for line in lines {
            var text = line
            if kind == .events {
                guard line.hasPrefix("data:") else { continue }
                text = String(line.dropFirst(5).drop { $0 == " " })
            }
            guard !text.isEmpty else { continue }
            try take(text)
        }
    }

    private func take(_ text: String) throws {
        let json = try JSON.parse(text)
        try #require(json["error"] == nil, "\(kind): \(text)")
        var method = json["method"]?.string
        var params = json["params"]
        if method == nil, let result = json["result"], result["mode"] != nil {
            params = result
            method = result["snapshot"]?.isNull == false ? "reset" : "resumed"
        }
        guard let method, let params else { return }
        messages.append(Message(method: method, params: params, text: text))
        cursor = params["cursor"]?.string ?? cursor
    }

    /// The snapshot it began with, with every event since.
    func folded() throws -> Snapshot {
        var snapshot = Snapshot()
        for message in messages {
            if message.method == "reset" {
                snapshot = try #require(message.params["snapshot"].flatMap(Snapshot.init))
            } else if message.method == "event" {
                snapshot.apply(try #require(Event(message.params)))
            }
        }
        return snapshot
    }
}
