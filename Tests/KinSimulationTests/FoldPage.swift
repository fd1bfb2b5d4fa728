import Glibc
import Testing

/// The page that says, event by event, what a client makes of it.
enum FoldPage {
    /// Where it stands.
    static let path =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        + "/Sources/KinModel/KinModel.docc/Fold.md"

    /// Its rows: a type of event, and the fields its data must have. Empty where it changes nothing.
    static let rules: [String: [String]] = {
        guard let file = fopen(path, "r") else { return [:] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        var rules: [String: [String]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.split(separator: "`") }
            guard cells.count == 5 else { continue }
            for type in words(cells[1]) { rules[type] = words(cells[2]) }
        }
        return rules
    }()

    /// What stands between backticks in a cell.
    private static func words(_ cell: [Substring]) -> [String] {
        cell.map { $0.filter { $0 != " " && $0 != "," } }.filter { !$0.isEmpty && $0 != "—" }.map { String($0) }
    }
}
