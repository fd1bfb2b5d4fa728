import KinModel
import KinWords

/// The members and their positions, the newest first: a table, or two lines for each if the terminal is too narrow.
struct WhereScreen {
    private struct Row {
        let name: String
        let place: String
        let time: String
        let motion: String
        let battery: String
    }

    private var rows: [Row] = []

    init(_ positions: [JSON], names: Names, inNumbers: Bool, now: Instant) {
        for seen in positions.sorted(by: { ($0["at"]?.instant ?? now) > ($1["at"]?.instant ?? now) }) {
            let position = Position(seen)
            let place =
                position.map { inNumbers ? Reader.here.place($0) : names.whereabouts($0, Reader.here) }
                ?? Presence(seen).map { Reader.here.place($0) }
            // A rounded time has no age.
            let time = seen["at"]?.instant.map {
                position?.precision == .exact
                    ? Words.age($0, now: now) : phrase("position.around", ["time": LocalTime.near($0, now: now)])
            }
            rows.append(
                Row(
                    name: names.member(seen["member"]?.identifier), place: place ?? "", time: time ?? "",
                    motion: Reader.here.motion(position?.motion, now: now),
                    battery: Reader.here.charge(position?.battery, position?.charging)))
        }
    }

    /// The lines for `width` columns; `nil` for files and pipes, which have room for any width.
    func lines(_ width: Int?) -> [String] {
        var table = Table("name", "where", "when", "motion", "battery")
        for row in rows { table.add(row.name, row.place, row.time, row.motion, row.battery) }
        let lines = table.lines(nil)
        guard let width, lines.contains(where: { Plain.columns($0) > width }) else { return lines }
        return rows.flatMap { row in
            let more = [row.time, row.motion, row.battery].map { Plain.line($0) }.filter { !$0.isEmpty }
            return [
                Plain.wrapped("\(Plain.line(row.name)): \(Plain.line(row.place))", width, indent: 2),
                Plain.wrapped("  " + more.joined(separator: " · "), width, indent: 2),
            ].filter { !$0.allSatisfy(\.isWhitespace) }
        }
    }

    func print(to output: Output) {
        for line in lines(output.width) { output.say(line) }
    }
}
