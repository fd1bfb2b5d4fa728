import KinQR

extension QRCode {
    /// Modules of light around the code that a reader needs.
    static let quietModules = 4

    /// The lines of the code, with two modules in each character, by half blocks. Without colours the light modules are
    /// drawn. That is right on a dark terminal, and readable for most cameras on a light one. With colours it is dark
    /// on light everywhere.
    func lines(isColoured: Bool) -> [String] {
        let range = -Self.quietModules..<(side + Self.quietModules)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                let upper = self[row, column]
                let lower = row + 1 < range.upperBound ? self[row + 1, column] : !isColoured
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
}

extension Output {
    /// Draws the code where a camera can see it: on a terminal that is wide enough.
    func draw(qr text: String) {
        guard isTerminal, let code = QRCode(text) else { return }
        let columns = code.side + 2 * QRCode.quietModules
        guard columns <= width ?? 0 else {
            warn(phrase("qr.narrow", ["columns": columns]))
            return
        }
        say(code.lines(isColoured: isColoured).joined(separator: "\n"))
    }
}
