import CPage

extension WebApp {
    /// Every file of the folder `App`, by its name.
    static let all: [String: [UInt8]] = {
        var all: [String: [UInt8]] = [:]
        let rows = unsafe UnsafeBufferPointer(start: kin_page_files(), count: kin_page_file_count())
        for index in 0..<kin_page_file_count() {
            let row = unsafe rows[index]
            let bytes = unsafe UnsafeBufferPointer(start: row.bytes, count: row.count)
            unsafe all[String(cString: row.name)] = Array(bytes)
        }
        return all
    }()

    /// Those with fixed addresses.
    static let index = all["index.html"] ?? []
    static let service = all["sw.js"] ?? []
    static let description = all["manifest.webmanifest"] ?? []

    /// Those with a name of their own below `/app`.
    static let embedded: [String: WebFile] = {
        let named = all.filter { !["index.html", "sw.js", "manifest.webmanifest"].contains($0.key) }
        return Dictionary(
            uniqueKeysWithValues: named.map { (name, content) in (name, WebFile(name, bare(name, content))) })
    }()
}
