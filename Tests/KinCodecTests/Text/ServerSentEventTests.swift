import Testing

@testable import KinCodec

@Suite struct ServerSentEventTests {
    // WHATWG HTML §9.2.6.
    @Test func `the standard's own examples are read`() {
        #expect(
            read("data: YHOO\ndata: +2\ndata: 10\n\n") == [.event(type: "message", data: "YHOO\n+2\n10", id: "")])
        #expect(
            read(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n") == [
                .comment, .event(type: "message", data: "first event", id: "1"),
                .event(type: "message", data: "second event", id: ""),
                .event(type: "message", data: " third event", id: ""),
            ])
        #expect(
            read("data\n\ndata\ndata\n\ndata:") == [
                .event(type: "message", data: "", id: ""), .event(type: "message", data: "\n", id: ""),
            ])
        #expect(read("data:test\n\ndata: test\n\n").count == 2)
    }

    @Test func `lines end in LF, CR or CRLF wherever the bytes are cut`() {
        let text =
            "\u{FEFF}event: add\rdata: 1\r\nid: 7\n\ndata: 2\r\rretry: 1500\r\n\r\n:\r\nunknown: x\ndata: é\n\r\n"
        let said = atEverySplit(text.bytes) { events($0) }
        #expect(
            said == [
                .event(type: "add", data: "1", id: "7"), .event(type: "message", data: "2", id: "7"),
                .retry(milliseconds: 1500), .comment, .event(type: "message", data: "é", id: "7"),
            ])
    }

    @Test func `ids with NUL and retries that are no number are ignored`() {
        #expect(
            read("id: a\u{0}b\nretry: -1\nretry: 99999999999999999999\ndata: x\n\n")
                == [.event(type: "message", data: "x", id: "")])
        #expect(read("event: lost\n\ndata: x\n\n") == [.event(type: "message", data: "x", id: "")])
    }

    @Test func `what is written is read back`() {
        var out: [UInt8] = []
        ServerSentEvent.writeRetry(milliseconds: 3000, to: &out)
        ServerSentEvent.writeComment("alive\n", to: &out)
        ServerSentEvent.write(id: "c\n1", type: "ev\rent", data: "{\"a\":1}".bytes, to: &out)
        ServerSentEvent.write(data: "a\nb\r\nc\r\n".bytes, to: &out)
        ServerSentEvent.write(id: "c2", type: "upto", data: [], to: &out)
        #expect(
            events([out]) == [
                .retry(milliseconds: 3000), .comment, .event(type: "event", data: "{\"a\":1}", id: "c1"),
                .event(type: "message", data: "a\nb\nc\n", id: "c1"), .event(type: "upto", data: "", id: "c2"),
            ])
        var one: [UInt8] = []
        ServerSentEvent.write(id: "7", data: "x".bytes, to: &one)
        #expect(String(decoding: one, as: UTF8.self) == "id: 7\ndata: x\n\n")
    }

    @Test func `the id to come back with is that of the last whole event`() {
        var parser = ServerSentEventParser(eventBytesMax: 100)
        _ = parser.consume("id: 1\ndata: a\n\n".bytes)
        _ = parser.consume("id: 2\ndata: b\n".bytes)
        #expect(parser.lastEventID == "1")
    }

    @Test func `an event over the bound ends the stream`() {
        #expect(read("data: 12345\n\n", bytesMax: 5).count == 1)
        #expect(read("data: 123\ndata: 123\n\n", bytesMax: 5) == [.tooLong])
        #expect(read(":" + String(repeating: "x", count: 100), bytesMax: 5) == [.tooLong])
    }

    @Test func `random bytes never trap`() {
        var random = Seeded(8)
        let parts = ["data", "id", "event", "retry", ":", " ", "\n", "\r", "\r\n", "1", "\u{0}", "é", "\u{FEFF}"].map(
            \.bytes)
        for _ in 0..<20_000 {
            let bytes = (0..<random.below(20)).flatMap { _ in parts[random.below(parts.count)] }
            let cut = random.below(bytes.count + 1)
            expectSame(events([bytes], bytesMax: 8), events([Array(bytes[..<cut]), Array(bytes[cut...])], bytesMax: 8))
        }
    }

    private func read(_ text: String, bytesMax: Int = 1000) -> [ServerSentEventParser.Step] {
        events([text.bytes], bytesMax: bytesMax)
    }

    private func events(_ pieces: [[UInt8]], bytesMax: Int = 1000) -> [ServerSentEventParser.Step] {
        var parser = ServerSentEventParser(eventBytesMax: bytesMax)
        var said: [ServerSentEventParser.Step] = []
        feed(
            pieces, consume: { parser.consume($0) }, isNeedsMore: { $0 == .needsMore },
            take: { step in
                said.append(step)
                return step != .tooLong
            })
        return said
    }
}
