import CPage

extension WebApp {
    /// Some files of the folder `App`, as they are served. What lies in the program is not kept in memory as well: that would
    /// be more than half of what the page takes of it.
    private static func copies(_ isWanted: (String) -> Bool) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let rows = unsafe UnsafeBufferPointer(start: kin_page_files(), count: kin_page_file_count())
        for index in 0..<rows.count {
            let row = unsafe rows[index]
            let name = unsafe String(cString: row.name)
            guard isWanted(name) else { continue }
            let bytes = unsafe UnsafeBufferPointer(start: row.bytes, count: row.count)
            let content = unsafe Array(bytes)
            found[name] = fixed.contains(name) ? content : bare(name, content)
        }
        return found
    }

    /// Those with fixed addresses, as they are.
    private static let fixed = ["index.html", "sw.js", "manifest.webmanifest"]
    static let index = copies { $0 == fixed[0] }[fixed[0]] ?? []
    static let service = copies { $0 == fixed[1] }[fixed[1]] ?? []
    static let description = copies { $0 == fixed[2] }[fixed[2]] ?? []

    /// Those with a name of their own below `/app`.
    static let embedded: [String: WebFile] = {
        let named = copies { !fixed.contains($0) }
        return Dictionary(uniqueKeysWithValues: named.map { (name, content) in (name, WebFile(name, content)) })
    }()
}
