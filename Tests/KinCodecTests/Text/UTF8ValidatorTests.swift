import Testing

@testable import KinCodec

@Suite struct UTF8ValidatorTests {
    @Test func `it judges as the standard library does, and at the first bad byte`() {
        var random = Seeded(6)
        let edges: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
            0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<50_000 {
            let bytes = (0..<random.below(6)).map { _ in edges[random.below(edges.count)] }
            let isGood = String(validating: bytes, as: UTF8.self) != nil
            var whole = UTF8Validator()
            let isTaken = whole.consume(bytes.span)
            expectSame(isTaken && whole.isComplete, isGood, "\(bytes)")
            // What is taken but not complete becomes good with some continuation bytes.
            if isTaken, !whole.isComplete {
                let ends: [[UInt8]] = [
                    [0x80], [0xBF], [0xA0], [0x80, 0x80], [0x90, 0x80], [0xA0, 0x80], [0x90, 0x80, 0x80],
                    [0x80, 0x80, 0x80],
                ]
                expectSame(ends.contains { String(validating: bytes + $0, as: UTF8.self) != nil }, true, "\(bytes)")
            }
            var bytewise = UTF8Validator()
            let verdicts = bytes.map { bytewise.consume([$0].span) }
            expectSame(verdicts.allSatisfy { $0 }, isTaken)
            expectSame(bytewise.isComplete, whole.isComplete)
        }
    }

    @Test func `every scalar is taken and no surrogate`() {
        for value in UInt32(0)...0x10FFFF where value % 7 == 0 || value > 0xD700 && value < 0xE100 {
            guard let scalar = Unicode.Scalar(value) else {
                let bytes = [UInt8(0xE0 | value >> 12), UInt8(0x80 | value >> 6 & 0x3F), UInt8(0x80 | value & 0x3F)]
                var validator = UTF8Validator()
                let isTaken = validator.consume(bytes.span)
                if isTaken { Issue.record("\(value) is a surrogate") }
                continue
            }
            let bytes = Array(String(scalar).utf8)
            var validator = UTF8Validator()
            let isTaken = validator.consume(bytes.span)
            if !isTaken || !validator.isComplete { Issue.record("\(value) was refused") }
        }
    }

    @Test func `a bad byte is found at every place of long text`() {
        for place in 0..<40 {
            var bytes = [UInt8](repeating: 0x61, count: 40)
            bytes[place] = 0xFF
            var validator = UTF8Validator()
            let isTaken = validator.consume(bytes.span)
            #expect(!isTaken)
            let more = validator.consume([0x61].span)
            #expect(!more, "it stays broken")
        }
    }
}
