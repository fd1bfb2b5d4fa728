import Testing

@Suite struct ReadmeTests {
    let readme = SourceTree.text(of: "README.md")
    /// What the README leaves to whoever builds and installs.
    let building = SourceTree.text(of: "Sources/kinwired/kinwired.docc/Building.md")
    let installing = SourceTree.text(of: "Sources/kinwired/kinwired.docc/Installing.md")
    /// What is said of commands anywhere.
    var pages: String {
        let others = CatalogueTests.pages.map { SourceTree.text(of: $0) }
        return ([readme] + others).joined(separator: "\n")
    }
    let manifest = Manifest.ours

    func table(_ heading: [String], _ rows: [[String]]) -> String {
        ([heading, heading.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    func code(_ names: [String]) -> String { names.isEmpty ? "–" : names.map { "`\($0)`" }.joined(separator: " ") }

    @Test func `the table of targets is Package.swift's`() {
        let areas = manifest.targets(.area)
        // Of each area its line in Package.swift says the same: the table need not be changed for another one.
        let common = ["KinKeeper", "KinStore", "KinModel"]
        let line = [
            "the areas",
            "What a family does: each area is a folder of `Sources/Areas`, and its line in `Package.swift` says what it is for.",
            code(common) + " and what its line says",
        ]
        for area in areas { #expect(area.dependencies.starts(with: common) && area.comment.count == 1, "\(area.name)") }
        let rows = manifest.targets(.library, .program).flatMap { target in
            let own = target.dependencies.filter { name in !areas.contains { $0.name == name } }
            let row = [
                "`\(target.name)`", target.comment.joined(separator: " "),
                code(own) + (target.seesAreas ? " and the areas" : ""),
            ]
            return target.name == "KinKeeper" ? [row, line] : [row]
        }
        let expected = table(["target", "what it is for", "may import"], rows)
        let isThere = readme.contains(expected)
        #expect(isThere, "README.md should hold:\n\(expected)")
    }

    @Test func `the table of C libraries is Package.swift's`() {
        let rows = manifest.targets(.wrapped).map { module in
            let wrappers = manifest.targets(.area, .library, .program).filter { $0.dependencies.contains(module.name) }
            return ["`\(module.name)`", code(module.packages), code(wrappers.map(\.name))]
        }
        let expected = table(["module", "Debian's package", "imported by"], rows)
        let isThere = building.contains(expected)
        #expect(isThere, "Building.md should hold:\n\(expected)")
    }

    @Test func `each command it names is there and can be run`() {
        let named = Set(
            pages.matches(of: /(?:^|[\s`(])((?:deploy|\.ci)\/[a-z][a-z0-9-]*)/).map { String($0.output.1) })
        #expect(named.isSuperset(of: ["deploy/run", "deploy/test", "deploy/bare-root"]))
        for path in named.sorted() {
            // The one script that is sourced.
            if path == "deploy/packages" { continue }
            #expect(SourceTree.isExecutable(path) || SourceTree.isFolder(path), "\(path)")
        }
    }

    @Test func `each command there is has a place in it`() {
        for path in SourceTree.files(below: "deploy") where SourceTree.text(of: path).hasPrefix("#!") {
            let isNamed = pages.contains(path)
            #expect(isNamed, "\(path)")
        }
    }

    @Test func `each file and folder that it or a page names is there`() {
        for match in pages.matches(of: /`((?:Sources|Tests|deploy)\/[\w.\/+-]+)`/) {
            let path = String(match.output.1)
            #expect(SourceTree.exists(path), "\(path)")
        }
        for match in readme.matches(of: /\]\(([^)#:]+)\)/) {
            let path = String(match.output.1)
            #expect(SourceTree.exists(path), "\(path)")
        }
    }

    @Test func `it is short`() {
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 160)
    }

    @Test func `no section is empty`() {
        let filled = Line.all(in: readme).filter { !$0.text.trimmed.isEmpty }
        for (line, next) in zip(filled, filled.dropFirst()) where next.text.hasPrefix("## ") {
            #expect(!line.text.hasPrefix("## "), "\(line.text)")
        }
    }
}
