import Glibc
import KinModel
import Testing

/// Task programs that others wrote read and write the family's lists, on the real daemon.
@Suite(.serialized) struct TaskClientTests {
    private static let hasTodoman = access("/usr/bin/todoman", X_OK) == 0

    @Test(.enabled(if: SyncedFolder.hasVdirsyncer && Self.hasTodoman, "vdirsyncer or todoman is not installed"))
    func `todoman shows a list and ticks it, and vdirsyncer carries it both ways`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let ada = try house.door(as: "ada")
        let list = try #require(try ada.call("list.add", ["name": "Chores", "kind": "tasks"])["list"]?["id"])
        let milk = "01980000-0000-7000-8000-00000000abcd"
        _ = try ada.call(
            "item.put",
            [
                "list": list,
                "items": [["id": .string(milk), "text": "Milk", "amount": 2, "unit": "l", "due": "2027-03-01"]],
            ])
        func items() throws -> [ListItem] {
            (try ada.call("list.show", ["list": list])["items"]?.array ?? []).compactMap(ListItem.init)
        }
        let copy = try SyncedFolder(.calendar, "list-\(list.string ?? "")", of: "ada", in: house, stage, "desk")
        let config = stage.folder + "/todoman.py"
        try Array(
            "path = \"\(stage.folder)/desk/collections/*\"\ndate_format = \"%Y-%m-%d\"\ntime_format = \"%H:%M\"\ncache_path = \"\(stage.folder)/todo.db\"\n"
                .utf8
        ).write(file: config)
        func todo(_ words: String...) throws -> [String] {
            let program = stage.start(
                ["env", "LC_ALL=C.UTF-8", "HOME=\(stage.folder)", "todoman", "--config", config, "--colour", "never"]
                    + words)
            program.closeInput()
            try stage.wait("todoman to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines
        }
        let shown = try todo("list")
        #expect(shown.contains { $0.contains("Milk (2 l)") && $0.contains("2027-03-01") }, "\(shown)")
        // Made and ticked there, it is so here.
        _ = try todo("new", "--list", "list-\(list.string ?? "")", "--due", "2027-04-05", "Sweep the stairs")
        let number = try #require(
            try todo("list").first { $0.contains("Milk") }?.split(separator: " ").lazy.compactMap { Int($0) }.first)
        _ = try todo("done", "\(number)")
        try copy.sync()
        #expect(try items().first { $0.id.description == milk }?.isTicked == true)
        #expect(try items().first { $0.text == "Sweep the stairs" }?.due == "2027-04-05")
        // Changed and removed here, it is so there.
        let sweep = try #require(try items().first { $0.text == "Sweep the stairs" }).id
        _ = try ada.call("item.put", ["list": list, "items": [["id": .id(sweep), "text": "Sweep the yard"]]])
        _ = try ada.call("item.remove", ["list": list, "items": [.string(milk)]])
        try copy.sync()
        let after = try todo("list")
        #expect(after.contains { $0.contains("Sweep the yard") } && !after.contains { $0.contains("Milk") }, "\(after)")
    }
}
