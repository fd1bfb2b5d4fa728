import Testing

/// Arrows between the folders of a target point down, as those between targets do.
@Suite struct FolderTests {
    /// The folders of each target that has more than one, bottom up. In KinModel the other areas come behind, in the
    /// order of `Package.swift`.
    static let order: [String: [String]] = {
        var order = written
        let areas = Manifest.ours.targets(.area).map { String($0.name.dropFirst("Kin".count)) }
        order["KinModel"]? += areas.filter { written["KinModel"]?.contains($0) == false }
        return order
    }()

    private static let written: [String: [String]] = [
        "KinModel": ["Core", "Members", "Map", "Meetings", "Activity"],
        "KinContacts": ["VCard", "Cards"],
        "KinCalendars": ["ICal", "Shelves", "Outside"],
        "KinMap": ["Beneath", "Positions", "Places", "Sharing", "Phones"],
        "KinCodec": ["Deflate", "Text", "JSON", "HTTP", "WebSocket"],
        "KinKeeper": ["Work", "Roster", "Keeper", "Registry", "Live", "Search", "House"],
        "KinServer": ["HTTP", "Worker", "Live", "Loop", "Following", "Metrics", "Doors", "Gateways", "Web", "Daemon"],
        "KinSimulation": ["Vectors", "Areas"],
        "kin": ["Messages", "When", "Notify", "Tail", "Completion", "Areas", "Commands"],
    ]

    /// An arrow that points up all the same, from one folder to another, and why.
    struct Exception {
        let target: String
        let from: String
        let to: [String]
        let why: String
    }

    /// Arrows from before there was this rule. The list gets shorter, never longer: one that is there no more fails too.
    static let exceptions = [
        Exception(
            target: "KinKeeper", from: "Keeper", to: ["Registry"],
            why: "The keeper runs what the registry lists, and the registry lists what runs in an act."),
        Exception(
            target: "KinServer", from: "Loop", to: ["Doors"],
            why: "A connection holds its request, and the loop hands bytes and answers to the request's door."),
    ]

    private static let targets = Manifest.ours.targets(.area, .library, .program)

    @Test func `every target with folders says in which order they stand`() {
        for target in Self.targets {
            let names = Folders.names(in: target.folder)
            guard names.count > 1 else { continue }
            #expect(
                Self.order[target.name]?.sorted() == names.sorted(),
                "\(target.name) has the folders \(names); give their order, bottom up")
        }
        #expect(Set(Self.order.keys).isSubset(of: Self.targets.map(\.name)))
    }

    @Test(arguments: order.keys.sorted())
    func `no folder names what one above it declares`(name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        let order = Self.order[name] ?? []
        let upward = Folders(of: target.folder).arrows.filter { arrow in
            (order.firstIndex(of: arrow.from) ?? 0) < (order.firstIndex(of: arrow.to) ?? 0)
        }
        let exceptions = Self.exceptions.filter { $0.target == name }
        for arrow in upward where !exceptions.contains(where: { $0.from == arrow.from && $0.to.contains(arrow.to) }) {
            Issue.record("\(arrow.place) names \(arrow.name) of \(arrow.to), which stands above \(arrow.from)")
        }
        for exception in exceptions {
            for to in exception.to {
                #expect(
                    upward.contains { $0.from == exception.from && $0.to == to },
                    "\(name): \(exception.from) names nothing of \(to) any more; take the exception out")
            }
        }
    }

    @Test func `the rooms of the map have no exception`() {
        #expect(!Self.exceptions.contains { $0.target == "KinMap" })
    }

    // MARK: How it is read

    private static func arrows(lower: String, upper: String) -> [String] {
        Folders(files: [
            "Lower": [("Lower.swift", Code.text(lower))], "Upper": [("Upper.swift", Code.text(upper))],
        ]).arrows.filter { $0.from == "Lower" }.map(\.name)
    }

    @Test(arguments: [
        "let all: [Upper] = []", "func take(_ upper: Upper?) {}", "extension Upper {}",
        "let text = \"\\(Upper.all)\"", "let text = \"\"\"\n    \\(one(\")\", Upper()))\n    \"\"\"",
    ])
    func `a type from above is found wherever code names it`(lower: String) {
        #expect(Self.arrows(lower: lower, upper: "struct Upper {}") == ["Upper"])
    }

    @Test(arguments: [
        "// Upper", "let text = \"Upper\"", "let text = \"\"\"\n    SELECT Upper\n    \"\"\"",
        "let one = Other.Upper()",
        "let text = \"\\\"Upper\"", "let upper = one.upper",
    ])
    func `a word in a comment, a literal or behind a dot is no name`(lower: String) {
        #expect(Self.arrows(lower: lower, upper: "struct Upper {}") == [])
    }

    @Test func `what a folder adds to a type from elsewhere is its own`() {
        let upper = "extension Shared {\n    static func settle() {}\n    struct Page {}\n    func show() {}\n}"
        #expect(Self.arrows(lower: "let one = Shared.settle()", upper: upper) == ["Shared.settle"])
        #expect(Self.arrows(lower: "let one: Shared.Page", upper: upper) == ["Shared.Page"])
        #expect(Self.arrows(lower: "let one: Shared", upper: upper) == [])
        #expect(Self.arrows(lower: "struct Shared {\n    struct Page {}\n}\nlet one: Shared.Page", upper: upper) == [])
    }

    @Test func `a file's own type is nobody else's`() {
        #expect(Self.arrows(lower: "let one: Upper", upper: "private struct Upper {}") == [])
        #expect(Self.arrows(lower: "let one: Upper", upper: "public final class Upper {}") == ["Upper"])
    }
}
