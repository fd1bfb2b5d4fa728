import Testing

/// Where a client tells events apart by their names, the names are those of types that are declared. So a word for an event
/// is not left behind when the event gets another name.
@Suite struct EventNameTests {
    static let declared: Set<String> = Set(
        SourceTree.files(below: "Sources").filter { $0.hasSuffix(".swift") }.flatMap { file in
            SourceTree.text(of: file).matches(of: /\bEventType\(\s*"([a-zA-Z.]+)"/).map { String($0.1) }
        })

    /// The names that a line compares with.
    static func compared(_ line: Line) -> [String] {
        guard line.code.trimmed.hasPrefix("case \"") || line.code.contains(".type == \"") else { return [] }
        return line.code.prefix { $0 != ":" }.matches(of: /"([a-z]+\.[a-zA-Z]+)"/).map { String($0.1) }
    }

    @Test(arguments: ["Sources/KinWords", "Sources/KinClient", "Sources/KinModel"])
    func `a client tells apart only what is declared`(folder: String) {
        #expect(Self.declared.isSuperset(of: ["meeting.voted", "place.entered", "quota.near"]))
        for file in SourceTree.files(below: folder) where file.hasSuffix(".swift") {
            for line in SourceTree.lines(of: file) {
                let unknown = Self.compared(line).filter { !Self.declared.contains($0) }
                #expect(unknown == [], "\(file):\(line.number)")
            }
        }
    }

    @Test(arguments: [
        ("case \"place.arrived\", \"place.left\": return nil", ["place.arrived", "place.left"]),
        ("case Place.hidden.name: say(\"place.gone\")", []), ("if event.type == \"place.left\" {", ["place.left"]),
        ("phrase(\"event.place\")", []),
    ])
    func `a name is noticed where it is compared with`(line: String, names: [String]) {
        #expect(Self.compared(Line(number: 1, text: line, above: "")) == names)
    }
}
