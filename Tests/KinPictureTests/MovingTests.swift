import KinDarkroom
import Testing

@testable import KinPicture

/// A WebP that moves, of WebPs that do not (RFC 9649 §2.7.1).
func moving(_ width: Int, _ height: Int, _ frames: [[UInt8]]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(content.count, 4) + content + (content.count & 1 == 1 ? [0] : [])
    }
    let sides = number(width - 1, 3) + number(height - 1, 3)
    // It moves, and has an alpha channel.
    var body = chunk("VP8X", [0x12, 0, 0, 0] + sides) + chunk("ANIM", number(0, 6))
    for frame in frames {
        var chunks = Array(frame.dropFirst(12))
        if chunks.starts(with: Array("VP8X".utf8)) { chunks.removeFirst(18) }
        let head = number(0, 6) + sides + number(100, 3)
        body += chunk("ANMF", head + [0] + chunks)
    }
    return Array("RIFF".utf8) + number(body.count + 4, 4) + Array("WEBP".utf8) + body
}

@Suite struct `A picture that moves` {
    private func made(_ bytes: [UInt8]) throws -> Canvas {
        try #require(Canvas(jpeg: try Negative(bytes).develop([.whole(320)]).sheets[0].jpeg))
    }

    @Test func `is its first frame, whether it can be seen through or not`() throws {
        let blue = Canvas(41, 30) { _, _ in 0x0000FF }.webp
        let red = Canvas(41, 30) { _, _ in 0xFF0000 }
        let half = Canvas(41, 30) { x, _ in x < 20 ? 0x7F00_0000 : 0x00FF00 }
        let first = try made(moving(41, 30, [red.webp, blue]))
        #expect(first.width == 41 && first.height == 30 && first.isNear(0xFF0000, 20, 15))
        let clear = try made(moving(41, 30, [half.webp, blue]))
        #expect(clear.isNear(0xFFFFFF, 5, 15) && clear.isNear(0x00FF00, 35, 15))
        #expect(try WebP.firstFrame(red.webp) == nil && WebP.firstFrame(half.webp) == nil)
    }

    @Test func `whose frame is larger than it says, or is none, is refused before it is decoded`() throws {
        let small = Canvas(8, 8) { _, _ in 0xFF0000 }.webp
        var frame = small
        // The sides of a frame with loss stand behind its mark.
        let mark = try #require(frame.indices.first { frame[$0...].starts(with: [0x9D, 0x01, 0x2A]) })
        frame.replaceSubrange(mark + 3..<mark + 7, with: [0xFF, 0x3F, 0xFF, 0x3F])
        let bomb = moving(8, 8, [frame])
        let failure = #expect(throws: PictureFailure.self) { try made(bomb) }
        #expect(failure.map { $0 != .damaged } == true && failure?.line.hasPrefix("needsMemory") == true)
        var none = moving(8, 8, [])
        #expect(throws: PictureFailure.damaged) { try made(none) }
        none = moving(8, 8, [Array(small.prefix(12))])
        #expect(throws: PictureFailure.damaged) { try made(none) }
    }
}
