import Testing

/// Adding an area is its own folders, and one entry in each of five lists: what all areas share names none of them, by a
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

    /// The lists, besides `areas` in `Package.swift` and `Sources/KinFamily`: `switch`es, which the compiler holds complete.
    static let lists: Set<String> = [
        "Sources/KinModel/Snapshot.swift", "Sources/kin/CommandArea.swift", "Sources/KinSimulation/World.swift",
    ]

    /// Who is in the family and who is signed in is the mechanism's roster, on which everything stands; so is the inbox
    /// that every area writes to.
    static let mechanism: Set<String> = [
        "Family", "Household", "Member", "MemberKind", "Role", "InboxEntry", "family.", "member.", "session.",
    ]

    /// Pages, phones and the words of one door.
    static let exempt: [String: Set<String>] = [
        // Who follows whom is told to the area by a request of the server's own.
        "Sources/KinServer/Live/Server+Lookers.swift": ["sharing."],
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

    @Test func `a list names an area in one line`() {
        for file in Self.lists {
            let lines = SourceTree.lines(of: file).map { String($0.code).trimmed.lowercased() }
            for area in Self.areas {
                let name = area.lowercased()
                let naming = lines.filter { $0.hasPrefix("case .\(name):") }
                #expect(naming.count == 1, "\(file): \(area)")
            }
        }
    }

    @Test func `the map names an area in one line, and the list of what the keeper knows in one and its import`() {
        func code(_ file: String) -> [String] { SourceTree.lines(of: file).map { String($0.code).trimmed } }
        let (map, family) = (code("Package.swift"), code("Sources/KinFamily/Family.swift"))
        for area in Self.areas {
            #expect(map.filter { $0.hasPrefix("area(\"\(area)\"") }.count == 1, "\(area)")
            #expect(family.filter { $0 == "import Kin\(area)" }.count == 1, "\(area)")
            #expect(family.filter { $0.contains(".\(area.lowercased()):") }.count == 1, "\(area)")
        }
    }

    /// Where the lists name an area: within what is said of `AreaName`, in the map, and among the imports.
    static func lines(naming area: String) -> [String] {
        lists.union(["Package.swift", "Sources/KinFamily/Family.swift"]).sorted().flatMap { file -> [String] in
            var isList = false
            return SourceTree.lines(of: file).compactMap { line -> String? in
                let code = String(line.code)
                if code.contains("extension AreaName") || code.contains("enum AreaName") { isList = true }
                if code.hasPrefix("}") { isList = false }
                let isWord = isList && code.split { !$0.isLetter }.contains { $0 == area.lowercased() }
                let isImport = code.trimmed == "import Kin\(area)"
                let isTarget = code.trimmed.hasPrefix("area(\"\(area)\"")
                return isWord || isImport || isTarget ? "\(file):\(line.number)" : nil
            }
        }
    }

    /// Two more than there are lists: the name of an area, without which the compiler demands nothing of a list, and the
    /// import of its module.
    @Test func `adding an area is seven lines of code in five files`() {
        for area in Self.areas {
            let lines = Self.lines(naming: area)
            #expect(lines.count == 7, "\(area): \(lines)")
            #expect(Set(lines.map { $0.prefix { $0 != ":" } }).count == 5, "\(area): \(lines)")
        }
    }

    @Test func `no list answers for areas that it does not name`() throws {
        for file in Self.lists.union(["Sources/KinFamily/Family.swift"]) {
            let lists = SourceTree.text(of: file).matches(of: /(?s)(?:extension|enum) AreaName\b.*?\n\}/)
            #expect(lists.count == 1, "\(file)")
            // With a `default` the compiler would let a missing line pass.
            for list in lists { #expect(!list.output.contains("default"), "\(file)") }
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
