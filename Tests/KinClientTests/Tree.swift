import Glibc

/// Files of the repository and what programs say, for tests.
enum Tree {
    /// The top of the tree.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    /// What lies in a folder, sorted.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    static func swiftFiles(below folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var files: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) { files += swiftFiles(below: "\(folder)/\(name)") }
            if name.hasSuffix(".swift") { files.append("\(folder)/\(name)") }
        }
        return files.sorted()
    }

    static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

    static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return bytes
    }

    static func write(_ text: String, _ path: String) {
        guard let file = fopen(path, "we") else { return }
        fwrite(Array(text.utf8), 1, text.utf8.count, file)
        fclose(file)
    }

    /// A folder that goes when the closure ends.
    static func temporary<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/kin-tests-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "a temporary folder can be made")
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = output(of: "rm -rf '\(folder)'") }
        return try body(folder)
    }

    /// What a command of the shell prints, both outputs together.
    static func output(of command: String) -> String {
        guard let pipe = popen("(\(command)) 2>&1", "r") else { return "" }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&part, 1, part.count, pipe), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func hasProgram(_ name: String) -> Bool { output(of: "command -v \(name)").hasPrefix("/") }
}
