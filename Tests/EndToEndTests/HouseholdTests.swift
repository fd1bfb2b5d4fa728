import KinModel
import Testing

/// Moving, joining as a child and growing up, by kin alone.
@Suite(.serialized) struct HouseholdTests {
    private func kin(_ stage: Stage, _ words: String..., exits status: Int32 = 0) throws -> [String] {
        let arguments = ["kin"] + words
        let program = stage.start(arguments)
        program.closeInput()
        try stage.wait("kin \(words.joined(separator: " "))") { program.status != nil }
        program.take()
        #expect(program.status == status, "\(words): \(program.said)")
        return program.lines
    }

    @Test func `who moves asks, and the people there answer`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        for name in ["bob", "carol"] { try house.join(name) }
        _ = try kin(stage, "household", "found", "Lake", "--yes", "--as", "carol")
        #expect(try kin(stage, "household", "requests", "--as", "carol") == ["Nothing waits for an answer."])
        // An admin moves nobody; Bob asks.
        _ = try kin(stage, "household", "move", "bob", "Lake", "--as", "ada", exits: 5)
        let asked = try kin(stage, "household", "move", "bob", "Lake", "--as", "bob")
        #expect(asked == ["Nobody has moved yet: the people of Lake are asked whether Bob may move in."])
        let waiting = try kin(stage, "household", "requests", "--as", "carol")
        #expect(waiting.count == 1 && waiting[0].hasPrefix("Bob asks to move into Lake (until "), "\(waiting)")
        #expect(waiting.first?.hasSuffix("; you can answer)") == true)
        #expect(try kin(stage, "inbox", "--as", "carol").contains { $0.contains("Bob asks to move into Lake") })
        _ = try kin(stage, "household", "admit", "bob", "--as", "bob", exits: 5)
        #expect(
            try kin(stage, "household", "move", "bob", "Ockham", "--as", "bob").first?.contains("nobody is asked")
                == true)
        _ = try kin(stage, "household", "move", "bob", "Lake", "--as", "bob")
        #expect(try kin(stage, "household", "refuse", "bob", "--as", "carol") == ["Bob is not admitted to Lake."])
        // Who was refused asks no more today.
        _ = try kin(stage, "household", "move", "bob", "Lake", "--as", "bob", exits: 5)
        // Admitted before asking: Bob moves when he likes.
        let admitted = try kin(stage, "household", "admit", "bob", "--as", "carol")
        #expect(admitted.first?.hasPrefix("Bob may move into Lake within 30 days") == true, "\(admitted)")
        #expect(try kin(stage, "household", "move", "bob", "Lake", "--as", "bob") == ["Bob now lives in Lake."])
        // Root moves anybody.
        #expect(try kin(stage, "household", "move", "bob", "Ockham") == ["Bob now lives in Ockham."])
    }

    @Test func `whoever joins as a child says so, and grows up`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let code = try house.door(as: "ada").call("invite.create", ["kind": "child"])["code"]?.string ?? ""
        func join(_ rest: [String], exits status: Int32) throws -> String {
            let program = stage.start(
                ["kin", "join", code, "--username", "kit", "--display-name", "Kit", "--password-stdin"] + rest,
                input: House.password + "\n")
            program.closeInput()
            try stage.wait("kit to join") { program.status != nil }
            program.take()
            #expect(program.status == status, "\(program.said)")
            return program.said
        }
        #expect(try join([], exits: 2).contains("--as-child"))
        _ = try join(["--as-child"], exits: 0)
        #expect(try kin(stage, "members").contains { $0.contains("kit") && $0.contains("child") })
        #expect(try kin(stage, "member", "grown", "--as", "kit").first?.contains("Without an answer") == true)
        _ = try kin(stage, "member", "grown", "kit", "yes", "--as", "kit", exits: 5)
        _ = try kin(stage, "member", "grown", "kit", "no", "--as", "ada")
        _ = try kin(stage, "member", "grown", "--as", "kit", exits: 5)
        #expect(try kin(stage, "member", "grown", "kit", "yes", "--as", "ada") == ["Kit counts as an adult."])
        #expect(try kin(stage, "inbox", "--as", "kit").contains { $0.contains("Ada says that you count as an adult") })
        _ = try kin(stage, "member", "rename", "kit", "Kitty", "--as", "ada", exits: 5)
        // Who takes a name that looks like another's is told apart.
        _ = try kin(stage, "member", "rename", "kit", "Аda", "--as", "kit")
        let members = try kin(stage, "members", "--as", "ada")
        #expect(members.contains { $0.contains("Аda (kit)") } && members.contains { $0.contains("Ada (ada)") })
    }
}
