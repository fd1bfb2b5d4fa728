/// A PNG of one colour that is large when it is decoded and small as a file (PNG, third edition; RFC 1950, RFC 1951).
enum BlackPicture {
    static func png(side: Int) -> [UInt8] {
        // One bit a pixel, behind a byte for each row's filter: all of it zeroes.
        let zeroes = (1 + (side + 7) / 8) * side
        let header = number(side) + number(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", [0x78, 0x9C] + deflated(zeroes: zeroes) + number(adler(zeroes: zeroes)))
            + chunk("IEND", [])
    }

    /// One block with fixed codes: a zero, then the same again, 258 at a time.
    private static func deflated(zeroes: Int) -> [UInt8] {
        var bits = Bits()
        bits.add(0b011, 3)
        var left = zeroes
        while left > 0 {
            if left < zeroes, left >= 258 {
                bits.addCode(0b1100_0101, 8)
                bits.addCode(0, 5)
                left -= 258
            } else {
                bits.addCode(0b0011_0000, 8)
                left -= 1
            }
        }
        bits.addCode(0, 7)
        return bits.bytes
    }

    private struct Bits {
        var bytes: [UInt8] = []
        private var used = 8

        /// The lowest bit first.
        mutating func add(_ value: Int, _ count: Int) {
            for bit in 0..<count {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
                used += 1
            }
        }

        /// Codes go highest bit first.
        mutating func addCode(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { add(value >> bit & 1, 1) }
        }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        var check: UInt32 = .max
        for byte in checked {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
        }
        return number(content.count) + checked + number(Int(~check))
    }

    /// Of zeroes the first sum stays 1, and the second counts them.
    private static func adler(zeroes: Int) -> Int { zeroes % 65_521 << 16 | 1 }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
