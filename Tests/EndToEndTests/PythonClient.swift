import Glibc
import Testing

/// The client that README.md shows, taken from it.
struct PythonClient {
    static let debian = "/usr/bin/python3"
    /// With PyPI's current `websockets`; made by `deploy/test` where PyPI can be reached.
    static let current = Stage.root + "/.build/python/bin/python"

    static func hasWebSockets(_ python: String) -> Bool {
        guard access(python, X_OK) == 0 else { return false }
        return Program([python, "-c", "import websockets"], environment: ["PATH": "/usr/bin:/bin"]).waited() == 0
    }

    /// The first block of Python in the README.
    static func source() throws -> String {
        let readme = try String(file: Stage.root + "/README.md")
        let block = try #require(readme.split(separator: "```python\n", maxSplits: 1).dropFirst().first)
        return try #require(block.split(separator: "\n```", maxSplits: 1).first) + "\n"
    }

    /// The words that start it for a member, with its cursor in `folder`.
    static func command(_ python: String, _ house: House, as username: String, folder: String) throws -> [String] {
        let file = folder + "/client.py"
        mkdir(folder, 0o700)
        try source().write(file: file)
        let address = try "https://127.0.0.1:\(house.port)#sha256=\(house.fingerprint)"
        return ["env", "-C", folder, python, file, address, username]
    }
}

extension String {
    /// A file's text.
    init(file path: String) throws {
        let file = try #require(fopen(path, "re"), "\(path) can be read")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        self = String(decoding: bytes, as: UTF8.self)
    }

    func write(file path: String) throws {
        let file = try #require(fopen(path, "we"), "\(path) can be written")
        fputs(self, file)
        fclose(file)
    }
}
