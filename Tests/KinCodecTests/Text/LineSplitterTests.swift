import Testing

@testable import KinCodec

@Suite struct LineSplitterTests {
    @Test func `lines end in LF or CRLF, and empty ones are skipped`() {
        let said = atEverySplit("\r\n\n{\"a\":1}\r\n\r\nb\rc\n\n\nd\r\r\nunfinished".bytes) { lines($0, bytesMax: 100) }
        #expect(said == ["{\"a\":1}", "b\rc", "d\r"])
    }

    @Test func `a line may have exactly as many bytes as allowed`() {
        #expect(atEverySplit("12345\r\n12345\n1\n".bytes) { lines($0, bytesMax: 5) } == ["12345", "12345", "1"])
        #expect(atEverySplit("1\n123456\n1\n".bytes) { lines($0, bytesMax: 5) } == ["1", "too long"])
        #expect(atEverySplit("123456\r\n".bytes) { lines($0, bytesMax: 5) } == ["too long"])
        #expect(atEverySplit("12345678".bytes) { lines($0, bytesMax: 5) } == ["too long"])
        #expect(atEverySplit("12345\r".bytes) { lines($0, bytesMax: 5) } == [])
        #expect(atEverySplit("12345\r6".bytes) { lines($0, bytesMax: 5) } == ["too long"])
    }

    @Test func `the bound may be raised between lines`() {
        var splitter = LineSplitter(lineBytesMax: 2)
        #expect(splitter.consume("ab\n".bytes).step == .line("ab".bytes))
        splitter.lineBytesMax = 4
        #expect(splitter.consume("abcd\n".bytes).step == .line("abcd".bytes))
        #expect(splitter.consume("abcde\n".bytes).step == .tooLong)
        #expect(splitter.consume("a\n".bytes).step == .tooLong)
    }

    @Test func `random bytes never trap`() {
        var random = Seeded(7)
        for _ in 0..<30_000 {
            let bytes = (0..<random.below(30)).map { _ in [0x0A, 0x0D, 0x61, 0x00][random.below(4)] as UInt8 }
            let cut = random.below(bytes.count + 1)
            expectSame(lines([bytes], bytesMax: 4), lines([Array(bytes[..<cut]), Array(bytes[cut...])], bytesMax: 4))
        }
    }

    private func lines(_ pieces: [[UInt8]], bytesMax: Int) -> [String] {
        var splitter = LineSplitter(lineBytesMax: bytesMax)
        var said: [String] = []
        feed(
            pieces, consume: { splitter.consume($0) }, isNeedsMore: { $0 == .needsMore },
            take: { step in
                guard case .line(let line) = step else {
                    said.append("too long")
                    return false
                }
                said.append(String(decoding: line, as: UTF8.self))
                return true
            })
        return said
    }
}
