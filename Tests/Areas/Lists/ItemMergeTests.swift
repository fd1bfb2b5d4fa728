import KinModel
import Testing

@testable import KinLists

/// Edits of an item end in the same item in whatever order they arrive.
@Suite struct ItemMergeTests {
    private let list: Identifier
    private let item: Identifier
    private let people: [Identifier]

    init() throws {
        func id(_ number: Int) throws -> Identifier {
            try #require(Identifier("01980000-0000-7000-8000-00000000000\(number)"))
        }
        (list, item, people) = (try id(1), try id(2), [try id(3), try id(4)])
    }

    private func edit(
        _ at: Int64, _ values: [ItemEdit.Field: JSON], by who: Int = 0, named name: UInt64? = nil
    ) -> ItemEdit {
        ItemEdit(
            id: item, at: Instant(milliseconds: at), by: people[who], values: values,
            edit: name.map { Identifier(high: 1, low: $0) })
    }

    private func merged(_ edits: [ItemEdit]) -> ListItem {
        var wire = ListItem(list: list, id: item, text: "")
        var stamps: ItemStamps = [:]
        for edit in edits { _ = wire.take(edit, &stamps) }
        return wire
    }

    /// Every order of some things.
    private func orders<Thing>(_ things: [Thing]) -> [[Thing]] {
        guard things.count > 1 else { return [things] }
        return things.indices.flatMap { index in
            var rest = things
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test func `three phones that were away two days agree in every order of what they bring`() {
        let edits = [
            edit(10, [.text: "Milk", .amount: .double(1), .section: "Dairy"]),
            edit(20, [.ticked: true]), edit(20, [.ticked: true], by: 1), edit(20, [.text: "Oat milk"], by: 1),
            edit(20, [.text: "Oats", .amount: .null]), edit(30, [.ticked: false, .note: "the blue one"], by: 1),
        ]
        let all = orders(edits)
        #expect(all.count == 720)
        for order in all { #expect(merged(order) == merged(edits)) }
        let end = merged(edits)
        #expect(end.text == "Oats" && !end.isTicked && end.note == "the blue one" && end.amount == nil)
    }

    @Test func `words of one moment are decided by what they say, one after the other or the other way round`() {
        for field in ItemEdit.Field.allCases where field != .ticked {
            let values: [JSON] =
                switch field {
                case .amount: [.double(2), .double(10), .null]
                case .member: [.id(people[0]), .id(people[1]), .null]
                case .text: ["a", "b", "ä"]
                default: ["a", "b", .null]
                }
            let edits = values.map { edit(10, [field: $0]) }
            for order in orders(edits) { #expect(merged(order) == merged(edits), "\(field)") }
        }
        let ticks = [edit(10, [.ticked: true]), edit(10, [.ticked: false], by: 1), edit(10, [.ticked: true], by: 1)]
        for order in orders(ticks) { #expect(merged(order) == merged(ticks)) }
        #expect(merged(ticks).tickedBy == people[1] && merged(ticks).isTicked)
    }

    @Test func `of edits of one moment the greater name stands, in all fields that both say, in every order`() {
        let edits = [
            edit(10, [.text: "Milk", .amount: .double(1), .note: "cold"], named: 9),
            edit(20, [.text: "Zwieback", .amount: .double(9), .ticked: true], named: 1),
            edit(20, [.text: "Apples", .amount: .double(2), .ticked: false], by: 1, named: 2),
            edit(20, [.text: "Zzz", .amount: .double(99), .section: "Fruit", .ticked: true], by: 1),
            edit(20, [.text: "Apples", .amount: .null, .ticked: false], by: 1, named: 2),
        ]
        let all = orders(edits)
        #expect(all.count == 120)
        for order in all { #expect(merged(order) == merged(edits)) }
        let end = merged(edits)
        // All of the second one's, whatever the others say; what nobody named says alone stands, too.
        #expect(end.text == "Apples" && end.amount == 2 && !end.isTicked)
        #expect(end.section == "Fruit" && end.note == "cold")
    }

    @Test func `of words of one moment about a day the greater name stands, in every order`() {
        func day(_ isTicked: Bool, by who: Int, named name: UInt64?) -> ItemEdit {
            var tick = edit(20, [.ticked: .bool(isTicked)], by: who, named: name)
            (tick.occurrence, tick.through) = ("2027-03-04", "2027-03-04")
            return tick
        }
        let begun = edit(10, [.text: "Bins", .due: "2027-03-04", .repeats: "FREQ=WEEKLY"])
        let edits = [begun, day(true, by: 1, named: 1), day(false, by: 0, named: 2), day(true, by: 1, named: nil)]
        for order in orders(edits) {
            var said = SaidItem(item: ListItem(list: list, id: item, text: ""))
            for edit in order { _ = said.take(edit) }
            #expect(said.now.due == "2027-03-04" && said.now.done == nil && said.ticks["2027-03-04"]?.by == people[0])
        }
    }

    @Test func `an older word never undoes a newer one`() {
        let end = merged([
            edit(10, [.text: "Milk"]), edit(30, [.ticked: true]), edit(20, [.ticked: false]), edit(5, [.text: "Beer"]),
        ])
        #expect(end.isTicked && end.text == "Milk" && end.tickedAt == Instant(milliseconds: 30))
    }

    @Test func `days of what repeats and the turns at it are the same in every order in which phones tell them`() {
        func day(_ at: Int64, _ day: String, _ isTicked: Bool = true, by who: Int = 0) -> ItemEdit {
            var tick = edit(at, [.ticked: .bool(isTicked)], by: who)
            tick.occurrence = day
            tick.through = day
            return tick
        }
        let edits = [
            edit(
                10,
                [
                    .text: "Bins", .due: "2027-03-04", .repeats: "FREQ=WEEKLY",
                    .turns: [.id(people[0]), .id(people[1])],
                ]),
            day(20, "2027-03-04"), day(25, "2027-03-04", by: 1), day(30, "2027-03-11", by: 1),
            day(40, "2027-03-11", false), day(50, "2027-03-11"),
        ]
        func merged(_ edits: [ItemEdit]) -> ListItem {
            var said = SaidItem(item: ListItem(list: list, id: item, text: ""))
            for edit in edits { _ = said.take(edit) }
            return said.now
        }
        let end = merged(edits)
        #expect(end.due == "2027-03-18" && end.member == people[0] && end.done == "2027-03-11" && !end.isTicked)
        for order in orders(edits) { #expect(merged(order) == end) }
        // The first day twice, and it has gone on once.
        #expect(merged(Array(edits.prefix(3))).due == "2027-03-11")
        #expect(merged(Array(edits.prefix(3))).member == people[1])
    }

    @Test func `whoever stands in is the same in every order, and stands in once`() {
        func day(_ at: Int64, _ day: String) -> ItemEdit {
            var tick = edit(at, [.ticked: true])
            (tick.occurrence, tick.through) = (day, day)
            return tick
        }
        let begun = edit(
            10,
            [
                .text: "Bins", .due: "2027-03-04", .repeats: "FREQ=WEEKLY",
                .turns: [.id(people[0]), .id(people[1])],
            ])
        // It would be the second one's turn.
        let named = [begun, day(20, "2027-03-04"), edit(30, [.member: .id(people[0])], by: 1)]
        let done = named + [day(40, "2027-03-11"), edit(35, [.note: "the brown one"])]
        func ends(_ edits: [ItemEdit]) -> SaidItem {
            var said = SaidItem(item: ListItem(list: list, id: item, text: ""))
            for edit in edits { _ = said.take(edit) }
            return said
        }
        for order in orders(named) {
            #expect(ends(order).standIn == people[0] && ends(order).now.member == people[0])
        }
        // Two days are done: it is the first one's turn again, and after that the second one's.
        for order in orders(done) { #expect(ends(order).standIn == nil && ends(order).now.member == people[0]) }
        for order in orders(done + [day(50, "2027-03-18")]) { #expect(ends(order).now.member == people[1]) }
    }

    @Test func `what is sorted by order stands between, and else by when it was made`() throws {
        let later = try #require(Identifier("01980000-0001-7000-8000-000000000002"))
        let (one, two) = (ListItem(list: list, id: item, text: "1"), ListItem(list: list, id: later, text: "2"))
        #expect(one.place < two.place)
        let between = ListItem(list: list, id: later, text: "3", order: one.place + "8")
        #expect(one.place < between.place && between.place < two.place)
    }
}
