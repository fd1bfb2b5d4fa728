import Testing

/// Adding an area is its own folders, and one line in each of five lists: what all areas share names none of them, by a
/// type or by the first word of its methods and events.
@Suite struct AreaNameTests {
    static let areas = SourceTree.entries(of: "Sources/Areas")

    /// What is shared: each target's folder, and within it where areas have folders of their own.
    static let shared: [(folder: String, areas: String)] = [
        ("Sources/KinModel", "Sources/KinModel/"), ("Sources/KinWords", "Sources/KinWords/Areas/"),
        ("Sources/kin", "Sources/kin/Areas/"),
        ("Sources/KinSimulation", "Sources/KinSimulation/Areas/"), ("Sources/KinServer", "Sources/Areas/"),
        ("Sources/KinKeeper", "Sources/Areas/"),
    ]

    /// The lists, besides `areas` in `Package.swift`. The first has the areas themselves.
    static let lists = [
        "Sources/KinModel/Areas.swift", "Sources/KinFamily/Family.swift", "Sources/kin/CommandArea.swift",
        "Sources/KinSimulation/World.swift",
    ]

    /// Who is in the family and who is signed in is the mechanism's roster, on which everything stands; so is the inbox
    /// that every area writes to.
    static let mechanism: Set<String> = [
        "Family", "Household", "Member", "MemberKind", "Role", "InboxEntry", "family.", "member.", "session.",
    ]

    /// Pages, phones and the words of one door.
    static let exempt: [String: Set<String>] = [
        // Who follows whom is told to the area by a request of the server's own.
        "Sources/KinServer/Following/Server+Lookers.swift": ["sharing."],
        // Values that one area hands to another through a question of the mechanism.
        "Sources/KinKeeper/Registry/Area.swift": ["Settings", "Position", "OwnPart", "Picture", "ListItem"],
        "Sources/KinKeeper/Registry/Registry.swift": ["Settings", "Position", "OwnPart"],
    ]

    /// Questions whose names are those of the values that answer them; the others say what they are for.
    static let answers: Set<String> = ["settings", "position", "member", "household"]

    static func isExempt(_ path: String) -> Bool {
        path.hasPrefix("Sources/KinServer/Web/") || path.hasPrefix("Sources/KinServer/Gateways/")
    }

    static func swift(below folder: String) -> [String] {
        SourceTree.files(below: folder).filter { $0.hasSuffix(".swift") }
    }

    /// `meeting.`, `place.`: what its methods and events begin with.
    static let words: Set<String> = {
        var words: Set<String> = []
        for file in swift(below: "Sources/Areas") {
            let declared = /(?:Method\.(?:command|query)\(|EventType\()\s*"([a-z][A-Za-z]*)[."]/
            for match in SourceTree.text(of: file).matches(of: declared) { words.insert(match.1 + ".") }
        }
        return words
    }()

    /// The types that the areas' folders declare, and the areas' modules; not what a shared file calls so as well.
    static func types(_ folders: [String], besides files: [String]) -> Set<String> {
        var types: Set<String> = []
        for file in folders.flatMap(swift) {
            let declared = /(?m)^(?:public |package )?(?:final )?(?:struct|enum|class|protocol|typealias) (\w+)/
            for match in SourceTree.text(of: file).matches(of: declared) { types.insert(String(match.1)) }
        }
        types.formUnion(areas.flatMap { [$0, "Kin" + $0] })
        for file in files {
            for match in SourceTree.text(of: file).matches(of: /(?:struct|enum|class|protocol|typealias|case) (\w+)/) {
                types.remove(String(match.1))
            }
        }
        return types
    }

    /// What a line names of areas.
    static func named(_ line: Line, _ types: Set<String>) -> Set<String> {
        var found: Set<String> = []
        for match in line.code.matches(of: /"([a-z][A-Za-z]*\.)/) where words.contains(String(match.1)) {
            found.insert(String(match.1))
        }
        // What stands between quotes names no type.
        for (index, piece) in line.code.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where index.isMultiple(of: 2) {
            for match in piece.matches(of: /\b[A-Z]\w+\b/) where types.contains(String(match.output)) {
                found.insert(String(match.output))
            }
        }
        return found.subtracting(mechanism)
    }

    @Test func `areas have words and folders to look for`() {
        #expect(Self.words.isSuperset(of: ["meeting.", "place.", "sharing.", "activity.", "household."]))
        for (_, folder) in Self.shared { for area in Self.areas { #expect(SourceTree.isFolder(folder + area)) } }
    }

    @Test(arguments: shared.map(\.folder)) func `what all areas share names none of them`(folder: String) throws {
        let kinds = Self.shared.filter { $0.folder == folder || $0.folder == "Sources/KinModel" }.map(\.areas)
        let own = kinds.flatMap { kind in Self.areas.map { kind + $0 } }
        let files = Self.swift(below: folder).filter { file in
            !own.contains { file.hasPrefix($0 + "/") } && !Self.isExempt(file)
        }
        #expect(files.count > 5)
        let types = Self.types(own, besides: files + Self.swift(below: "Sources/KinKeeper"))
        for file in files where !Self.lists.contains(file) {
            for line in SourceTree.lines(of: file) {
                let found = Self.named(line, types).subtracting(Self.exempt[file] ?? [])
                #expect(found.isEmpty, "\(file):\(line.number) names \(found.sorted())")
            }
        }
    }

    /// Where an area stands in the five lists. A line that puts some areas before the others does not count.
    static func lines(naming area: String) -> [String] {
        (["Package.swift"] + lists).flatMap { file -> [String] in
            SourceTree.lines(of: file).compactMap { line -> String? in
                let code = String(line.code)
                let names = code.matches(of: /\w+/).map { String($0.output) }
                let isNamed =
                    file == "Package.swift"
                    ? code.trimmed.hasPrefix("area(\"\(area)\"")
                    : names.contains(area + "Part") || names.contains("Kin" + area)
                return isNamed && !code.contains("first:") ? "\(file):\(line.number)" : nil
            }
        }
    }

    @Test func `adding an area is five lines of code in five files`() {
        for area in Self.areas {
            let lines = Self.lines(naming: area)
            #expect(lines.count == 5, "\(area): \(lines)")
            #expect(Set(lines.map { $0.prefix { $0 != ":" } }).count == 5, "\(area): \(lines)")
        }
    }

    @Test func `the lists name no areas but those that have folders`() {
        let named = SourceTree.text(of: "Sources/KinModel/Areas.swift").matches(of: /(?m)^    (\w+)Part,?$/)
        #expect(named.map { String($0.output.1) }.sorted() == Self.areas)
    }

    /// So the compiler does not let a missing line pass.
    @Test func `every list but the first is asked for a line of each area in that one`() {
        for file in Self.lists.filter({ $0 != "Sources/KinModel/Areas.swift" }) {
            let text = SourceTree.text(of: file)
            let asked = text.matches(of: /extension AreaList where repeat each Part: (\w+)/).map { String($0.output.1) }
            #expect(asked.count == 1, "\(file)")
            let answered = text.matches(of: /(?m)^extension (\w+)Part: (\w+) \{ .* \}$/)
            #expect(answered.map { String($0.output.1) }.sorted() == Self.areas, "\(file)")
            #expect(answered.allSatisfy { [String($0.output.2)] == asked }, "\(file)")
        }
    }

    @Test func `an exception that nothing needs is none`() {
        let folders = Self.areas.flatMap { ["Sources/KinModel/" + $0, "Sources/Areas/" + $0] }
        let types = Self.types(folders, besides: Self.swift(below: "Sources/KinKeeper"))
        for (file, names) in Self.exempt {
            let found = SourceTree.lines(of: file).reduce(into: Set<String>()) { found, line in
                found.formUnion(Self.named(line, types))
            }
            #expect(found.isSuperset(of: names), "\(file)")
        }
    }

    @Test func `what the mechanism asks areas is called after what it is for`() {
        let names = Set(Self.words.map { String($0.dropLast()) }).union(Self.areas.map { $0.lowercased() })
        #expect(names.isSuperset(of: ["post", "message", "room", "picture", "meetings"]))
        for line in SourceTree.lines(of: "Sources/KinKeeper/Registry/Area.swift") {
            for match in line.code.matches(of: /\b(?:var|let|case) (\w+)/) {
                let name = String(match.1)
                let isOfArea = names.contains(name) && !Self.answers.contains(name)
                #expect(!isOfArea, "line \(line.number) names \(name)")
            }
        }
    }

    @Test(arguments: [
        ("case \"meeting.voted\": break", ["meeting."]), ("let seen: Meeting? = nil", ["Meeting"]),
        ("// Meeting and \"place.added\"", []), ("say(\"Meeting\")", []), ("let member: Member", []),
    ])
    func `a name of an area is noticed`(line: String, found: [String]) {
        let types: Set<String> = ["Meeting", "Member"]
        #expect(Self.named(Line(number: 1, text: line, above: ""), types).sorted() == found)
    }
}
