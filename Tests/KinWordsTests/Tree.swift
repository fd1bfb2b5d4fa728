import Foundation

/// The files of the repository.
enum Tree {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    /// Below a folder, by their paths from the top.
    static func files(below folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return found.map { "\(folder)/\($0)" }.sorted()
    }

    static func text(_ path: String) -> String {
        FileManager.default.contents(atPath: "\(root)/\(path)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
