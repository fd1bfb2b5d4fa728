/// A picture as large as a phone's, made here: a PNG of noise in black and white, whose bytes are stored, not compressed.
enum Photo {
    static func png(width: Int, height: Int) -> [UInt8] {
        let rowBytes = (width + 7) / 8 + 1
        var raw = [UInt8](repeating: 0, count: rowBytes * height)
        var noise: UInt64 = 42
        for index in raw.indices where index % rowBytes != 0 {
            noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            raw[index] = UInt8(truncatingIfNeeded: noise >> 56)
        }
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // One bit of grey each.
        png += chunk("IHDR", four(width) + four(height) + [1, 0, 0, 0, 0])
        png += chunk("IDAT", stored(raw))
        return png + chunk("IEND", [])
    }

    /// The same in colours that flow into each other, with the grain of a camera: what a photograph costs to open.
    static func scene(width: Int, height: Int) -> [UInt8] {
        let rowBytes = 3 * width + 1
        var raw = [UInt8](repeating: 0, count: rowBytes * height)
        var noise: UInt32 = 42
        for y in 0..<height {
            for x in 0..<width {
                for sample in 0..<3 {
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    let wave = abs((x * (sample + 2) / 5 + y * 3 / 4) % 400 - 200)
                    raw[y * rowBytes + 1 + 3 * x + sample] = UInt8(20 + wave + Int(noise >> 28))
                }
            }
        }
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits of red, green and blue each.
        png += chunk("IHDR", four(width) + four(height) + [8, 2, 0, 0, 0])
        png += chunk("IDAT", stored(raw))
        return png + chunk("IEND", [])
    }

    /// zlib's wrapping around blocks that are not compressed (RFC 1950, RFC 1951 §3.2.4).
    private static func stored(_ raw: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < raw.count {
            let part = raw[start..<min(start + 65_535, raw.count)]
            start = part.endIndex
            let length = UInt16(part.count)
            out.append(start == raw.count ? 1 : 0)
            for word in [length, ~length] { out += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            out += part
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in raw {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + four(Int(high << 16 | low))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        var check: UInt32 = .max
        for byte in body { check = table[Int((check ^ UInt32(byte)) & 0xFF)] ^ check >> 8 }
        return four(content.count) + body + four(Int(~check))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func four(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
