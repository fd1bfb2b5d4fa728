import KinCodec
import KinModel

/// The parsers alone: they accept any input, give the same result however the bytes are cut, and keep their limits.
enum Parsers {
    /// Steps of a parser that is given all bytes in pieces of so many; it must take what it is given or say why not.
    static func steps<Step>(
        _ input: [UInt8], pieces: Int, _ consume: (ArraySlice<UInt8>) -> (Int, Step),
        isEnd: (Step) -> Bool, isHungry: (Step) -> Bool
    ) -> [Step] {
        var steps: [Step] = []
        var start = 0
        while start < input.count {
            var piece = input[start..<min(input.count, start + pieces)]
            start = piece.endIndex
            while true {
                let (consumed, step) = consume(piece)
                precondition(consumed <= piece.count, "more was taken than was given")
                piece = piece.dropFirst(consumed)
                if isHungry(step) {
                    precondition(piece.isEmpty, "something was left although more was asked for")
                    break
                }
                steps.append(step)
                if isEnd(step) { return steps }
            }
        }
        return steps
    }

    /// The first byte says into how large pieces the rest is cut.
    static func cut(_ input: [UInt8]) -> (bytes: [UInt8], pieces: Int) {
        guard let first = input.first else { return ([], 1) }
        return (Array(input.dropFirst()), 1 + Int(first) % 16)
    }

    static func http(_ input: [UInt8], planted: Bool) {
        let (bytes, pieces) = cut(input)
        func text(_ pieces: Int) -> [String] {
            var parser = HTTPRequestParser()
            var body = ""
            var out: [String] = []
            for step in steps(
                bytes, pieces: pieces, { parser.consume($0) },
                isEnd: { if case .failed = $0 { true } else { false } },
                isHungry: { if case .needsMore = $0 { true } else { false } })
            {
                // A body may come in other pieces.
                if case .body(let bytes) = step {
                    precondition(!bytes.isEmpty, "a piece of a body is empty")
                    body += "\(bytes) "
                    continue
                }
                if case .head(let head) = step, planted { precondition(!head.target.contains("//"), "planted") }
                if !body.isEmpty { out.append(body.filter { $0 != "[" && $0 != "]" && $0 != "," }) }
                body = ""
                out.append("\(step)")
            }
            return out + (body.isEmpty ? [] : [body.filter { $0 != "[" && $0 != "]" && $0 != "," }])
        }
        let (whole, cut) = (text(max(1, bytes.count)), text(pieces))
        precondition(cut == whole, "pieces say something else than the whole: \(cut), \(whole)")
    }

    static func webSocket(_ input: [UInt8], planted: Bool) {
        let (bytes, pieces) = cut(input)
        func events(_ pieces: Int, _ role: WebSocketMachine.Role) -> [WebSocketMachine.Event] {
            var machine = WebSocketMachine(role: role, messageBytesMax: 300)
            return steps(
                bytes, pieces: pieces, { machine.consume($0) },
                isEnd: {
                    switch $0 {
                    case .failed, .close: true
                    default: false
                    }
                }, isHungry: { $0 == .needsMore })
        }
        for role in [WebSocketMachine.Role.server, .client] {
            let whole = events(max(1, bytes.count), role)
            precondition(events(pieces, role) == whole, "pieces say something else than the whole")
            for event in whole {
                switch event {
                case .message(let kind, let bytes):
                    precondition(bytes.count <= 300, "a message is longer than its bound")
                    if kind == .text { precondition(String(validating: bytes, as: UTF8.self) != nil, "no UTF-8") }
                    if planted { precondition(kind != .binary || bytes.count != 3, "planted") }
                case .ping(let bytes), .pong(let bytes): precondition(bytes.count <= 125, "a control frame is long")
                default: break
                }
            }
        }
    }

    static func lines(_ input: [UInt8], planted: Bool) {
        let (bytes, pieces) = cut(input)
        func steps(_ pieces: Int) -> [LineSplitter.Step] {
            var splitter = LineSplitter(lineBytesMax: 64)
            return self.steps(
                bytes, pieces: pieces, { splitter.consume($0) }, isEnd: { $0 == .tooLong },
                isHungry: { $0 == .needsMore })
        }
        let whole = steps(max(1, bytes.count))
        precondition(steps(pieces) == whole, "pieces say something else than the whole")
        for case .line(let line) in whole {
            precondition(line.count <= 64 && !line.contains(0x0A), "a line is none")
            if planted { precondition(!line.starts(with: "{\"id\"".utf8), "planted") }
            jsonRPC(line, planted: false)
        }
    }

    static func jsonRPC(_ input: [UInt8], planted: Bool) {
        for policy in [JSON.DuplicatePolicy.refused, .lastWins] {
            guard let json = try? JSON.parse(input, duplicates: policy) else { continue }
            let again = try? JSON.parse(json.bytes)
            precondition(again == json, "what is written is not what was read")
            if let message = try? RPCMessage.parse(json), planted, case .result(let id, _) = message {
                precondition(id.int != 7, "planted")
            }
            guard let request = try? RPCRequest.parse(json) else { continue }
            precondition(!request.method.isEmpty, "a request has no method")
        }
    }

    static func forms(_ input: [UInt8], planted: Bool) {
        let fields = FormFields(urlEncoded: input)
        for field in fields.fields { precondition(fields[field.name] != nil, "a field is not found by its name") }
        if planted { precondition(fields["code"] == nil, "planted") }
        // The boundary is what the input begins with, up to its first line.
        let boundary = input.prefix { $0 != 0x0D && $0 != 0x0A }.drop { $0 == 0x2D }
        let type = "multipart/form-data; boundary=\"\(String(decoding: boundary, as: UTF8.self))\""
        guard let form = try? MultipartForm(input, contentType: type) else { return }
        precondition(form.parts.count <= 32, "there are more parts than allowed")
        for part in form.parts {
            precondition(form[part.name] != nil, "a part is not found by its name")
            precondition(part.bytes.count <= input.count, "a part is larger than its body")
        }
    }
}
