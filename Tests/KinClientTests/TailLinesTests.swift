import KinModel
import KinWords
import Testing

@testable import kin

/// What a terminal shows of characters that are written to it: as much of one as the tail asks for.
struct Glass {
    let width: Int
    private(set) var rows = [""]
    private var row = 0

    init(width: Int) { self.width = width }

    mutating func write(_ text: String) {
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\n":
                row += 1
                if row == rows.count { rows.append("") }
            case "\r": break
            case "\u{1B}":
                let order = rest.prefix { !$0.isLetter }
                rest = rest.dropFirst(order.count)
                switch rest.popFirst() {
                case "A": row = max(0, row - (Int(order.dropFirst()) ?? 1))
                case "J": rows = Array(rows[..<row]) + [""]
                default: break
                }
            default:
                if Plain.columns(rows[row]) == width {
                    row += 1
                    if row == rows.count { rows.append("") }
                }
                rows[row].append(character)
            }
        }
    }

    /// Without the empty row that the cursor stands in.
    var lines: [String] { rows.last == "" ? Array(rows.dropLast()) : rows }
}

@Suite struct TailLinesTests {
    private let carol = Family.id(2)
    private let dan = Family.id(3)
    private let size = TailLines.Size(width: 30, height: 24)

    private func moves(_ member: Identifier) -> Movement { Movement(member: member, step: .onTheWay) }
    private func stops(_ member: Identifier, _ since: String) -> Movement {
        Movement(member: member, step: .stopped(since))
    }

    @Test func `each member on the way has one line, below what stays`() {
        var (lines, glass) = (TailLines(), Glass(width: 30))
        glass.write(lines.took("18:00 Dinner is ready", nil, size))
        for minute in 1...5 {
            glass.write(lines.took("18:0\(minute) Carol is at \(minute)", moves(carol), size))
            glass.write(lines.took("18:0\(minute) Dan is at \(minute)", moves(dan), size))
        }
        #expect(glass.lines == ["18:00 Dinner is ready", "18:05 Carol is at 5", "18:05 Dan is at 5"])
        glass.write(lines.took("18:06 Bob: Soup", nil, size))
        #expect(
            glass.lines == [
                "18:00 Dinner is ready", "18:06 Bob: Soup", "18:05 Carol is at 5", "18:05 Dan is at 5",
            ])
    }

    @Test func `arrivals, departures and stops stay, a stop once`() {
        var (lines, glass) = (TailLines(), Glass(width: 30))
        glass.write(lines.took("Carol is at 1", moves(carol), size))
        glass.write(lines.took("Carol arrived", Movement(member: carol, step: .passed), size))
        for _ in 0..<3 { glass.write(lines.took("Carol stopped", stops(carol, "18:00"), size)) }
        glass.write(lines.took("Carol is at 2", moves(carol), size))
        glass.write(lines.took("Carol stopped again", stops(carol, "19:00"), size))
        #expect(glass.lines == ["Carol arrived", "Carol stopped", "Carol stopped again"])
    }

    @Test func `lines of two rows, a warning between, and a window that became narrower leave nothing behind`() {
        var (lines, glass) = (TailLines(), Glass(width: 20))
        let wide = TailLines.Size(width: 20, height: 10)
        for step in 1...4 { glass.write(lines.took("18:0\(step) Carol\n      is far", moves(carol), wide)) }
        #expect(glass.lines == ["18:04 Carol", "      is far"])
        glass.write(lines.cleared(wide) + "The connection broke.\n" + lines.drawn(wide))
        #expect(glass.lines.suffix(2) == ["18:04 Carol", "      is far"])
        // Drawn at 20 columns, shown at 10: the first line has become two.
        var narrow = Glass(width: 10)
        narrow.write("18:04 Carol\n      is far\n")
        let text = lines.took("18:05 Carol", moves(carol), TailLines.Size(width: 10, height: 10))
        narrow.write(text)
        #expect(narrow.lines == ["18:05 Caro", "l"])
    }

    @Test func `a small window has room for the last line that stays`() {
        var lines = TailLines()
        let small = TailLines.Size(width: 30, height: 4)
        for number in 0..<6 { _ = lines.took("\(number)", moves(Family.id(number)), small) }
        var glass = Glass(width: 30)
        _ = lines.cleared(small)
        glass.write(lines.staying("Bob: Soup", small))
        #expect(glass.lines == ["Bob: Soup", "4", "5"])
        // No room for any: nothing is drawn, and nothing is taken away.
        let one = TailLines.Size(width: 30, height: 2)
        _ = lines.cleared(small)
        #expect(lines.drawn(one).isEmpty && lines.cleared(one).isEmpty)
    }

    @Test func `steps are positions of who is on the way, and a place's name is where one stopped`() {
        func step(_ type: String, _ data: JSON) -> Movement? {
            var data = data
            data["member"] = .id(carol)
            let event = Event(cursor: "c", type: type, at: Family.now, by: nil, about: "position/x", data: data)
            return CommandArea.all.lazy.compactMap { $0.movement(event) }.first
        }
        let at = "2026-11-20T18:00:00.000Z"
        #expect(step("position", ["lat": 1, "lon": 2, "at": .string(at)]) == moves(carol))
        #expect(
            step("position", ["lat": 1, "lon": 2, "at": .string(at), "movingSince": .string(at)]) == moves(carol))
        #expect(
            step("position", ["lat": 1, "lon": 2, "at": .string(at), "stillSince": .string(at)]) == stops(carol, at))
        #expect(
            step("position", ["precision": "place", "place": "School", "at": .string(at)]) == stops(carol, "School"))
        for type in ["place.entered", "place.left", "position.hidden", "position.deleted"] {
            #expect(step(type, ["place": "x"]) == Movement(member: carol, step: .passed))
        }
        #expect(step("activity.announced", ["text": "x"]) == nil)
    }

    @Test(arguments: [
        ("plase.entered", "place.entered"), ("position.", ""), ("place", "place.entered, place.left, place."),
        ("Position", "position"), ("song", "position, place."), ("meting.", "place."), ("place.entered", ""),
    ])
    func `a type that the daemon does not know is refused with what there is`(typed: String, near: String) {
        let known = ["position", "position.hidden", "place.entered", "place.left"]
        do throws(Problem) {
            try EventTypes.check([typed], known)
            #expect(near.isEmpty)
        } catch {
            #expect(error.exit == .usage)
            if ["song", "meting."].contains(typed) {
                #expect(error.sentence.hasSuffix("There are: place., position, position."), "\(error.sentence)")
            } else {
                #expect(error.sentence.hasSuffix("Did you mean: \(near)"), "\(error.sentence)")
            }
        }
    }

    @Test func `only what has the form of a cursor is taken for one`() {
        #expect(Tail.isCursor("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-_"))
        for text in ["gestren", "10mm", "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="] { #expect(!Tail.isCursor(text)) }
    }
}
