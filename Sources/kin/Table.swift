import KinWords

/// Rows under headings. Columns are as wide as they must be, and the last one is cut to the terminal.
struct Table {
    let headings: [String]
    var rows: [[String]] = []

    /// Headings by their keys in the message files, without `column.`; an empty key gives an empty heading.
    init(_ headings: String...) { self.headings = headings.map { $0.isEmpty ? "" : phrase("column.\($0)") } }

    mutating func add(_ cells: String...) {
        precondition(cells.count == headings.count, "a row has a cell for each heading")
        rows.append(cells.map { Plain.line($0) })
    }

    /// The heading and the rows.
    func lines(_ width: Int?) -> [String] {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { Plain.columns($0[column]) }.max() ?? 0
        }
        return ([headings] + rows).map { cells in
            let padded = zip(cells, widths).map { Plain.padded($0, $1) }
            let text = Plain.trimmed(padded.joined(separator: "  "))
            return width.map { Plain.fitted(text, $0) } ?? text
        }
    }

    func print(to output: Output) {
        for (index, line) in lines(output.width).enumerated() {
            output.say(index == 0 ? output.styled(line, "1") : line)
        }
    }
}
