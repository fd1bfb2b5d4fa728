import KinModel
import KinWords
import Testing

@testable import kin

/// A list that is edited with keys: what keys mean, and what is shown.
@Suite struct ListScreenTests {
    private static let list = Identifier(high: 1, low: 1)

    private static func id(_ number: UInt64) -> Identifier { Identifier(high: 2, low: number) }

    private static func item(_ number: UInt64, _ text: String, isTicked: Bool = false) -> ListItem {
        ListItem(list: list, id: id(number), text: text, isTicked: isTicked)
    }

    private func screen(_ items: ListItem...) -> ListScreen {
        let list = SharedList(id: Self.list, kind: .shopping, name: "Groceries", owner: Self.id(9))
        return ListScreen(list, items, Names(me: nil))
    }

    private func typed(_ text: String, into screen: inout ListScreen) {
        for letter in text { _ = screen.take(.letter(letter)) }
    }

    @Test func `keys are read from what a terminal sends, characters in pieces too`() {
        var reader = KeyReader()
        let keys = reader.take(Array("\u{1B}[A\u{1B}OB\u{1B}[3~x\r\u{7F}\u{3}\u{1B}[15~".utf8))
        #expect(keys == [.up, .down, .delete, .letter("x"), .enter, .erase, .leave])
        let begun = reader.take([0xC3])
        let ended = reader.take([0xA4, 0x1B])
        #expect(begun == [] && ended == [.letter("ä"), .escape])
    }

    @Test func `keys choose, tick and take off, and what is gone leaves the one below chosen`() {
        var screen = screen(Self.item(1, "Milk"), Self.item(2, "Bread"), Self.item(3, "Soap", isTicked: true))
        #expect(screen.chosen == Self.id(1))
        let ticked = screen.take(.enter)
        #expect(ticked == .put(["id": .id(Self.id(1)), "ticked": true]))
        let down = screen.take(.down)
        let gone = screen.take(.letter("x"))
        #expect(down == nil && gone == .remove(Self.id(2)))
        screen.remove(Self.id(2))
        #expect(screen.chosen == Self.id(3))
        let unticked = screen.take(.letter(" "))
        #expect(unticked == .put(["id": .id(Self.id(3)), "ticked": false]))
        screen.remove(Self.id(3))
        screen.remove(Self.id(1))
        #expect(screen.chosen == nil)
        let nothing = [screen.take(.enter), screen.take(.letter("e")), screen.take(.down)]
        #expect(nothing == [nil, nil, nil])
        let left = screen.take(.letter("q"))
        #expect(left == .leave)
    }

    @Test func `what is typed is added line by line, and what was bought before is wanted again`() throws {
        var screen = screen(Self.item(1, "Soap", isTicked: true))
        _ = screen.take(.letter("a"))
        typed("2 l oat milkk", into: &screen)
        _ = screen.take(.erase)
        guard case .put(let edit) = screen.take(.enter) else {
            Issue.record("nothing is added")
            return
        }
        #expect(edit["text"] == "oat milk" && edit["amount"]?.double == 2 && edit["unit"] == "l")
        #expect(edit["id"]?.identifier != nil && edit["ticked"] == nil)
        typed("soap", into: &screen)
        guard case .put(let again) = screen.take(.enter) else {
            Issue.record("nothing is wanted again")
            return
        }
        #expect(again["id"] == .id(Self.id(1)) && again["ticked"] == false)
        // An empty line ends it; the letters are keys again.
        let ended = screen.take(.enter)
        let left = screen.take(.letter("q"))
        #expect(ended == nil && left == .leave)
    }

    @Test func `the tab key asks what begins so, puts it behind the amount, and brings the others in turn`() throws {
        var screen = screen(Self.item(1, "Bread"))
        // Where nothing is typed it is no key of the list's.
        let nowhere = screen.take(.tab)
        _ = screen.take(.letter("a"))
        let empty = screen.take(.tab)
        #expect(nowhere == nil && empty == nil)
        typed("2 l mi", into: &screen)
        let asked = screen.take(.tab)
        #expect(asked == .suggest("mi"))
        screen.offer(["Milk", "Mineral water"])
        var lines = [screen.lines(80, 10, isColoured: false).last]
        for _ in 0..<2 {
            let again = screen.take(.tab)
            #expect(again == nil)
            lines.append(screen.lines(80, 10, isColoured: false).last)
        }
        #expect(lines == ["Add: 2 l Milk_", "Add: 2 l Mineral water_", "Add: 2 l Milk_"])
        guard case .put(let edit) = screen.take(.enter) else {
            Issue.record("nothing is added")
            return
        }
        #expect(edit["text"] == "Milk" && edit["amount"]?.double == 2 && edit["unit"] == "l")
        // After another key it is asked for anew; what nothing begins with stays as it is typed.
        typed("xyz", into: &screen)
        let anew = screen.take(.tab)
        #expect(anew == .suggest("xyz"))
        screen.offer([])
        #expect(screen.message == "Nothing on your lists begins with xyz.")
        typed("!", into: &screen)
        #expect(screen.lines(80, 10, isColoured: false).last == "Add: xyz!_")
        // An answer that comes after the line was left is let go.
        _ = screen.take(.escape)
        screen.offer(["Milk"])
        #expect(screen.lines(80, 10, isColoured: false).last?.contains("Milk") == false)
        var reader = KeyReader()
        let keys = reader.take([0x61, 0x09])
        #expect(keys == [.letter("a"), .tab])
    }

    @Test func `a change begins with what is written, and items move within their section`() {
        var milk = Self.item(1, "milk")
        (milk.amount, milk.unit) = (2, "l")
        var screen = screen(milk, Self.item(2, "bread"), Self.item(3, "salt"))
        _ = screen.take(.letter("e"))
        #expect(screen.lines(80, 10, isColoured: false).last == "Change: 2 l milk_")
        for _ in 0..<4 { _ = screen.take(.erase) }
        typed("cream", into: &screen)
        let changed = screen.take(.enter)
        let said: JSON = ["text": "cream", "amount": .double(2), "unit": "l", "id": .id(Self.id(1))]
        #expect(changed == .put(said))
        let stuck = screen.take(.letter("K"))
        #expect(stuck == nil && screen.message != nil)
        guard case .put(let moved) = screen.take(.letter("J")), let order = moved["order"]?.string else {
            Issue.record("it does not move")
            return
        }
        #expect(order > Self.item(2, "").place && order < Self.item(3, "").place)
    }

    @Test func `the chosen item stands within a small terminal, and others' doings show at once`() {
        var screen = screen(Self.item(1, "1"))
        for number in 2...30 { screen.put(Self.item(UInt64(number), "\(number)")) }
        for _ in 0..<20 { _ = screen.take(.down) }
        let lines = screen.lines(20, 8, isColoured: false)
        #expect(lines.count == 8 && lines.contains("> [ ] 21") && lines.first == "Groceries · 30 open")
        #expect(lines.allSatisfy { Plain.columns($0) <= 20 })
    }
}
