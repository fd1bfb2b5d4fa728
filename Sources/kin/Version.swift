/// Versions such as `0.12.1`, compared number by number.
enum Version {
    /// Below zero if the first is older, above zero if it is newer; `nil` if one of them is no version.
    static func order(of one: String, and other: String) -> Int? {
        guard let one = numbers(one), let other = numbers(other) else { return nil }
        for index in 0..<max(one.count, other.count) {
            let (left, right) = (one.dropFirst(index).first ?? 0, other.dropFirst(index).first ?? 0)
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    private static func numbers(_ text: String) -> [Int]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap { $0 }
        return numbers.count == parts.count && !numbers.contains { $0 < 0 } ? numbers : nil
    }
}
