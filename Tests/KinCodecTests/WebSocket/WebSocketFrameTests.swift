import Testing

@testable import KinCodec

@Suite struct WebSocketFrameTests {
    @Test func `the RFC's own examples are written`() {
        #expect(frame(.text, "Hello".bytes) == [0x81, 0x05] + "Hello".bytes)
        #expect(
            frame(.text, "Hello".bytes, mask: 0x37FA_213D)
                == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(frame(.text, "Hel".bytes, fin: false) == [0x01, 0x03] + "Hel".bytes)
        #expect(frame(.continuation, "lo".bytes) == [0x80, 0x02] + "lo".bytes)
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 65537]) func `a header has the bytes it says`(length: Int) {
        for mask in [nil, 7 as UInt32?] {
            var out: [UInt8] = []
            WebSocketFrame.writeHeader(.binary, length: length, mask: mask, to: &out)
            #expect(out.count == WebSocketFrame.headerBytes(length, masked: mask != nil))
            #expect(out.count == WebSocketHeader.bytes(of: out))
            let header = WebSocketHeader(out)
            #expect((header.length, header.mask, header.isMinimal) == (length, mask, true))
        }
    }

    @Test func `masking is its own opposite at every phase`() {
        let plain = [UInt8](0...40)
        for phase in 0..<4 {
            for start in 0..<20 {
                var bytes = plain
                WebSocketMask.apply(0x1122_3344, phase: phase, to: &bytes, from: start)
                let key: [UInt8] = [0x11, 0x22, 0x33, 0x44]
                for index in plain.indices {
                    let expected = index < start ? plain[index] : plain[index] ^ key[(index - start + phase) % 4]
                    expectSame(bytes[index], expected)
                }
            }
        }
    }

    @Test func `a close frame's reason is cut at a character's border`() {
        var out: [UInt8] = []
        WebSocketFrame.writeClose(code: 4102, reason: String(repeating: "é", count: 100), to: &out)
        var machine = WebSocketMachine(role: .client, messageBytesMax: 0)
        #expect(machine.consume(out).event == .close(code: 4102, reason: String(repeating: "é", count: 61)))
        out = []
        WebSocketFrame.writeClose(code: 1006, to: &out)
        #expect(out == [0x88, 0])
    }

    private func frame(
        _ opcode: WebSocketFrame.Opcode, _ payload: [UInt8], fin: Bool = true, mask: UInt32? = nil
    ) -> [UInt8] {
        var out: [UInt8] = []
        WebSocketFrame.write(opcode, payload, fin: fin, mask: mask, to: &out)
        return out
    }
}
