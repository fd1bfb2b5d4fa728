import KinModel
import Testing

/// Lists by `kin list` alone, against the real daemon.
@Suite struct ListCommandTests {
    @Test func `a list lives by kin alone`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
        func kin(_ words: String...) throws -> [String] {
            let program = stage.start(["kin", "list"] + words + ["--as", "ada"])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        #expect(try kin().joined().contains("kin list new Groceries"))
        #expect(try kin("new", "Big shop").joined().contains("kin list add 'Big shop'"))
        #expect(
            try kin("add", "big", "2 l milk,", "bread,", "3 Äpfel", "--section", "Food").joined().contains("milk, 2 l"))
        #expect(
            try kin("Big shop") == [
                "Big shop · for everyone", "  Food", "1   [ ] milk, 2 l", "2   [ ] bread", "3   [ ] Äpfel, 3",
            ])
        #expect(try kin("tick", "big", "1", "3").joined().contains("Äpfel"))
        #expect(try kin("tick", "big", "bread").joined().contains("bread"))
        #expect(try kin("untick", "big", "bread").joined().contains("bread"))
        #expect(try kin("big").contains { $0.hasPrefix("2   [x] milk, 2 l") })
        #expect(try kin("search", "brea").joined().contains("Big shop"))
        #expect(try kin("notify", "big", "on").joined().contains("inbox"))
        #expect(try kin("big").last == "Your inbox tells you of changes: kin list notify")
        #expect(try kin("notify", "big", "off").joined().contains("nothing of Big shop"))
        #expect(try kin("big").last?.hasPrefix("3 ") == true)
        #expect(try kin("take", "big", "1").joined().contains("bread"))
        #expect(try kin("clear", "big") == ["2 items taken off Big shop."])
        #expect(try kin("share", "big", "me").joined().contains("for nobody else"))
        #expect(try kin("remove", "big", "--yes").joined().contains("removed"))
    }

    @Test func `a list is edited with keys on a terminal, and shows what others do`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        stage.environment["TERM"] = "xterm"
        let door = try house.door(as: "bob")
        let list = try door.call("list.add", ["name": "Groceries"])["list"]?["id"] ?? .null
        func put(_ id: JSON, _ text: JSON) throws {
            _ = try door.call("item.put", ["list": list, "items": [["id": id, "text": text]]])
        }
        try put("01980000-0000-7000-8000-00000000abcd", "Milk")
        let editor = stage.start(
            ["/usr/bin/script", "-qefc", "\(Stage.built)/kin list edit Groceries --as ada", "/dev/null"])
        func shown() -> String {
            editor.take()
            return (editor.lines + [editor.unended]).joined(separator: "\n")
        }
        try stage.wait("the list") { shown().contains("[ ] Milk") }
        editor.write(" ")
        try stage.wait("the tick") { shown().contains("[x] Milk") }
        editor.write("a2 l oat milk\r\r")
        try stage.wait("what is added") { shown().contains("[ ] oat milk, 2 l") }
        try put("01980000-0000-7000-8000-00000000abce", "Bread")
        try stage.wait("what another added") { shown().contains("[ ] Bread") }
        editor.write("q")
        try stage.wait("the end") {
            editor.take()
            return editor.status != nil
        }
        #expect(editor.status == 0 && shown().contains("\u{1B}[?1049l"))
        let items = try house.snapshot("bob").listItems.values
        #expect(items.contains { $0.text == "oat milk" && $0.amount == 2 } && items.contains { $0.isTicked })
        let piped = try stage.run("kin", "list", "edit", "Groceries", "--as", "ada", exits: 2)
        #expect(piped.said.contains("on a terminal only"))
    }

    @Test func `items are moved, changed and sorted into sections`() throws {
        let stage = try Stage()
        _ = try House(stage, family: [])
        func kin(_ words: String...) throws -> [String] {
            let program = stage.start(["kin", "list"] + words + ["--as", "ada"])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        _ = try kin("new", "Shop")
        _ = try kin("add", "shop", "milk,", "bread,", "apples")
        #expect(try kin("up", "shop", "apples") == ["Moved on Shop: apples"])
        #expect(try kin("down", "shop", "milk") == ["Moved on Shop: milk"])
        #expect(
            try kin("shop") == ["Shop · for everyone", "1   [ ] apples", "2   [ ] milk", "3   [ ] bread"])
        #expect(try kin("sections", "shop", "Dairy,", "Bakery").joined().contains("Dairy, Bakery"))
        #expect(
            try kin("set", "shop", "milk", "--text", "2 l oat milk", "--section", "Dairy", "--note", "the blue one")
                == ["Changed on Shop: oat milk, 2 l"])
        _ = try kin("set", "shop", "bread", "--section", "Bakery")
        #expect(
            try kin("shop") == [
                "Shop · for everyone", "1   [ ] apples", "  Dairy", "2   [ ] oat milk, 2 l", "        the blue one",
                "  Bakery", "3   [ ] bread",
            ])
        _ = try kin("set", "shop", "oat milk", "--section", "none", "--note", "none")
        #expect(try !kin("shop").joined().contains("Dairy"))
    }

    @Test func `a chore goes round by kin, and a list says what it belongs to`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        func kin(_ words: String...) throws -> [String] {
            let program = stage.start(["kin", "list"] + words + ["--as", "ada"])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        let made = try house.door(as: "ada").call("entry.add", ["subject": "Guests come", "start": "2090-03-02"])
        // Only Ada sees her entry, and Bob sees what is for both.
        let entry = "entry/\(made["entry"]?["id"]?.string ?? "")"
        _ = try kin("new", "Chores", "--kind", "tasks", "--about", entry, "--for", "everyone")
        #expect(try kin("--about", entry).joined().contains("Chores"))
        _ = try kin(
            "add", "chores", "bins", "--due", "2090-03-02", "--repeat", "weekly", "--turns", "ada,bob")
        var shown = try kin("chores")
        #expect(shown.contains("Belongs to entry: Guests come"))
        #expect(shown.contains { $0.hasPrefix("1   [ ] bins · Ada · ") && $0.hasSuffix("every week") })
        #expect(shown.contains("        in turn: Ada, Bob"))
        _ = try kin("tick", "chores", "bins")
        shown = try kin("chores")
        #expect(shown.contains { $0.hasPrefix("1   [ ] bins · Bob · ") })
        #expect(shown.contains { $0.hasPrefix("        last done for ") && $0.hasSuffix("by Ada") })
        _ = try kin("untick", "chores", "bins")
        #expect(try kin("chores").contains { $0.hasPrefix("1   [ ] bins · Ada · ") })
        _ = try kin("set", "chores", "bins", "--repeat", "none", "--turns", "none")
        #expect(try !kin("chores").joined().contains("every week"))
        #expect(try kin("tie", "chores", "none") == ["Chores belongs to nothing any more."])
    }
}
