import KinModel
import KinWords

/// The lines of `kin tail` on a terminal: those that stay, and below them one for each member who is on the way,
/// written anew with every step. The results are the characters to write. The cursor always stands at the start of the
/// line below all of them.
struct TailLines {
    /// The present size of the terminal; windows change while a tail runs.
    struct Size {
        let width: Int
        let height: Int
    }

    private struct Way {
        let member: Identifier
        var text: String
    }

    /// The members on the way, in the order in which they set out, so that no line jumps.
    private var ways: [Way] = []
    /// The last stop of each member that was shown.
    private var stops: [Identifier: String] = [:]
    /// The columns of each line that stands below the lines that stay.
    private var drawn: [Int] = []

    /// The characters for an event; none if it only repeats a stop.
    mutating func took(_ text: String, _ movement: Movement?, _ size: Size) -> String {
        guard let movement else { return staying(text, size) }
        switch movement.step {
        case .onTheWay:
            stops[movement.member] = nil
            if let index = ways.firstIndex(where: { $0.member == movement.member }) {
                ways[index].text = text
            } else {
                ways.append(Way(member: movement.member, text: text))
            }
            return cleared(size) + drawn(size)
        case .stopped(let stop):
            guard stops[movement.member] != stop else { return "" }
            stops[movement.member] = stop
        case .passed: break
        }
        ways.removeAll { $0.member == movement.member }
        return staying(text, size)
    }

    /// Writes a line that stays, above the lines of members on the way.
    mutating func staying(_ text: String, _ size: Size) -> String {
        cleared(size) + text + "\n" + drawn(size)
    }

    /// Removes the lines of members on the way from the screen.
    mutating func cleared(_ size: Size) -> String {
        // A window that became narrower has broken its lines anew.
        let rows = drawn.reduce(0) { $0 + max(1, ($1 + size.width - 1) / max(1, size.width)) }
        drawn = []
        guard rows > 0 else { return "" }
        return "\u{1B}[\(min(rows, max(1, size.height - 1)))A\r\u{1B}[J"
    }

    /// Draws the lines of the members on the way. If there is not room for all, those who set out last are drawn.
    mutating func drawn(_ size: Size) -> String {
        var rows: [String] = []
        for way in ways.reversed() {
            let lines = way.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            // The lines that stay need one line, and so does the cursor.
            guard rows.count + lines.count <= size.height - 2 else { break }
            rows = lines + rows
        }
        drawn = rows.map { Plain.columns($0.replacing(/\u{1B}\[\d*m/, with: "")) }
        return rows.map { $0 + "\n" }.joined()
    }
}
