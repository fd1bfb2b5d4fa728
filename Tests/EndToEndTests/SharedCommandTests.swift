import KinModel
import Testing

/// What is said once and changed later, and what is older than what is shown, by `kin` alone against the real daemon.
@Suite struct SharedCommandTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    @discardableResult
    private func kin(_ words: String..., as who: String = "ada") throws -> [String] {
        let program = stage.start(["kin"] + words + ["--as", who])
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(words): \(program.said)")
        return program.lines
    }

    @Test func `older posts follow the newest, one is pinned no longer, and a comment is changed`() throws {
        for text in ["First", "Second", "Third"] { try kin("post", text) }
        let newest = try kin("feed", "--limit", "1")
        #expect(newest.contains("    Third") && !newest.contains("    Second"))
        #expect(newest.last?.contains("More: kin feed older") == true)
        let older = try kin("feed", "older")
        #expect(older.contains("    Second") && older.contains("    First") && !older.contains("    Third"))
        try kin("feed")
        try kin("feed", "pin", "3")
        let pinned = try #require(try kin("feed").first { $0.contains("pinned") })
        let number = try #require(pinned.split(separator: " ").first)
        #expect(try kin("feed", "unpin", String(number)) == ["The post is pinned no longer."])
        #expect(try !kin("feed").joined().contains("pinned"))
        try kin("feed", as: "bob")
        try kin("comment", "1", "On my wya", as: "bob")
        try kin("feed", "1", as: "bob")
        #expect(try kin("comment", "edit", "1", "1", "On", "my", "way", as: "bob") == ["The comment is changed."])
        try kin("feed")
        let seen = try kin("feed", "1")
        #expect(seen.contains { $0.hasSuffix("  On my way") } && seen.contains { $0.hasSuffix(" · edited") }, "\(seen)")
        #expect(!seen.joined().contains("wya"))
    }

    @Test func `a list is called otherwise, and who said that they cook or eat takes it back`() throws {
        try kin("list", "new", "Shop")
        #expect(try kin("list", "rename", "shop", "Big", "market") == ["Shop is called Big market now."])
        #expect(try house.snapshot("bob").lists.values.map(\.name) == ["Big market"])
        try kin("meal", "plan", "2027-03-02", "Soup")
        try kin("meal", "2027-03-01", as: "bob")
        func meal() throws -> Meal { try #require(try house.snapshot("ada").meals.values.first) }
        let bob = try #require(try house.snapshot("bob").me)
        #expect(try kin("meal", "cook", "1", as: "bob").joined().contains("You cook"))
        #expect(try meal().cook == bob)
        #expect(try kin("meal", "cook", "1", "no", as: "bob").joined().contains("no longer cook"))
        #expect(try meal().cook == nil)
        #expect(try kin("meal", "eat", "1", "out", as: "bob").joined().contains("You do not eat"))
        #expect(try meal().parts.map(\.eats) == [.out] && meal().parts.map(\.member) == [bob])
        #expect(try kin("meal", "eat", "1", "unknown", as: "bob").joined().contains("It is open"))
        #expect(try meal().parts.allSatisfy { $0.eats == nil })
    }

    @Test func `older pictures follow the newest, an album is shared as a whole, and a day comes back in later years`()
        throws
    {
        for number in 1...3 {
            let gif =
                "GIF89a\\1\\0\\1\\0\\200\\0\\0\\\(number)\\0\\0\\377\\377\\377,\\0\\0\\0\\0\\1\\0\\1\\0\\0\\2\\2D\\1\\0;"
            let file = stage.folder + "/\(number).gif"
            try stage.run("sh", "-c", "printf '\(gif)' >\(file)")
            try kin("pictures", "add", file, "--album", "Italy", "--caption", "Day \(number)", "--for", "me")
        }
        let newest = try kin("pictures", "--limit", "1")
        #expect(newest.contains { $0.hasSuffix("Day 3") } && !newest.joined().contains("Day 2"))
        let older = try kin("pictures", "older")
        #expect(older.contains { $0.hasSuffix("Day 2") } && older.contains { $0.hasSuffix("Day 1") })
        #expect(!older.joined().contains("Day 3"))
        #expect(try !kin("pictures", as: "bob").joined().contains("Day"))
        #expect(try kin("pictures", "share-album", "Italy", "everyone").joined().contains("The album Italy is"))
        #expect(try kin("pictures", as: "bob").count { $0.contains("Day ") } == 3)
        // On the same day of a later year they are of an earlier one; on the day itself they are not.
        let taken = try #require(try house.snapshot("ada").pictures.values.map(\.moment).min())
        let day = String(taken.description.prefix(10))
        let year = try #require(Int(day.prefix(4)))
        #expect(try !kin("pictures", "day", day, as: "bob").joined().contains("Day "))
        let later = try kin("pictures", "day", "\(year + 4)\(day.dropFirst(4))", as: "bob")
        #expect(later.contains { $0.hasPrefix("1   ") && $0.contains("Day ") }, "\(later)")
    }
}
