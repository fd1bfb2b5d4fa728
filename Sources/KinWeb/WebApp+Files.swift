import CPage

extension WebApp {
    /// Files of the folder `App`, by their names, as functions that read them as they are served. What lies in the program
    /// is not kept in memory as well: that would be more than half of what the page takes of it.
    private static func rows() -> [(name: String, read: @Sendable () -> [UInt8])] {
        (0..<kin_page_file_count()).map { index in
            let name = unsafe String(cString: kin_page_files()[index].name)
            return (name, { fixed.contains(name) ? bytes(index) : bare(name, bytes(index)) })
        }
    }

    private static func bytes(_ index: Int) -> [UInt8] {
        let row = unsafe kin_page_files()[index]
        return unsafe Array(UnsafeBufferPointer(start: row.bytes, count: row.count))
    }

    private static func copy(_ name: String) -> [UInt8] { rows().first { $0.name == name }?.read() ?? [] }

    /// Those with fixed addresses, as they are.
    private static let fixed = ["index.html", "sw.js", "manifest.webmanifest"]
    static let index = copy(fixed[0])
    static let service = copy(fixed[1])
    static let description = copy(fixed[2])

    /// Those with a name of their own below `/app`.
    static let embedded: [String: WebFile] = {
        let named = rows().filter { !fixed.contains($0.name) }
        return Dictionary(uniqueKeysWithValues: named.map { ($0.name, WebFile($0.name, read: $0.read)) })
    }()
}
