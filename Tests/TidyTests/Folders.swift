/// The folders of a target, with what each declares and names: read from the text, by the names of types.
struct Folders {
    /// A name from above: in a file of a lower folder, something is named that a folder above declares.
    struct Arrow: Hashable {
        let from: String
        let to: String
        /// `Stopover`, or `Track.take` for what the folder adds to a type from elsewhere.
        let name: String
        /// Where it stands: `Sources/…/Track.swift:12`.
        let place: String
    }

    /// Files by folder: their paths and their code without comments and without the text of literals.
    private let files: [String: [(path: String, code: String)]]
    /// The folders that declare a type, by its name.
    private var types: [String: Set<String>] = [:]
    /// The folders that add something static or nested to a type, by `Type.name`.
    private var members: [String: Set<String>] = [:]

    /// Of a target, by its folder. What lies in its root joins the others and belongs to none.
    init(of target: String) {
        var files: [String: [(path: String, code: String)]] = [:]
        for folder in Self.names(in: target) {
            files[folder] = SourceTree.files(below: target + "/" + folder).filter { $0.hasSuffix(".swift") }
                .map { ($0, Code.text(SourceTree.text(of: $0))) }
        }
        self.init(files: files)
    }

    /// Of code by folder: for tests of this.
    init(files: [String: [(path: String, code: String)]]) {
        self.files = files
        for (folder, files) in files {
            for file in files {
                var open: String?
                for line in Line.all(in: file.code) {
                    guard !line.text.hasPrefix(" ") else {
                        guard let open, let name = Declaration.member(line.text) else { continue }
                        members[open + "." + name, default: []].insert(folder)
                        continue
                    }
                    guard let declared = Declaration(line.text) else { continue }
                    open = declared.name
                    if declared.isSeen { types[declared.name, default: []].insert(folder) }
                }
            }
        }
    }

    /// Names of a target's folders that hold Swift.
    static func names(in target: String) -> [String] {
        SourceTree.entries(of: target).filter { name in
            SourceTree.isFolder(target + "/" + name)
                && SourceTree.files(below: target + "/" + name).contains { $0.hasSuffix(".swift") }
        }
    }

    /// Every name of what another folder declares, where the folder it stands in does not declare the same.
    var arrows: [Arrow] {
        files.keys.sorted().flatMap { folder in
            (files[folder] ?? []).flatMap { file in
                Line.all(in: file.code).flatMap { line in
                    Code.names(in: line.text).flatMap { name in
                        arrows(of: name, in: folder, at: "\(file.path):\(line.number)")
                    }
                }
            }
        }
    }

    private func arrows(of name: Code.Name, in folder: String, at place: String) -> [Arrow] {
        var found: [Arrow] = []
        func add(_ declaring: Set<String>?, _ name: String) {
            guard let declaring, !declaring.contains(folder) else { return }
            for other in declaring { found.append(Arrow(from: folder, to: other, name: name, place: place)) }
        }
        add(types[name.type], name.type)
        if let member = name.member { add(members[name.type + "." + member], name.type + "." + member) }
        return found
    }
}

/// What a line at the left margin declares.
private struct Declaration {
    let name: String
    /// Whether other files may name it: it is a type, and not the file's own.
    let isSeen: Bool

    private static let kinds: Set = ["struct", "enum", "class", "protocol", "actor", "typealias"]

    init?(_ line: String) {
        let words = Code.words(line)
        if let index = words.firstIndex(of: "extension"), index + 1 < words.count {
            // Of `Track.Page` the last.
            let dotted = line.split(separator: " ").first { $0.hasPrefix(words[index + 1]) } ?? ""
            name = Code.words(String(dotted)).last ?? words[index + 1]
            isSeen = false
        } else if let index = words.firstIndex(where: { Self.kinds.contains($0) }), index + 1 < words.count {
            name = words[index + 1]
            isSeen = !words[..<index].contains { $0 == "private" || $0 == "fileprivate" }
        } else {
            return nil
        }
    }

    /// The name of a type's static or nested member, declared at the type's own margin.
    static func member(_ line: String) -> String? {
        guard line.hasPrefix("    "), !line.hasPrefix("     ") else { return nil }
        let words = Code.words(line)
        guard !words.prefix(2).contains(where: { $0 == "private" || $0 == "fileprivate" }) else { return nil }
        if let index = words.firstIndex(of: "static") {
            guard index + 2 < words.count, ["let", "var", "func"].contains(words[index + 1]) else { return nil }
            return words[index + 2]
        }
        guard let index = words.prefix(3).firstIndex(where: { kinds.contains($0) }), index + 1 < words.count else {
            return nil
        }
        return words[index + 1]
    }
}
