import Testing

@testable import KinCodec

/// RFC 7692: compressed messages, by their bytes.
@Suite struct WebSocketDeflateTests {
    // §7.2.3.1 to §7.2.3.5.
    @Test(
        arguments: [
            [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00],
            [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]]) func `the RFC's own examples are read, wherever they are cut`(bytes: [UInt8])
    {
        #expect(atEverySplit(bytes) { events($0) } == [.message(.text, "Hello".bytes)])
        // Each message by itself: the second is read without the first one's context.
        #expect(events([bytes, bytes]).count == 2)
    }

    @Test func `an empty message is one empty block, and one without any is empty too`() {
        #expect(events([[0xC1, 0x01, 0x00]]) == [.message(.text, [])])
        #expect(events([[0xC2, 0x00]]) == [.message(.binary, [])])
        #expect(events([[0x41, 0x01, 0x00, 0x80, 0x00]]) == [.message(.text, [])])
    }

    @Test func `a conversation of plain and compressed messages gives the same wherever it is cut`() throws {
        let text = "Grüße 😀 " + String(repeating: "Grüße aus der Küche. ", count: 9)
        let small = try #require(Deflater().deflate(text.bytes, windowBits: 15))
        var bytes: [UInt8] = []
        WebSocketFrame.write(.text, small, reserved: 0x40, to: &bytes)
        WebSocketFrame.write(.text, "plain between".bytes, to: &bytes)
        WebSocketFrame.write(.binary, Array(small[..<7]), fin: false, reserved: 0x40, to: &bytes)
        WebSocketFrame.write(.ping, "x".bytes, to: &bytes)
        WebSocketFrame.write(.continuation, Array(small[7..<30]), fin: false, to: &bytes)
        WebSocketFrame.write(.continuation, Array(small[30...]), to: &bytes)
        let said = atEverySplit(bytes) { events($0) }
        #expect(
            said == [
                .message(.text, text.bytes), .message(.text, "plain between".bytes), .ping("x".bytes),
                .message(.binary, text.bytes),
            ])
    }

    @Test func `RSV1 stands on a message's first frame, and only where compression was agreed`() {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(code(events([[0xC1, 7] + hello], isDeflated: false)) == 1002)
        #expect(code(events([[0x41, 3] + hello[..<3] + [0xC0, 4] + hello[3...]])) == 1002)
        for first: UInt8 in [0xC8, 0xC9, 0xCA, 0xA1, 0x91, 0xE1, 0xD1, 0xC3, 0xCB] {
            #expect(code(events([[first, 7] + hello])) == 1002, "first byte \(first)")
        }
    }

    @Test func `what is no compressed message fails with 1007, and text is judged as it is inflated`() throws {
        // A reserved kind of block, a stored block whose length contradicts itself, half a block, a distance too far.
        for bad: [UInt8] in [[0x06, 0x00], [0x00, 0x05, 0x00, 0x00, 0x00], [0xF2, 0x48], [0x0A, 0xC3, 0x00]] {
            #expect(code(events([[0xC1, UInt8(bad.count)] + bad])) == 1007, "\(bad)")
        }
        // Bad UTF-8 in a fragment is known before the message's end.
        let bad = try #require(
            Deflater().deflate([UInt8](repeating: 0x41, count: 40) + [0xFF, 0x41], windowBits: 15))
        #expect(code(events([[0x41, UInt8(bad.count)] + bad])) == 1007)
        // A character that is cut off at the end.
        let cut = try #require(Deflater().deflate([UInt8](repeating: 0x41, count: 40) + [0xC3], windowBits: 15))
        #expect(code(events([[0xC1, UInt8(cut.count)] + cut])) == 1007)
        #expect(events([[0xC2, UInt8(cut.count)] + cut]).count == 1)
    }

    @Test func `a bomb fails with 1009 at the bound, and never takes more memory than it`() throws {
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        let bomb = try #require(Deflater().deflate(zeros, windowBits: 15))
        #expect(bomb.count < 8192, "a thousand to one")
        for fragmentBytes in [bomb.count, 100, 1] {
            var bytes: [UInt8] = []
            var rest = bomb[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(fragmentBytes))
                rest = rest.dropFirst(fragmentBytes)
                WebSocketFrame.write(
                    rest.count + piece.count == bomb.count ? .binary : .continuation, piece, fin: rest.isEmpty,
                    reserved: rest.count + piece.count == bomb.count ? 0x40 : 0, to: &bytes)
            }
            var machine = WebSocketMachine(role: .client, messageBytesMax: 100_000, isDeflated: true)
            var most = 0
            var consumed = 0
            while consumed < bytes.count {
                let (count, event) = machine.consume(bytes[consumed..<min(bytes.count, consumed + 50)])
                consumed += count
                most = max(most, machine.messageCapacity)
                if case .failed(let code, _) = event {
                    #expect(code == 1009)
                    break
                }
            }
            #expect(consumed < bytes.count / 4, "it is known early")
            // What malloc rounds up to, beside the array's own head.
            #expect((1...140_000).contains(most), "\(most)")
        }
    }

    @Test func `the bound is exact`() throws {
        let message = [UInt8](repeating: 0x41, count: 1000)
        let small = try #require(Deflater().deflate(message, windowBits: 15))
        let frame = [0xC1, UInt8(small.count)] + small
        #expect(events([frame], messageBytesMax: 1000) == [.message(.text, message)])
        #expect(code(events([frame], messageBytesMax: 999)) == 1009)
    }

    @Test func `empty blocks without end are no way to say nothing for ever`() {
        var machine = WebSocketMachine(role: .client, messageBytesMax: 1000, isDeflated: true)
        var sent = 0
        var bytes: [UInt8] = [0x42, 5, 0x00, 0x00, 0x00, 0xFF, 0xFF]
        while sent < 10_000 {
            if case .failed(let code, _) = machine.consume(bytes).event {
                #expect(code == 1009)
                break
            }
            bytes[0] = 0x00
            sent += 5
        }
        #expect(sent < 4000)
    }

    @Test func `what is compressed is read again, in windows of every size, and made only where it is smaller`() throws
    {
        var random = Seeded(7)
        let deflater = Deflater()
        for round in 0..<400 {
            let words = ["meeting", "voted", "😀", "kin", "\":{\"", "0198f3a0", "Grüße"]
            var text = ""
            for _ in 0..<(1 + random.below(round * 3 + 10)) { text += words[random.below(words.count)] }
            let bits = UInt8(9 + random.below(7))
            guard let small = deflater.deflate(text.bytes, windowBits: bits) else { continue }
            #expect(small.count < text.utf8.count)
            var frame: [UInt8] = []
            WebSocketFrame.write(.text, small, reserved: 0x40, to: &frame)
            expectSame(events([frame]), [.message(.text, text.bytes)])
        }
        #expect(deflater.deflate([], windowBits: 15) == nil)
        #expect(deflater.deflate("a".bytes, windowBits: 15) == nil)
        #expect(deflater.deflate(random.bytes(5000), windowBits: 15) == nil)
    }

    @Test func `a message refers no further back than the window`() throws {
        var random = Seeded(9)
        let part = random.bytes(400)
        // The same 400 bytes twice, 5,000 apart: a window of 4 kB cannot see the first ones.
        let message = part + random.bytes(4600) + part
        let deflater = Deflater()
        for bits: UInt8 in 9...12 { #expect(deflater.deflate(message, windowBits: bits) == nil) }
        for bits: UInt8 in 13...15 {
            let small = try #require(deflater.deflate(message, windowBits: bits))
            #expect(small.count < message.count - 300)
        }
    }

    @Test func `short messages are the same for all windows, so that they can be shared`() {
        #expect(Deflater.windowBits(for: 200, atMost: 15) == 9)
        #expect(Deflater.windowBits(for: 700, atMost: 15) == 10)
        #expect(Deflater.windowBits(for: 700, atMost: 9) == 9)
        #expect(Deflater.windowBits(for: 1 << 20, atMost: 15) == 15)
        #expect(Deflater.windowBits(for: 1 << 20, atMost: 12) == 12)
    }

    private func events(
        _ pieces: [[UInt8]], isDeflated: Bool = true, messageBytesMax: Int = 1 << 20
    ) -> [WebSocketMachine.Event] {
        var machine = WebSocketMachine(role: .client, messageBytesMax: messageBytesMax, isDeflated: isDeflated)
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

    private func code(_ events: [WebSocketMachine.Event]) -> UInt16? {
        if case .failed(let code, _)? = events.last { code } else { nil }
    }
}
