import Testing

/// Where a client tells events apart by their names, the names are those of types that are declared. So a word for an event
/// is not left behind when the event gets another name.
@Suite struct EventNameTests {
    static let declared = names(below: "Sources")

    private static func names(below folder: String) -> Set<String> {
        Set(
            SourceTree.files(below: folder).filter { $0.hasSuffix(".swift") }.flatMap { file in
                SourceTree.text(of: file).matches(of: /\bEventType\(\s*"([a-zA-Z.]+)"/).map { String($0.1) }
            })
    }

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

    @Test(arguments: ["Sources/KinWords", "Sources/kin", "Sources/KinClient", "Sources/KinModel"])
    func `a client names the types that KinModel has, and spells none of them`(folder: String) {
        let known = Self.names(below: "Sources/KinModel")
        #expect(known.contains("meeting.voted") && !known.contains("place.entered"))
        for file in SourceTree.files(below: folder) where file.hasSuffix(".swift") {
            for line in SourceTree.lines(of: file) {
                #expect(Self.compared(line).filter { known.contains($0) } == [], "\(file):\(line.number)")
            }
        }
    }

    /// The types that declare events in some Swift, by their names.
    static func tellers(in text: String) -> [String] {
        var (open, tellers) = ("", [String]())
        for line in Line.all(in: text) {
            if let match = line.text.firstMatch(of: /^(?:[a-z]+ )*(?:extension|struct|enum|class) (\w+)/) {
                open = String(match.1)
            }
            if line.code.contains("= EventType(") { tellers.append(open) }
        }
        return tellers
    }

    @Test func `events of a value on the wire stand beside the value, and an area declares those of its own things`() {
        let model = SourceTree.files(below: "Sources/KinModel").filter { $0.hasSuffix(".swift") }
        let values = Set(
            model.flatMap { file in
                SourceTree.lines(of: file).compactMap { line in
                    line.text.firstMatch(of: /^(?:[a-z]+ )*(?:struct|enum|class) (\w+)/).map { String($0.1) }
                }
            })
        #expect(values.isSuperset(of: ["Meeting", "Place", "Member"]))
        for file in SourceTree.files(below: "Sources/Areas") where file.hasSuffix(".swift") {
            let strays = Self.tellers(in: SourceTree.text(of: file)).filter { values.contains($0) }
            #expect(strays == [], "\(file): what tells of these stands beside them in KinModel")
        }
    }

    @Test func `what declares an event is found, in an extension and in a type of its own`() {
        let text = """
            extension Place {
                package static let put = EventType(
            }
            enum Stay {
                static let left = EventType(
            """
        #expect(Self.tellers(in: text) == ["Place", "Stay"])
    }

    @Test(arguments: [
        ("case \"place.arrived\", \"place.left\": return nil", ["place.arrived", "place.left"]),
        ("case Place.hidden.name: say(\"place.gone\")", []), ("if event.type == \"place.left\" {", ["place.left"]),
        ("phrase(\"event.place\")", []),
    ])
    func `a name is noticed where it is compared with`(line: String, names: [String]) {
        #expect(Self.compared(Line(number: 1, text: line, above: "")) == names)
    }

    /// Rows of the log that are taken from somebody's sight are named by the event's type, so that none stays when the
    /// event gets another name.
    static func spelled(_ text: String) -> Int {
        text.matches(
            of: /\.(?:erase|narrow|logged|emit)\(\s*(?:[^()]|\([^()]*\))*?\btypes?: \[?(?:"|\w+(?:\.\w+)*\.name\b)/
        ).count
            + text.matches(of: /\.emit\(\s*"/).count
    }

    @Test func `no row of the log is erased, narrowed or found by a string`() {
        for file in SourceTree.files(below: "Sources/Areas") where file.hasSuffix(".swift") {
            #expect(Self.spelled(SourceTree.text(of: file)) == 0, "\(file)")
        }
    }

    @Test(arguments: [
        ("try act.erase(about: about, type: \"position\")", 1), ("try act.erase(about: about, of: [Position.seen])", 0),
        ("act.narrow(about: LatestPositions.about(member), type: \"position\", by: known)", 1),
        ("act.logged(about: about(), types: [Post.added.name, Post.shown.name])", 1),
        ("act.emit(\"meeting.voted\", data)", 1), ("act.emit(Meeting.voted, .init(type: \"x\"), about: about)", 0),
    ])
    func `a row that is named by a string is noticed`(text: String, count: Int) {
        #expect(Self.spelled(text) == count)
    }
}
