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
