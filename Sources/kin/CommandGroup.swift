import KinWords

/// The groups of commands in `kin`'s help, in their order.
enum CommandGroup: String, CaseIterable {
    case family
    case map
    case meetings
    case messages
    case machine

    /// The commands of the areas, then those of no area.
    var commands: [Command] {
        CommandArea.all.filter { $0.group == self }.flatMap(\.commands)
            + Command.own.filter { $0.0 == self }.flatMap(\.1)
    }

    /// The heading of the group.
    var title: String { phrase("help.group.\(rawValue)") }
}

/// The distance between two words.
enum Distance {
    /// The number of letters to insert, remove, change or swap with their neighbour until one word is the other (the
    /// optimal string alignment distance).
    static func between(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                let isSame = one[i] == other[j]
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (isSame ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
