/// What `Package.swift` says about each target, read from its text: the map is written in six words, `c`, `area`,
/// `library`, `program`, `support` and `tests`, so that people and this test can read it. Each area has tests of its own.
struct Manifest {
    enum Kind: String, CaseIterable {
        case wrapped = "c"
        case area
        case library
        case program
        case support
        case tests
        /// Of one area: not written, but made from the list of areas.
        case areaTests
    }

    struct Target {
        let kind: Kind
        let name: String
        /// The comment lines right above, without slashes.
        let comment: [String]
        /// Debian packages, of a wrapped C library.
        let packages: [String]
        /// Names of other targets.
        let dependencies: [String]
        /// Whether it depends on all areas, whichever there are.
        var seesAreas = false
        /// Whether all areas' modules are imported into its files, by flags.
        var importsAreas = false

        /// The folder its sources lie in, relative to the repository.
        var folder: String {
            switch kind {
            case .wrapped: "Sources/C/" + name
            case .area: "Sources/Areas/" + name.dropFirst("Kin".count)
            case .library, .program: "Sources/" + name
            case .support: "Tests/Support/" + name.dropFirst("Kin".count)
            case .tests: "Tests/" + name
            case .areaTests: "Tests/Areas/" + name.dropFirst("Kin".count).dropLast("Tests".count)
            }
        }
    }

    /// In the order they are written.
    let targets: [Target]

    init(_ text: String) {
        var targets: [Target] = []
        var comment: [String] = []
        var call = ""
        for line in Line.all(in: text) {
            let trimmed = line.text.trimmed
            if call.isEmpty {
                if trimmed.hasPrefix("// ") {
                    comment.append(String(trimmed.dropFirst(3)))
                    continue
                }
                guard Kind(callIn: trimmed) != nil else {
                    comment = []
                    continue
                }
            }
            call += line.code
            // A call may run over several lines; it ends where its parentheses balance.
            guard call.count(where: { $0 == "(" }) == call.count(where: { $0 == ")" }) else { continue }
            if let target = Target(call: call, comment: comment) { targets.append(target) }
            (call, comment) = ("", [])
        }
        // Whoever depends on `areaNames` depends on all areas.
        let areas = targets.filter { $0.kind == .area }
        let whole = targets.map { $0.seesAreas ? $0.adding(areas.map(\.name)) : $0 }
        let seen = whole.first { $0.name == "KinFamilyTests" }?.dependencies ?? []
        self.targets =
            whole
            + areas.map { area in
                Target(kind: .areaTests, name: area.name + "Tests", comment: [], packages: [], dependencies: seen)
            }
    }

    static let ours = Manifest(SourceTree.text(of: "Package.swift"))

    func targets(_ kinds: Kind...) -> [Target] { targets.filter { kinds.contains($0.kind) } }
}

extension Manifest.Kind {
    /// The word that begins a declaration; `nil` for any other line.
    init?(callIn trimmed: String) {
        guard let open = trimmed.firstIndex(of: "(") else { return nil }
        let rest = trimmed[trimmed.index(after: open)...].trimmed
        guard rest.isEmpty || rest.hasPrefix("\"") else { return nil }
        self.init(rawValue: String(trimmed[..<open]))
    }
}

extension Manifest.Target {
    /// Reads `library("KinCodec", ["KinModel", "CJansson"])` and its sisters.
    init?(call: String, comment: [String]) {
        guard let kind = Manifest.Kind(callIn: call.trimmed) else { return nil }
        func quoted(_ text: some StringProtocol) -> [String] {
            text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
        }
        guard let name = quoted(call).first else { return nil }
        let list = call.split(separator: "[", maxSplits: 1).dropFirst().first?.split(separator: "]").first ?? ""
        self.init(
            kind: kind, name: kind == .area ? "Kin" + name : name, comment: comment,
            packages: kind == .wrapped ? Array(quoted(call).dropFirst()) : [],
            dependencies: (kind == .area ? ["KinKeeper", "KinStore", "KinModel"] : [])
                + (kind == .wrapped ? [] : quoted(list)),
            seesAreas: call.contains("areaNames"), importsAreas: call.contains("areaImports"))
    }

    /// The same target, which depends on some more.
    fileprivate func adding(_ more: [String]) -> Self {
        Self(
            kind: kind, name: name, comment: comment, packages: packages, dependencies: dependencies + more,
            seesAreas: true, importsAreas: importsAreas)
    }
}
