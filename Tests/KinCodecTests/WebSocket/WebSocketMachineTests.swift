import Testing

@testable import KinCodec

@Suite struct WebSocketMachineTests {
    // RFC 6455 §5.7.
    @Test func `the RFC's own examples are read`() {
        #expect(read([0x81, 0x05] + "Hello".bytes, .client) == [.message(.text, "Hello".bytes)])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(read(masked) == [.message(.text, "Hello".bytes)])
        let fragments = [0x01, 0x03] + "Hel".bytes + [0x80, 0x02] + "lo".bytes
        #expect(read(fragments, .client) == [.message(.text, "Hello".bytes)])
        #expect(read([0x89, 0x05] + "Hello".bytes, .client) == [.ping("Hello".bytes)])
        let pong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(read(pong) == [.pong("Hello".bytes)])
        let bytes256 = [UInt8](repeating: 7, count: 256)
        #expect(read([0x82, 0x7E, 0x01, 0x00] + bytes256, .client) == [.message(.binary, bytes256)])
        let bytes65536 = [UInt8](repeating: 9, count: 65536)
        #expect(
            read([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + bytes65536, .client) == [.message(.binary, bytes65536)])
    }

    @Test func `a conversation gives the same events wherever it is cut`() {
        var bytes: [UInt8] = []
        WebSocketFrame.write(
            .text, "Grüße 😀, a message that is longer than sixteen bytes".bytes, mask: 0x0102_0304, to: &bytes)
        WebSocketFrame.write(.text, Array("😀".utf8.prefix(1)), fin: false, mask: 0xFFFF_FFFF, to: &bytes)
        WebSocketFrame.write(.ping, "between".bytes, mask: 0xA0B0_C0D0, to: &bytes)
        WebSocketFrame.write(.continuation, [], fin: false, mask: 1, to: &bytes)
        WebSocketFrame.write(.continuation, Array("😀".utf8.dropFirst(1)), mask: 0, to: &bytes)
        WebSocketFrame.write(.binary, [UInt8](0...200), mask: 0x8000_0001, to: &bytes)
        WebSocketFrame.write(.text, [], mask: 5, to: &bytes)
        WebSocketFrame.writeClose(code: 1000, reason: "bye é", mask: 0xDEAD_BEEF, to: &bytes)
        let said = atEverySplit(bytes) { events($0) }
        #expect(
            said == [
                .message(.text, "Grüße 😀, a message that is longer than sixteen bytes".bytes), .ping("between".bytes),
                .message(.text, "😀".bytes), .message(.binary, [UInt8](0...200)), .message(.text, []),
                .close(code: 1000, reason: "bye é"),
            ])
    }

    @Test func `what follows a close is dropped`() {
        let bytes: [UInt8] = [0x88, 0x80, 1, 2, 3, 4, 0xFF, 0xFF, 0xFF]
        #expect(read(bytes) == [.close(code: nil, reason: "")])
    }

    enum Before: CaseIterable { case nothing, textFragment, binaryFragment }

    /// State × frame: what each frame leads to between messages and within one.
    @Test(arguments: Before.allCases) func `every opcode in every state`(before: Before) {
        let start: [UInt8] =
            switch before {
            case .nothing: []
            case .textFragment: [0x01, 0x80, 0, 0, 0, 0]
            case .binaryFragment: [0x02, 0x80, 0, 0, 0, 0]
            }
        for first in UInt8.min...UInt8.max {
            let said = outcome(read(start + [first, 0x81, 0, 0, 0, 0, 0x41]))
            let (fin, reserved, opcode) = (first & 0x80 != 0, first & 0x70, first & 0x0F)
            let expected: String
            switch opcode {
            case 3...7, 0xB...0xF: expected = "1002"
            case _ where reserved != 0: expected = "1002"
            case 8: expected = "1002"  // half a code, or a fragment
            case 9: expected = fin ? "ping" : "1002"
            case 0xA: expected = fin ? "pong" : "1002"
            case 0: expected = before == .nothing ? "1002" : !fin ? "" : before == .textFragment ? "text" : "binary"
            case 1: expected = before != .nothing ? "1002" : fin ? "text" : ""
            default: expected = before != .nothing ? "1002" : fin ? "binary" : ""
            }
            expectSame(said, expected, "first byte \(String(first, radix: 16))")
        }
    }

    @Test func `masks are the client's duty and only the client's`() {
        #expect(outcome(read([0x81, 0x01, 0x41])) == "1002")
        #expect(outcome(read([0x81, 0x81, 0, 0, 0, 0, 0x41], .client)) == "1002")
    }

    @Test func `lengths are written in their shortest form and below two to the 63`() {
        #expect(outcome(read([0x82, 126, 0, 125], .client)) == "1002")
        #expect(outcome(read([0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .client)) == "1002")
        #expect(outcome(read([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .client)) == "1002")
        #expect(outcome(read([0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .client)) == "1009")
        #expect(outcome(read([0x89, 126, 0, 126], .client)) == "1002")
    }

    @Test func `a message over the bound fails before it comes, in fragments too`() {
        let body = [UInt8](repeating: 0, count: 10)
        #expect(outcome(read([0x82, 10] + body, .client, messageBytesMax: 10)) == "binary")
        #expect(outcome(read([0x82, 11], .client, messageBytesMax: 10)) == "1009")
        #expect(outcome(read([0x02, 5] + body.prefix(5) + [0x80, 6], .client, messageBytesMax: 10)) == "1009")
        // The bound is per message, not per connection.
        #expect(read([0x82, 10] + body + [0x82, 10] + body, .client, messageBytesMax: 10).count == 2)
        // A control frame between fragments does not count.
        #expect(
            outcome(
                read(
                    [0x02, 5] + body.prefix(5) + [0x8A, 9] + body.prefix(9) + [0x80, 5] + body.prefix(5), .client,
                    messageBytesMax: 10)) == "pong binary")
    }

    @Test func `a length that is announced is not reserved`() {
        var machine = WebSocketMachine(role: .client, messageBytesMax: .max)
        #expect(
            machine.consume([0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]).event == .needsMore)
    }

    @Test func `tells whether it is between messages: frames of control within one are no end of it`() {
        var machine = WebSocketMachine(role: .client, messageBytesMax: 10)
        var told: [Bool] = []
        // A text in two fragments with a ping between; a ping by itself.
        let bytes: [UInt8] = [0x01, 1, 0x61, 0x89, 1, 0x62, 0x80, 1, 0x63, 0x89, 1, 0x64]
        for byte in bytes {
            var event = machine.consume([byte].span).event
            while event != .needsMore { event = machine.consume([UInt8]().span).event }
            told.append(machine.isBetweenMessages)
        }
        #expect(told == bytes.indices.map { $0 == 8 || $0 == 11 })
        _ = machine.consume([0x83, 0].span)
        #expect(machine.isBetweenMessages, "nothing more is read of one that failed")
    }

    @Test func `text is judged as it comes, at the first bad byte`() {
        // κόσμε, then a surrogate, in a frame that is not whole: RFC 6455 §8.1, failed at once.
        let bad: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xED, 0xA0]
        #expect(outcome(read([0x81, 20] + bad, .client)) == "1007")
        #expect(outcome(read([0x81, 20] + bad.dropLast(), .client)) == "")
        #expect(outcome(read([0x01, 1, 0xCE, 0x80, 1, 0x41], .client)) == "1007")
        // Cut short at the end of the message.
        #expect(outcome(read([0x81, 1, 0xCE], .client)) == "1007")
        #expect(outcome(read([0x01, 1, 0xCE, 0x80, 0], .client)) == "1007")
        #expect(outcome(read([0x01, 1, 0xCE, 0x80, 1, 0xBA], .client)) == "text")
        // Binary is not judged, and the next text starts anew.
        #expect(outcome(read([0x82, 1, 0xCE, 0x81, 1, 0x41], .client)) == "binary text")
    }

    @Test func `close codes that may stand on the wire are told from those that may not`() {
        for code in UInt16.min...UInt16.max {
            let good = (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
            var machine = WebSocketMachine(role: .client, messageBytesMax: 10)
            let event = machine.consume([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)]).event
            if good {
                expectSame(event, .close(code: code, reason: ""))
            } else if case .failed(code: 1002, _) = event {
            } else {
                Issue.record("\(code) was taken")
            }
        }
        #expect(outcome(read([0x88, 3, 0x03, 0xE8, 0xFF], .client)) == "1007")
        #expect(outcome(read([0x88, 1, 0x03], .client)) == "1002")
    }

    @Test func `random frames never trap and are read the same in two pieces`() {
        var random = Seeded(5)
        for round in 0..<30_000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(6) {
                if random.below(10) == 0 {
                    bytes += random.bytes(random.below(12))
                } else {
                    let opcodes: [WebSocketFrame.Opcode] = [.continuation, .text, .binary, .ping, .pong]
                    let payload = random.below(2) == 0 ? random.bytes(random.below(20)) : "Grüße 😀".bytes
                    let opcode = opcodes[random.below(5)]
                    WebSocketFrame.write(
                        opcode, payload, fin: opcode.isControl || random.below(2) == 0,
                        mask: round % 2 == 0 ? UInt32(truncatingIfNeeded: random.next()) : nil, to: &bytes)
                }
            }
            let role: WebSocketMachine.Role = round % 2 == 0 ? .server : .client
            let cut = random.below(bytes.count + 1)
            expectSame(
                events([bytes], role, messageBytesMax: 40),
                events([Array(bytes[..<cut]), Array(bytes[cut...])], role, messageBytesMax: 40))
        }
    }

    private func read(
        _ bytes: [UInt8], _ role: WebSocketMachine.Role = .server, messageBytesMax: Int = 1 << 20
    ) -> [WebSocketMachine.Event] { events([bytes], role, messageBytesMax: messageBytesMax) }

    private func events(
        _ pieces: [[UInt8]], _ role: WebSocketMachine.Role = .server, messageBytesMax: Int = 1 << 20
    ) -> [WebSocketMachine.Event] {
        var machine = WebSocketMachine(role: role, messageBytesMax: messageBytesMax)
        var said: [WebSocketMachine.Event] = []
        feed(
            pieces, consume: { machine.consume($0) }, isNeedsMore: { $0 == .needsMore },
            take: { event in
                said.append(event)
                if case .failed = event { return false }
                return true
            })
        return said
    }

    /// Events in words; a failure is its code.
    private func outcome(_ events: [WebSocketMachine.Event]) -> String {
        events.map { event in
            switch event {
            case .needsMore: "more"
            case .message(.text, _): "text"
            case .message(.binary, _): "binary"
            case .ping: "ping"
            case .pong: "pong"
            case .close: "close"
            case .failed(let code, _): "\(code)"
            }
        }.joined(separator: " ")
    }
}
