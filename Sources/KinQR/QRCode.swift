internal import CQRencode

/// A QR code (ISO/IEC 18004) of a text, made by libqrencode: for terminals and for pages.
public struct QRCode: Sendable, Equatable {
    /// Modules on a side, without the quiet zone.
    public let side: Int
    private let dark: [Bool]

    /// The smallest code that holds the text's bytes at error correction level M; `nil` when it is longer than a code
    /// can be (about 2,300 bytes) or empty.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return nil }
        let made = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe QRcode_encodeData(Int32(clamping: buffer.count), buffer.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let code = unsafe made else { return nil }
        defer { unsafe QRcode_free(code) }
        let side = unsafe Int(code.pointee.width)
        self.side = side
        // The lowest bit of a module is its colour.
        dark = (0..<(side * side)).map { index in unsafe code.pointee.data[index] & 1 == 1 }
    }

    /// Whether a module is dark; outside of the code none is.
    public subscript(row: Int, column: Int) -> Bool {
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        return dark[row * side + column]
    }

    /// Modules of light around the code that scanners need.
    static let quiet = 4

    /// For a terminal: two rows a line in Unicode half blocks, dark on light whatever the terminal's colours are.
    public var halfBlocks: String {
        let range = -Self.quiet..<(side + Self.quiet)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                switch (self[row, column], self[row + 1, column]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[30;107m" + line.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }

    /// For a page: an SVG image without script, one path of all dark modules.
    public var svg: String {
        var path = ""
        for row in 0..<side {
            for column in 0..<side where self[row, column] {
                path += "M\(column + Self.quiet) \(row + Self.quiet)h1v1h-1z"
            }
        }
        let size = side + 2 * Self.quiet
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size) \(size)\" shape-rendering=\"crispEdges\">"
            + "<rect width=\"\(size)\" height=\"\(size)\" fill=\"#fff\"/><path d=\"\(path)\"/></svg>"
    }
}
