import Testing

/// Long documents lie in catalogues beside the targets they are about, and lead to each other by names that are there.
@Suite struct CatalogueTests {
    static let pages = SourceTree.files(below: "Sources").filter { $0.contains(".docc/") && $0.hasSuffix(".md") }

    private static func catalogue(_ page: String) -> String {
        String(page[..<(page.firstRange(of: ".docc/")?.lowerBound ?? page.endIndex)])
    }

    @Test func `each catalogue is a target's, and one page of it is its root`() {
        let targets = Set(Manifest.ours.targets(.area, .library, .program).map(\.name))
        for (path, pages) in Dictionary(grouping: Self.pages, by: { Self.catalogue($0) }) {
            let name = path.split(separator: "/").last.map { String($0) } ?? ""
            #expect(targets.contains(name), "\(path).docc")
            let roots = pages.filter { SourceTree.text(of: $0).contains("@TechnologyRoot") }
            #expect(roots.count == 1, "\(path).docc has the roots \(roots)")
        }
    }

    @Test func `no two pages have one name, for they are installed into one folder`() {
        let names = Self.pages.map { $0.split(separator: "/").last ?? "" }
        #expect(Set(names).count == names.count)
    }

    /// `Sources/…/File.swift`, or its end, such as `Loop/FanOut.swift`. X stands for an area.
    @Test func `each file that a page names is there`() {
        let files = SourceTree.files(below: "Sources") + SourceTree.files(below: "Tests")
        var count = 0
        for page in Self.pages + ["README.md"] {
            let text = SourceTree.text(of: page)
            for match in text.matches(of: /`((?:Sources|Tests|deploy)\/[^`\s*<…]+)`/) {
                let path = String(match.output.1)
                guard !path.split(separator: "/").contains("X") else { continue }
                count += 1
                #expect(SourceTree.exists(path), "\(page) names \(path)")
            }
            for match in text.matches(of: /`((?:[A-Z]\w*\/)+[\w+]+\.swift)`/) {
                let path = String(match.output.1)
                guard !path.hasPrefix("Sources/"), !path.hasPrefix("Tests/") else { continue }
                count += 1
                let isThere = files.contains { $0.hasSuffix("/" + path) }
                #expect(isThere, "\(page) names \(path)")
            }
        }
        #expect(count > 30)
    }

    @Test func `each page that another names is there`() {
        let names = Set(Self.pages.compactMap { $0.split(separator: "/").last }.map { String($0) })
        for page in Self.pages {
            for match in SourceTree.text(of: page).matches(of: /`([A-Z]\w+\.md)`/) {
                let name = String(match.output.1)
                #expect(names.contains(name), "\(page) names \(name)")
            }
        }
    }
}
