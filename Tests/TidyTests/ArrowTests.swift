import Testing

@Suite struct ArrowTests {
    let manifest = Manifest.ours

    @Test func `every target has a folder and every folder is a target`() {
        let sources = manifest.targets(.library, .program).map(\.name) + ["Areas", "C"]
        #expect(SourceTree.entries(of: "Sources") == sources.sorted())
        #expect(SourceTree.entries(of: "Sources/C") == manifest.targets(.wrapped).map(\.name).sorted())
        #expect(
            SourceTree.entries(of: "Sources/Areas").map { "Kin" + $0 } == manifest.targets(.area).map(\.name).sorted())
        let tests = manifest.targets(.tests).map(\.name) + ["Areas", "Support"]
        #expect(SourceTree.entries(of: "Tests") == tests.sorted())
        #expect(
            SourceTree.entries(of: "Tests/Areas").map { "Tests/Areas/" + $0 }
                == manifest.targets(.areaTests).map(\.folder).sorted())
        #expect(
            SourceTree.entries(of: "Tests/Support").map { "Tests/Support/" + $0 }
                == manifest.targets(.support).map(\.folder).sorted())
    }

    @Test func `the map reads bottom up`() {
        // Areas stand in a list of their own, above the mechanism.
        var seen = Set(manifest.targets(.area).map(\.name))
        for target in manifest.targets where target.kind != .area {
            for dependency in target.dependencies {
                #expect(seen.contains(dependency), "\(target.name) stands above \(dependency), which it needs")
            }
            seen.insert(target.name)
        }
    }

    @Test func `the mechanism names no area, and no area another`() {
        let areas = Set(manifest.targets(.area).map(\.name))
        for target in manifest.targets(.area) + manifest.targets(.library).filter({ $0.name == "KinKeeper" }) {
            #expect(areas.isDisjoint(with: target.dependencies), "\(target.name)")
        }
        for file in SourceTree.files(below: "Sources/KinKeeper") where file.hasSuffix(".swift") {
            for line in SourceTree.lines(of: file) {
                for type in ["Members", "Activity", "Map", "Places", "Meetings"] {
                    #expect(!line.code.contains("\(type)."), "\(file):\(line.number) names \(type)")
                }
            }
        }
    }

    @Test func `every target says in one comment line what it is for`() {
        for target in manifest.targets(.area, .library, .program, .support) {
            #expect(target.comment.count == 1, "\(target.name) in Package.swift")
        }
    }

    /// Foundation stays out of the daemon: its dates drop milliseconds and its JSON passes unknown keys.
    func systemModules(of target: Manifest.Target) -> Set<String> {
        var modules: Set<String> = ["Swift", "Glibc", "Synchronization"]
        if [.tests, .areaTests, .support].contains(target.kind) {
            modules.formUnion(["Testing", "Foundation", "Dispatch"])
        }
        if ["kin", "KinClient"].contains(target.name) { modules.insert("FoundationEssentials") }
        return modules
    }

    @Test func `a target imports only what the map says, so arrows point down`() {
        for target in manifest.targets(.area, .library, .program, .support, .tests, .areaTests) {
            let allowed = systemModules(of: target).union(target.dependencies)
            for file in SourceTree.files(below: target.folder) where file.hasSuffix(".swift") {
                for used in Import.all(in: file) {
                    #expect(allowed.contains(used.module), "\(file):\(used.line) imports \(used.module)")
                }
            }
        }
    }

    @Test func `the list of areas alone imports modules by flags, and those are arrows of the map`() {
        let importing = manifest.targets.filter(\.importsAreas)
        #expect(importing.map(\.name) == ["KinFamily"])
        let areas = manifest.targets(.area).map(\.name)
        for target in importing {
            #expect(!areas.isEmpty && Set(areas).isSubset(of: target.dependencies), "\(target.name)")
        }
        let flags = SourceTree.lines(of: "Package.swift").filter { $0.code.contains("-import-module") }
        #expect(flags.count == 1 && flags.allSatisfy { $0.code.contains("areas.flatMap") })
    }

    @Test func `a wrapper does not hand on the C library it wraps`() {
        let wrapped = Set(manifest.targets(.wrapped).map(\.name))
        for file in SourceTree.swiftFiles {
            for used in Import.all(in: file) where used.isPublic {
                #expect(!wrapped.contains(used.module), "\(file):\(used.line) imports \(used.module) publicly")
            }
        }
    }

    @Test(arguments: [
        ("import KinModel", "KinModel"), ("public import KinModel", "KinModel"),
        ("@testable import KinModel", "KinModel"),
        ("@preconcurrency internal import struct KinModel.JSON // why", "KinModel"),
    ])
    func `an import is recognised however it is dressed`(text: String, module: String) {
        #expect(Import(Line(number: 1, text: text, above: ""))?.module == module)
    }

    @Test func `a program in a literal imports nothing here`() {
        let lines = Line.all(in: "import KinModel\nlet client = \"\"\"\n    import socket\n    \"\"\"\nimport KinCodec")
        #expect(Import.all(in: lines).map(\.module) == ["KinModel", "KinCodec"])
    }

    @Test func `a declaration is read from the map, over several lines too`() {
        let manifest = Manifest(
            """
                c("CGD", package: "libgd-dev", "libexif-dev"),

                // What it does.
                library(
                    "KinCodec",
                    ["KinModel", "CJansson"]),
            """)
        #expect(manifest.targets.map(\.name) == ["CGD", "KinCodec"])
        #expect(manifest.targets.first?.packages == ["libgd-dev", "libexif-dev"])
        #expect(manifest.targets.last?.dependencies == ["KinModel", "CJansson"])
        #expect(manifest.targets.last?.comment == ["What it does."])
    }
}
