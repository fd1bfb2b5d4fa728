import Glibc
import Testing

/// The client that the page PythonClient.md shows, taken from it.
struct PythonClient {
    static let debian = "/usr/bin/python3"
    /// With PyPI's current `websockets`; made by `deploy/test` where PyPI can be reached.
    static let current = Stage.root + "/.build/python/bin/python"

    static func hasWebSockets(_ python: String) -> Bool {
        guard access(python, X_OK) == 0 else { return false }
        return Program([python, "-c", "import websockets"], environment: ["PATH": "/usr/bin:/bin"]).waited() == 0
    }

    /// The first block of Python on the page.
    static func source() throws -> String {
        let path = Stage.root + "/Sources/KinServer/KinServer.docc/PythonClient.md"
        let page = String(decoding: try [UInt8](file: path), as: UTF8.self)
        let block = try #require(page.split(separator: "```python\n", maxSplits: 1).dropFirst().first)
        return try #require(block.split(separator: "\n```", maxSplits: 1).first) + "\n"
    }

    /// The words that start it for a member, with its cursor in `folder`.
    static func command(_ python: String, _ house: House, as username: String, folder: String) throws -> [String] {
        let file = folder + "/client.py"
        mkdir(folder, 0o700)
        try Array(source().utf8).write(file: file)
        let address = try "https://localhost:\(house.port)#sha256=\(house.fingerprint)"
        return ["env", "-C", folder, python, file, address, username]
    }
}
