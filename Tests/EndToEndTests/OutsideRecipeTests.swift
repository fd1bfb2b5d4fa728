import KinModel
import Testing

/// Recipes at addresses: the daemon as it is, over HTTPS, with kin.
@Suite(.serialized) struct OutsideRecipeTests {
    private let news: NewsServer

    init() throws { news = try NewsServer() }

    /// What is said, wherever that stands.
    @discardableResult
    private func kin(_ words: String..., as who: String = "ada", fails: Bool = false) throws -> String {
        let program = news.stage.start(["kin", "meal"] + words + ["--as", who])
        program.closeInput()
        try news.stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect((program.status == 0) != fails, "\(words): \(program.said)")
        return program.lines.joined(separator: "\n") + program.said
    }

    @Test func `a recipe is read once an admin allows it, and no machine of the house without one more word`() throws {
        let address = news.address("/recipe")
        #expect(try kin("import", address, as: "bob", fails: true).contains("an admin can allow it"))
        try kin("outside", "on", as: "bob", fails: true)
        try kin("outside", "on")
        #expect(try kin("import", address, as: "bob", fails: true).contains("kin outside allow"))
        #expect(try news.asked().isEmpty)
        let door = try news.house.door(as: "ada")
        _ = try door.call("outside.allow", ["place": .string("127.0.0.1:\(news.port)")])
        let taken = try kin("import", address, as: "bob")
        #expect(taken.contains("added: Leek soup") && taken.contains("1 entry taken."), "\(taken)")
        let dish = try kin("dish", "leek")
        #expect(dish.contains("  leeks, 2") && dish.contains(address) && !dish.contains("run()"), "\(dish)")
        #expect(try kin("import", address, as: "bob").contains("there already: Leek soup"))
        // Where it leads is judged anew, and what is no recipe leaves nothing.
        for (path, words) in [
            ("/away?https://192.168.7.7/x", "leads to one"),
            ("/gone", "no page at this address"), ("/huge", "is larger than"),
        ] {
            let said = try kin("import", news.address(path), as: "bob", fails: true)
            #expect(said.contains(words), "\(path): \(said)")
        }
        #expect(try door.call("dish.list", [:])["dishes"]?.array?.count == 1)
        // Forbidden again, nobody is asked.
        try kin("outside", "off")
        let before = try news.asked().count
        #expect(try kin("import", address, as: "bob", fails: true).contains("an admin can allow it"))
        #expect(try news.asked().count == before)
    }
}
