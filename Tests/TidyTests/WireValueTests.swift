import Testing

/// A value of the wire is spelled once. If a shape were written out beside a type, the type's writer would have to spell
/// it again, and its reader once more.
@Suite struct WireValueTests {
    /// Shapes of objects that are kept under a name and made of no list of fields.
    static func spelled(_ text: String) -> [String] {
        let kept = /\b(?:let|var) (\w*[sS]hape)(?:: Shape)?(?: =|: Shape \{)\s*(?:Shape)?\.object\(\s*\[/
        let named = /\.named\(\s*"(\w+)",\s*(?:Shape)?\.object\(\s*\[/
        return (text.matches(of: kept) + text.matches(of: named)).map { String($0.1) }
    }

    /// The count of writers that spell their fields one by one.
    static func writers(_ text: String) -> Int {
        text.matches(
            of:
                /(?:var json: JSON|func json\([^)]*\)(?: throws\(\w+\))? -> JSON) \{\s*(?:return )?(?:\.object\(leavingOut: )?\[\s*"/
        )
        .count
    }

    /// The count of lists of objects that are written out where they stand, as in a method's result.
    static func lists(_ text: String) -> Int { text.matches(of: /\.list\(\s*(?:Shape)?\.object\(\s*\[/).count }

    /// Where lists are written out all the same.
    static let written: Set<String> = [
        // Parameters, which are read and never written.
        "Sources/Areas/Posts/Posts+Methods.swift", "Sources/Areas/Meals/Meals+Menus.swift",
        // The same, and how far each member of a room has read.
        "Sources/Areas/Chat/Chat+Messages.swift",
    ]

    static let concrete: Set<String> = [
        // Positions have encoders of their own: they are written most.
        "Sources/KinModel/Map/Position.swift", "Sources/Areas/Map/Positions/Position+Wire.swift",
        "Sources/Areas/Map/Phones/PhonePoint.swift",
        // The fields of a line of an inbox depend on the kinds that areas declare.
        "Sources/Areas/Activity/Activity+Shapes.swift",
        // Other programs' formats, which are no values of this wire.
        "Sources/Areas/Map/Phones/Waypoints.swift", "Sources/Areas/Lists/Todos/Lists+Todos.swift",
        "Sources/Areas/Calendars/Shelves/ShelfReading.swift",
    ]

    @Test func `an exception that nothing needs is none`() {
        for file in Self.concrete {
            let text = SourceTree.text(of: file)
            #expect(!Self.spelled(text).isEmpty || Self.writers(text) > 0, "\(file)")
        }
        for file in Self.written { #expect(Self.lists(SourceTree.text(of: file)) > 0, "\(file)") }
    }

    @Test(arguments: ["Sources/Areas", "Sources/KinKeeper", "Sources/KinModel"])
    func `a value has its shape and its writer from one list of fields`(folder: String) {
        for file in SourceTree.files(below: folder) where file.hasSuffix(".swift") && !Self.concrete.contains(file) {
            let text = SourceTree.text(of: file)
            #expect(Self.spelled(text) == [], "\(file)")
            #expect(Self.writers(text) == 0, "\(file)")
            if !Self.written.contains(file) { #expect(Self.lists(text) == 0, "\(file)") }
        }
    }

    @Test func `a list of objects that is written out is noticed`() {
        #expect(Self.lists("result: .object([.required(\"slots\", .list(\n    .object([.required(\"id\", .id)])") == 1)
        #expect(Self.lists(".list(Slot.shape, max: 9), .object([.required(\"id\", .id)])") == 0)
    }

    @Test(arguments: [
        "static let shape = Shape.named(\n    \"Phone\",\n    .object([\n", "private let markShape = Shape.object([ ",
        "static let shape: Shape = .object([", "static var pageShape: Shape { .object([",
        "private let rule = Shape.named(\"PlaceRule\", .object([",
    ])
    func `a shape that is written out is noticed`(text: String) { #expect(Self.spelled(text).count == 1) }

    @Test(arguments: [
        "var json: JSON { [\"member\": .id(member)] }",
        "var json: JSON {\n    .object(leavingOut: [\n        \"id\": .id(id)",
        "func json(_ act: Act) throws(Rejection) -> JSON {\n    [\"id\": .id(id)",
    ])
    func `a writer that spells its fields is noticed`(text: String) { #expect(Self.writers(text) == 1) }

    @Test(arguments: [
        "static let shape = Shape.object(Settings.fields.list + [more])", "static let shape = Told.shape",
        "static let shape = Shape.either(.id, .oneOf([\"everyone\"]))", "var json: JSON { Self.fields.write(self) }",
    ])
    func `what comes from a list is left alone`(text: String) {
        #expect(Self.spelled(text) == [] && Self.writers(text) == 0)
    }
}
