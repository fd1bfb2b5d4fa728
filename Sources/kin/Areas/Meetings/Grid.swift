import KinModel
import KinWords

/// A grid with a row for each slot and a column for each person, in as few blocks as the width allows. If there is no
/// room for columns, the names are listed by answer below each slot.
struct Grid {
    /// The least columns of a name by which names can be told apart, and the least columns of people for which a grid
    /// is drawn.
    private static let nameMin = 3
    private static let peopleMin = 4

    private let screen: MeetingScreen
    private let style: Style
    private let whens: [String]
    private let names: [String]

    init(_ screen: MeetingScreen, _ style: Style) {
        self.screen = screen
        self.style = style
        whens = screen.meeting.slots.map { LocalTime.span($0.start, $0.end, now: screen.now) }
        names = screen.invitees.map { $0.member == screen.me ? phrase("meet.you") : screen.names.member($0.member) }
    }

    func lines(_ width: Int) -> [String] {
        guard !names.isEmpty else { return rows(0..<0, nameColumns: [], hasCounts: false) }
        let room = width - leftColumns(hasCounts: true) - 1
        // Names are shortened to the length that fits.
        let longest = max(Self.nameMin, names.map { Plain.columns($0) }.max() ?? 0)
        for most in stride(from: longest, through: Self.nameMin, by: -1) {
            let columns = names.map { max(Self.nameMin, min(Plain.columns($0), most)) }
            if columns.reduce(0, { $0 + $1 + 1 }) <= room {
                return rows(names.indices, nameColumns: columns, hasCounts: true)
            }
        }
        let perBlock = room / (Self.nameMin + 1)
        guard perBlock >= min(Self.peopleMin, names.count) else { return list(width) }
        var lines: [String] = []
        for start in stride(from: 0, to: names.count, by: perBlock) {
            let block = start..<min(start + perBlock, names.count)
            if start > 0 { lines.append("") }
            lines += rows(block, nameColumns: names.map { _ in Self.nameMin }, hasCounts: start == 0)
        }
        return lines
    }

    // MARK: A grid

    private var numberColumns: Int { "\(whens.count)".count }
    private var whenColumns: Int { whens.map { Plain.columns($0) }.max() ?? 0 }
    private var countColumns: Int { "\(screen.meeting.tally.invitees)".count }

    private func leftColumns(hasCounts: Bool) -> Int {
        2 + numberColumns + 2 + whenColumns + (hasCounts ? 2 + 3 * (countColumns + 1) : 0)
    }

    private func rows(_ people: Range<Int>, nameColumns: [Int], hasCounts: Bool) -> [String] {
        var heading = String(repeating: " ", count: 2 + numberColumns + 2) + Plain.padded("", whenColumns)
        if hasCounts { heading += "  " + ["✓", "~", "✗"].map { padLeft($0, countColumns) + " " }.joined() }
        for index in people {
            heading += " " + Plain.padded(abbreviated(index, nameColumns[index]), nameColumns[index])
        }
        let lines = screen.meeting.slots.indices.map { row($0, people, nameColumns, hasCounts) }
        return people.isEmpty ? lines : [style.faint(Plain.trimmed(heading))] + lines
    }

    private func row(_ index: Int, _ people: Range<Int>, _ nameColumns: [Int], _ hasCounts: Bool) -> String {
        let slot = screen.meeting.slots[index]
        let isConfirmed = screen.meeting.confirmed == slot.id
        let left =
            (isConfirmed ? "* " : "  ") + padLeft("\(index + 1)", numberColumns) + "  "
            + (people.isEmpty ? whens[index] : Plain.padded(whens[index], whenColumns))
        var line = isConfirmed ? style.bold(left) : left
        if hasCounts {
            let count = screen.meeting.tally.slots.first { $0.slot == slot.id }
            let counts = [count?.yes ?? 0, count?.ifNeedBe ?? 0, count?.no ?? 0]
            line += "  " + counts.map { padLeft($0 == 0 ? "·" : "\($0)", countColumns) + " " }.joined()
        }
        for person in people {
            let (sign, code) = sign(screen.invitees[person], slot)
            let blanks = String(repeating: " ", count: nameColumns[person] - 1)
            line += " " + style.styled(sign, code) + (person == people.last ? "" : blanks)
        }
        return line
    }

    private func sign(_ answers: MeetingScreen.Answers, _ slot: Slot) -> (String, String) {
        if answers.reply == .refused { return ("✗", "31") }
        return switch answers.votes[slot.id] {
        case .yes: ("✓", "32")
        case .ifNeedBe: ("~", "33")
        case .no: ("✗", "31")
        case nil: ("·", "2")
        }
    }

    /// A name, shortened to fit. If two begin alike, the name's last letter stands at the end.
    private func abbreviated(_ index: Int, _ columns: Int) -> String {
        let name = names[index]
        guard Plain.columns(name) > columns else { return name }
        let short = Plain.cut(name, columns)
        let isAlone = !names.indices.contains { $0 != index && Plain.cut(names[$0], columns) == short }
        return isAlone ? short : Plain.cut(name, columns - 1) + String(name.last ?? "?")
    }

    private func padLeft(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - Plain.columns(text))) + text
    }

    // MARK: No room for a grid

    private func list(_ width: Int) -> [String] {
        screen.meeting.slots.enumerated().flatMap { index, slot -> [String] in
            let isConfirmed = screen.meeting.confirmed == slot.id
            let heading = "\(isConfirmed ? "*" : " ")\(padLeft("\(index + 1)", numberColumns)) \(whens[index])"
            var lines = Plain.wrapped(heading, width, indent: numberColumns + 2).split(separator: "\n")
                .map { isConfirmed ? style.bold(String($0)) : String($0) }
            for mark in ["✓", "~", "✗", "·"] {
                let people = screen.invitees.indices.filter { sign(screen.invitees[$0], slot).0 == mark }
                guard !people.isEmpty, let code = people.first.map({ sign(screen.invitees[$0], slot).1 }) else {
                    continue
                }
                let text = Plain.wrapped(
                    "   \(mark) " + people.map { names[$0] }.joined(separator: ", "), width, indent: 5)
                let first = text.prefix(3) + style.styled(mark, code) + text.dropFirst(4)
                lines += first.split(separator: "\n").map { String($0) }
            }
            return lines
        }
    }
}
