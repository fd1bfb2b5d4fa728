import CQRencode

/// A QR code (ISO/IEC 18004) of some text, by libqrencode.
struct QRCode: Equatable {
    /// Modules a side, without the quiet zone.
    let side: Int
    /// Row by row; true is dark.
    let modules: [Bool]

    /// The smallest code that holds the text's bytes at error correction level M, or L where that does not fit; `nil`
    /// when nothing does (more than 2,953 bytes).
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        guard
            let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M)
                ?? QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L)
        else { return nil }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        self.side = side
        // The lowest bit of each module's byte is its colour.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Modules of light around the code that a reader needs.
    static let quietModules = 4

    /// Two modules a character, by half blocks. Without colours the light modules are drawn, as is right on a dark
    /// terminal and readable for most cameras on a light one; with colours it is dark on light everywhere.
    func lines(isColoured: Bool) -> [String] {
        let range = -Self.quietModules..<(side + Self.quietModules)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                let upper = isDark(row, column)
                let lower = row + 1 < range.upperBound ? isDark(row + 1, column) : !isColoured
                switch (upper == isColoured, lower == isColoured) {
                case (true, true): return "█"
                case (true, false): return "▀"
                case (false, true): return "▄"
                case (false, false): return " "
                }
            }
            return isColoured ? "\u{1B}[30;107m\(line.joined())\u{1B}[0m" : line.joined()
        }
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        return modules[row * side + column]
    }
}

extension Output {
    /// Draws the code where a camera can see it: on a terminal that is wide enough.
    func draw(qr text: String) {
        guard isTerminal, let code = QRCode(text) else { return }
        let columns = code.side + 2 * QRCode.quietModules
        guard columns <= width ?? 0 else {
            warn("The window is too narrow for the QR code (\(columns) columns); widen it and make a new one.")
            return
        }
        say(code.lines(isColoured: isColoured).joined(separator: "\n"))
    }
}
