import Testing

/// The files of words: what lies in the folders is in the programs.
@Suite struct WordFileTests {
    static let targets = [
        ("KinWords", "Sources/C/CWords/words.c"), ("kin", "Sources/C/CCommandWords/command-words.c"),
    ]

    @Test(arguments: targets) func `every file that is no area's is in the program`(folder: String, list: String) {
        let text = SourceTree.text(of: list)
        let files = SourceTree.files(below: "Sources/\(folder)/Messages").filter { $0.hasSuffix(".messages") }
        #expect(!files.isEmpty)
        for file in files {
            let name = String(file.split(separator: "/").last?.dropLast(".messages".count) ?? "")
            #expect(text.contains("#embed \"../../\(folder)/Messages/\(name).messages\"\n"), "\(name) in \(list)")
            #expect(text.contains("    FILE(\"\(name)\", "), "\(name) in \(list)")
        }
    }

    @Test(arguments: targets) func `areas' files become data in one way, from the folder of whoever says them`(
        folder: String, list: String
    ) {
        let text = SourceTree.text(of: list)
        #expect(text.contains("#define OF_FOLDER \(folder)\n"))
        let own = SourceTree.files(below: "Sources/C/CCommandWords").filter { $0.hasSuffix(".h") }
        #expect(own == ["Sources/C/CCommandWords/include/CCommandWords.h"])
        for part in ["embedding.h", "areas.h", "rows.h"] {
            #expect(SourceTree.exists("Sources/C/CWords/" + part) && text.contains("\(part)\"\n"), "\(part) in \(list)")
        }
    }

    /// They are found by the area's name.
    @Test(arguments: ["KinWords", "kin"]) func `an area's words are called as its folder`(folder: String) {
        for area in SourceTree.entries(of: "Sources/Areas") {
            let files = SourceTree.files(below: "Sources/\(folder)/Areas/\(area)").filter { $0.hasSuffix(".messages") }
            let expected = ["de", "en"].map { "Sources/\(folder)/Areas/\(area)/\(area.lowercased()).\($0).messages" }
            #expect(files.sorted() == expected)
        }
    }
}
