import Glibc

/// The repository as it lies on disk, found from where this file was compiled.
enum SourceTree {
    /// The folder that holds `Package.swift`, without a slash at its end.
    static let root: String = {
        // …/Tests/TidyTests/SourceTree.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// Names in a folder, sorted; empty where there is no such folder. Paths are relative to ``root``.
    static func entries(of folder: String = "") -> [String] {
        guard let directory = opendir(root + "/" + folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Every file below a folder, as a path relative to ``root``.
    static func files(below folder: String) -> [String] {
        entries(of: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            return isFolder(path) ? files(below: path) : [path]
        }
    }

    /// Every Swift file of the package.
    static let swiftFiles: [String] = {
        let below = (files(below: "Sources") + files(below: "Tests")).filter { $0.hasSuffix(".swift") }
        return below + ["Package.swift"]
    }()

    /// Everything people write here that is not prose or data: Swift, C headers, scripts.
    static let codeFiles: [String] = {
        let headers = files(below: "Sources").filter { $0.hasSuffix(".h") || $0.hasSuffix(".modulemap") }
        let scripts = files(below: "deploy") + files(below: ".ci")
        let python = (files(below: "Sources") + files(below: "Tests")).filter { $0.hasSuffix(".py") }
        return swiftFiles + headers + scripts + python
    }()

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(root + "/" + path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool { access(root + "/" + path, F_OK) == 0 }

    static func isExecutable(_ path: String) -> Bool { access(root + "/" + path, X_OK) == 0 && !isFolder(path) }

    /// The bytes of a file; empty where there is none.
    static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(root + "/" + path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    static func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    static func lineCount(of path: String) -> Int { bytes(of: path).count { $0 == UInt8(ascii: "\n") } }

    static func lines(of path: String) -> [Line] { Line.all(in: text(of: path)) }
}
