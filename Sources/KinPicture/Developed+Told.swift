/// What the darkroom tells: lines of words, an empty one, then the JPEGs one behind the other. The first line is `done`, or
/// why it was refused; `taken` says when it was taken; `sheet` has the bytes of each JPEG.
extension Developed {
    private static let lineBytesMax = 1024

    /// Believes nothing: each sheet must be a JPEG of pixels alone, within what was asked for.
    package init(told: [UInt8], _ prints: [Print]) throws(PictureFailure) {
        let head = told.prefix(Self.lineBytesMax)
        guard let end = head.indices.dropLast().first(where: { head[$0] == 0x0A && head[$0 + 1] == 0x0A }) else {
            throw .damaged
        }
        let lines = String(decoding: head[..<end], as: UTF8.self).split(separator: "\n")
        guard let first = lines.first else { throw .damaged }
        if first != "done" { throw PictureFailure(line: first) ?? .damaged }
        var (sheets, taken, rest) = ([Sheet](), Taken?.none, told[(end + 2)...])
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { throw .damaged }
            if words[0] == "taken" {
                taken = Taken(line: words[1])
            } else if words[0] == "sheet", let count = Int(words[1]), count > 0, count <= rest.count,
                sheets.count < prints.count
            {
                let jpeg = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                let print = prints[sheets.count]
                guard let sides = JPEG.sidesOfPlain(jpeg), (1...print.sideMax).contains(sides.width),
                    (1...print.sideMax).contains(sides.height)
                else { throw .damaged }
                sheets.append(Sheet(width: sides.width, height: sides.height, jpeg: jpeg))
            } else {
                throw .damaged
            }
        }
        guard sheets.count == prints.count, rest.isEmpty else { throw .damaged }
        self.init(sheets: sheets, taken: taken)
    }

    /// The same, told.
    package var told: [UInt8] {
        var lines = ["done"]
        if let taken { lines.append("taken " + taken.line) }
        lines += sheets.map { "sheet \($0.jpeg.count)" }
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + sheets.flatMap(\.jpeg)
    }

    /// Why not, told.
    package static func told(_ failure: PictureFailure) -> [UInt8] { Array((failure.line + "\n\n").utf8) }
}
