import KinModel
import Testing

/// One search over everything by `kin` alone, against the real daemon.
@Suite struct SearchCommandTests {
    @Test func `everything that one sees is found, the latest first, by its kind and from before a day`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob", "carol"])
        func run(_ words: [String], _ who: String) throws -> Program {
            let program = stage.start(["kin"] + words + ["--as", who])
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            return program
        }
        func kin(_ words: String..., as who: String = "bob") throws -> String {
            let program = try run(words, who)
            #expect(program.status == 0, "\(words): \(program.said)")
            return program.lines.joined(separator: "\n")
        }
        _ = try kin("post", "Quinces from the garden", as: "ada")
        _ = try kin("post", "Quinces for Bob alone", "--for", "bob", as: "ada")
        _ = try kin("chat", "with", "bob", "--name", "Kites", as: "ada")
        _ = try kin("chat", "say", "Kites", "Who wants quinces?", as: "ada")
        _ = try kin("list", "new", "Quince jam", as: "ada")
        let found = try kin("search", "quinc")
        let places = ["Quince jam", "Who wants quinces?", "for Bob alone", "from the garden"].map {
            found.firstRange(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self).sorted() == places.compactMap(\.self))
        // Of what one does not see nothing is found, whatever else is.
        let seen = try kin("search", "quinc", as: "carol")
        #expect(seen.contains("from the garden") && seen.contains("Quince jam"))
        #expect(!seen.contains("Bob alone") && !seen.contains("Who wants"))
        let posts = try kin("search", "quinc", "--kind", "post")
        #expect(posts.contains("for Bob alone") && !posts.contains("Quince jam") && !posts.contains("Who wants"))
        #expect(try !kin("search", "quinc", "--before", "2020-01-01").contains("garden"))
        let one = try kin("search", "quinc", "--limit", "1")
        #expect(one.contains("Quince jam") && !one.contains("Who wants"))
        #expect(try kin("search", "submarine") == kin("search", "zeppelin"))
        #expect(try run(["search", "quinc", "--limit", "99"], "bob").status != 0)
        // What is removed is found no more.
        _ = try house.door(as: "ada").call(
            "list.remove", ["list": .id(try #require(house.snapshot("ada").lists.keys.first))])
        #expect(try !kin("search", "quinc").contains("Quince jam"))
    }
}
