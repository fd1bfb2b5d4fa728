import KinCodec
import KinLoop
import KinModel
import KinSimulation

/// Files up and down by their address.
extension FuzzHouse {
    /// Asks for Ada's picture, with whatever fields.
    func fetch(_ input: [UInt8], planted: Bool) {
        let fields = Self.lines(input[...])
        let (answers, connection) = say("GET \(pictureSeen)", fields, [])
        defer { comeToRest([connection]) }
        guard let (head, body) = answers.first else { return }
        let whole = Self.picture
        switch head.status {
        case 200: precondition(body == whole, "the file is not what it is")
        case 206:
            let range = head.headers["Content-Range"] ?? ""
            let part = range.split(separator: " ").last?.split(separator: "/").first?.split(separator: "-")
                .compactMap { Int($0) }
            guard let first = part?.first, let last = part?.last, first <= last, last < whole.count else {
                preconditionFailure("a part without a place: \(range)")
            }
            precondition(body == Array(whole[first...last]), "the part is not that of the file")
        case 304: precondition(body.isEmpty, "what one has is sent again")
        case 416: precondition(head.headers["Content-Range"] == "bytes */300", "nobody says how long the file is")
        default: break
        }
        if [200, 206].contains(head.status) {
            let policy = head.headers["Content-Security-Policy"]
            precondition(policy == "sandbox; default-src 'none'", "a browser may run it: \(policy ?? "")")
        }
        if planted { precondition(head.status != 206, "planted") }
    }

    /// Sends a file, with whatever fields; then looks at what is left of it, and cancels it.
    func upload(_ input: [UInt8], planted: Bool) {
        let end = input.firstIndex(of: 0x0A).map { _ in Self.emptyLine(input) } ?? input.endIndex
        let content = Array(input[end...].drop { $0 == 0x0A })
        let (answers, connection) = say("PUT \(pictures)", Self.lines(input[..<end]), content)
        comeToRest([connection])
        if planted { precondition(answers.first?.0.status != 201, "planted") }
        if let (head, body) = answers.first, head.status == 200 {
            let name = (try? JSON.parse(body))?["member"]?["picture"]?.string
            pictureSeen = "\(pictures)/\(name ?? "")"
        }
        guard let (head, _) = answers.first, let address = head.headers["Location"] else { return }
        precondition(head.status == 201 && head.headers["Upload-Complete"] == "?0", "it goes on, and is not begun")
        let (looks, second) = say("HEAD \(address)", [], [], .head)
        precondition(looks.first?.0.headers["Upload-Offset"] == String(content.count), "what came is not there")
        let (gone, third) = say("DELETE \(address)", [], [])
        precondition(gone.first?.0.status == 204, "it cannot be cancelled")
        comeToRest([second, third])
    }

    /// Where an empty line is, or the end.
    static func emptyLine(_ input: [UInt8]) -> Int {
        var index = 0
        while index + 1 < input.count {
            if input[index] == 0x0A, input[index + 1] == 0x0A { return index }
            index += 1
        }
        return input.endIndex
    }

    /// Fields as a request has them: what is no field by its first byte is left out, so that most inputs come past the
    /// parser, which has a target of its own.
    static func lines(_ input: ArraySlice<UInt8>) -> [[UInt8]] {
        input.split(separator: 0x0A).prefix(16).filter { line in
            line.contains(UInt8(ascii: ":")) && !line.contains(0x0D) && !line.starts(with: "Connection".utf8)
        }.map { Array($0.prefix(200)) }
    }

    /// Says a request of Ada's, and answers what came.
    ///
    /// - Parameters:
    ///   - credential: What she shows in place of her session; nothing at all where it is empty.
    ///   - room: As ``connect(_:room:)`` has it.
    func say(
        _ line: String, _ fields: [[UInt8]], _ content: [UInt8], _ method: HTTPMethod = .get,
        as credential: String? = nil, type: String = "image/png", room: Int = 64 << 10
    ) -> ([(HTTPResponseHead, [UInt8])], Token) {
        let connection = connect(.tcp(.loopbackV4, port: 40_000), room: room)
        var bytes = Array("\(line) HTTP/1.1\r\nHost: box.local\r\n".utf8)
        let shown = credential ?? "Bearer \(token)"
        if !shown.isEmpty { bytes += Array("Authorization: \(shown)\r\n".utf8) }
        for field in fields { bytes += field + Array("\r\n".utf8) }
        if !content.isEmpty {
            bytes += Array("Content-Type: \(type)\r\nContent-Length: \(content.count)\r\n".utf8)
        }
        network.clientSends(connection, bytes + Array("\r\n".utf8) + content)
        settle()
        var input = take(connection)
        var found: [(HTTPResponseHead, [UInt8])] = []
        var parser = HTTPResponseParser()
        parser.requestMethod = method
        parser.bodyBytesMax = 1 << 30
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        while true {
            let (consumed, step) = parser.consume(input)
            input.removeFirst(consumed)
            switch step {
            case .head(let one): head = one
            case .body(let bytes): body += bytes
            case .end:
                if let head { found.append((head, body)) }
                return (found, connection)
            case .needsMore: return (found, connection)
            case .failed(let failure): preconditionFailure("a broken response: \(failure.sentence)")
            }
        }
    }
}
