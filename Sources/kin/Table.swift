/// Rows under headings, columns as wide as they must be, the last one cut to the terminal.
struct Table {
    let headings: [String]
    var rows: [[String]] = []

    init(_ headings: String...) { self.headings = headings }

    mutating func add(_ cells: String...) {
        precondition(cells.count == headings.count, "a row has a cell for each heading")
        rows.append(cells.map { Plain.line($0) })
    }

    func print(to output: Output) {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { Plain.columns($0[column]) }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { Plain.padded($0, $1) }
            let joined = padded.joined(separator: "  ")
            let text = String(joined.reversed().drop { $0 == " " }.reversed())
            return output.width.map { Plain.fitted(text, $0) } ?? text
        }
        output.say(output.styled(line(headings), "1"))
        for row in rows { output.say(line(row)) }
    }
}
