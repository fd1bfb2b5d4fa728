import KinCodec
import KinLoop
import KinModel

/// A client that sends files as uploads. An upload is cut off, resumed after a crash, sent by two requests at once,
/// sent in parts, or cancelled. The client knows resumption, and asks again until it is answered.
final class Uploader {
    private enum Errand {
        /// The file, from its first byte on.
        case begin
        /// How much of it is there.
        case look
        /// The rest of it.
        case more
        /// It is taken back.
        case cancel
        /// Somebody else's upload is asked for.
        case pry
    }

    /// One request on its way.
    private struct Wire {
        let token: Token
        let errand: Errand
        var parser = HTTPResponseParser()
        var received: [UInt8] = []
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    let person: World.Person
    private let who: Int
    private var dice: Dice
    private var wires: [Wire] = []
    private var file: SentFile?
    private var op = ""
    /// Where the upload lies, once that was told.
    private(set) var location: String?
    /// How much of it the daemon said it has.
    private var told = 0
    /// Where it goes on, once that was asked for.
    private var next: Int?
    private var retryAt: UInt64 = 0
    private var count = 0
    /// Files that were taken, and uploads that went on where they had ended.
    private(set) var taken = 0
    private(set) var resumed = 0

    init(_ person: World.Person, _ who: Int, seed: UInt64) {
        self.person = person
        self.who = who
        dice = Dice(seed: seed ^ UInt64(who + 1) &* 0x1234_5677)
    }

    var isBusy: Bool { file != nil || !wires.isEmpty }

    func step(_ world: World) throws(Finding) {
        for wire in wires { try receive(wire.token, world) }
        guard let file else {
            guard !world.isSettling, wires.isEmpty, dice.once(in: 12) else { return }
            begin(world)
            return
        }
        if wires.isEmpty {
            guard world.milliseconds >= retryAt else { return }
            goOn(file, world)
        } else if !world.isSettling, dice.once(in: 14) {
            cutOff(world)
        } else if !world.isSettling, wires.count < 3, location != nil, dice.once(in: 20) {
            // A second one at once, while the first one may be well.
            send(dice.once(in: 3) ? .cancel : .look, file, world)
        } else if !world.isSettling, wires.count < 3, dice.once(in: 20) {
            pry(world)
        }
    }

    private func begin(_ world: World) {
        guard let file = world.areas.lazy.compactMap({ $0.file(world, from: self.person, &self.dice) }).first else {
            return
        }
        count += 1
        op = "upload-\(world.seed)-\(who)-\(count)"
        (self.file, location, told, next) = (file, nil, 0, nil)
        send(.begin, file, world)
    }

    private func goOn(_ file: SentFile, _ world: World) {
        if location == nil { return send(.begin, file, world) }
        if !world.isSettling, dice.once(in: 15) { return send(.cancel, file, world) }
        send(next == nil ? .look : .more, file, world)
    }

    private func cutOff(_ world: World) {
        let wire = wires.remove(at: dice.below(wires.count))
        world.network.clientLeaves(wire.token, isRude: dice.once(in: 2))
    }

    // MARK: Requests

    private func send(_ errand: Errand, _ file: SentFile, _ world: World) {
        let content = file.content
        switch errand {
        case .begin:
            // In parts, now and then.
            let part = dice.once(in: 4) ? dice.below(content.count + 1) : content.count
            let isLast = part == content.count && dice.once(in: 2)
            var fields = ["Content-Type: application/octet-stream", "Upload-Complete: ?\(isLast ? 1 : 0)"]
            if dice.once(in: 2) { fields.append("Upload-Length: \(content.count)") }
            request("PUT \(file.path)", errand, fields, Array(content[..<part]), world)
        case .more:
            let from = next ?? 0
            next = nil
            let part = dice.once(in: 4) ? from + dice.below(content.count - from + 1) : content.count
            request(
                "PATCH \(location ?? "")", errand,
                [
                    "Content-Type: application/partial-upload", "Upload-Offset: \(from)",
                    "Upload-Complete: ?\(part == content.count ? 1 : 0)",
                ], Array(content[from..<part]), world)
        case .look: request("HEAD \(location ?? "")", errand, [], nil, world)
        case .cancel: request("DELETE \(location ?? "")", errand, [], nil, world)
        case .pry: break
        }
    }

    private func pry(_ world: World) {
        let others = world.uploaders.filter { $0 !== self }.compactMap(\.location)
        guard !others.isEmpty else { return }
        let location = dice.pick(others)
        if dice.once(in: 2) { return request("HEAD \(location)", .pry, [], nil, world) }
        let fields = ["Content-Type: application/partial-upload", "Upload-Offset: 0", "Upload-Complete: ?1"]
        request("PATCH \(location)", .pry, fields, [1, 2, 3], world)
    }

    private func request(
        _ line: String, _ errand: Errand, _ fields: [String], _ content: [UInt8]?, _ world: World
    ) {
        let token = world.network.clientConnects(from: .tcp(.loopbackV4, port: 43_000))
        var wire = Wire(token: token, errand: errand)
        if line.hasPrefix("HEAD ") { wire.parser.requestMethod = .head }
        wires.append(wire)
        var lines = ["Host: box.local", "Authorization: Bearer \(person.token)", "Idempotency-Key: \(op)"] + fields
        if let content { lines.append("Content-Length: \(content.count)") }
        let head = "\(line) HTTP/1.1\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        world.trace?("step \(world.tally.steps): \(person.username) \(line) \(fields) \(content?.count ?? 0)")
        world.network.clientSends(token, Array(head.utf8) + (content ?? []))
    }

    // MARK: Answers

    private func receive(_ token: Token, _ world: World) throws(Finding) {
        guard let index = wires.firstIndex(where: { $0.token == token }) else { return }
        var wire = wires[index]
        while true {
            guard let bytes = world.network.clientReceives(token) else {
                wires.remove(at: index)
                return world.network.clientLeaves(token, isRude: false)
            }
            guard !bytes.isEmpty else { break }
            if wire.received.count < 2000 { wire.received += bytes }
            var rest = bytes[...]
            reading: while true {
                let (consumed, step) = wire.parser.consume(rest)
                rest = rest.dropFirst(consumed)
                switch step {
                case .head(let head): wire.head = head
                case .body(let bytes): wire.body += bytes
                case .needsMore: break reading
                case .end, .failed:
                    wires.remove(at: index)
                    world.network.clientLeaves(token, isRude: false)
                    learn(wire)
                    if case .end = step, let head = wire.head { try answered(wire.errand, head, wire.body, world) }
                    return
                }
            }
        }
        learn(wire)
        wires[index] = wire
    }

    /// The address comes before everything else (104).
    private func learn(_ wire: Wire) {
        guard case .begin = wire.errand, location == nil, wire.received.starts(with: "HTTP/1.1 104 ".utf8) else {
            return
        }
        let text = String(decoding: wire.received, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return }
        location = text[..<end.lowerBound].split(separator: "\r\n").first { $0.hasPrefix("Location: ") }.map {
            String($0.dropFirst("Location: ".count))
        }
    }

    private func answered(
        _ errand: Errand, _ head: HTTPResponseHead, _ body: [UInt8], _ world: World
    ) throws(Finding) {
        world.trace?("step \(world.tally.steps): \(person.username) \(errand) is answered \(head.status)")
        try world.check(body, to: person.id, "\(person.username) with a file")
        func found(_ what: String) -> Finding {
            Finding(checker: "uploads", what: "\(person.username) \(what) (\(op) at \(location ?? "no address"))")
        }
        if case .pry = errand {
            guard head.status >= 400 else { throw found("was shown an upload of somebody else: \(head.status)") }
            return
        }
        guard let file else { return }
        let offset = head.headers["Upload-Offset"].flatMap { Int($0) }
        switch head.status {
        case 201 where head.headers["Upload-Complete"] == "?0", 204:
            if case .cancel = errand { return over() }
            guard let offset else { throw found("is not told how much is there") }
            guard (told...file.content.count).contains(offset) else {
                throw found("is told \(offset) of \(file.content.count) bytes after \(told)")
            }
            if offset > 0, case .look = errand { resumed += 1 }
            location = location ?? head.headers["Location"]
            (told, next) = (offset, offset)
        case 200, 201:
            guard file.isGood else { throw found("had a file taken that is none of its kind") }
            world.oracle.acknowledge(op, by: person.username)
            taken += 1
            over()
        case 404:
            if case .begin = errand { return over() }
            (location, told, next) = (nil, 0, nil)
        case 409: next = nil
        case 422 where file.isGood: throw found("is refused what was sent: \(String(decoding: body, as: UTF8.self))")
        case 401, 403, 413, 422, 429: over()
        case 400, 405, 411, 415, 500, 501:
            throw found("is answered \(head.status): \(String(decoding: body, as: UTF8.self))")
        default:
            next = nil
            retryAt = world.milliseconds + 500
        }
    }

    /// Nothing more is to be done for this file.
    private func over() { (file, location, told, next) = (nil, nil, 0, nil) }
}

/// A file for a method that takes one.
struct SentFile {
    /// The method's address.
    let path: String
    let content: [UInt8]
    /// Whether it is of the kind that the method takes.
    let isGood: Bool
}
