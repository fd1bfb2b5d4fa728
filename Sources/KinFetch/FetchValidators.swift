import KinCodec

/// What the other side calls a state of a content: its validators (RFC 9110 §8.8), and the origin that named them. Only this
/// origin is told them again.
public struct FetchValidators: Sendable, Hashable {
    private let origin: String
    private let tag: String?
    private let modified: String?

    /// Longer validators are not kept.
    private static let bytesMax = 1024

    /// The validators of an answer; `nil` where it has none.
    public init?(_ answer: FetchAnswer) {
        func kept(_ name: String) -> String? {
            answer.headers[name].flatMap { !$0.isEmpty && $0.utf8.count <= Self.bytesMax ? $0 : nil }
        }
        origin = "\(answer.url.origin)"
        tag = kept("ETag")
        modified = kept("Last-Modified")
        if tag == nil, modified == nil { return nil }
    }

    /// One that was written as ``text``.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        guard lines.count == 3, !lines[0].isEmpty, !(lines[1].isEmpty && lines[2].isEmpty),
            lines.allSatisfy({ line in
                line.utf8.count <= Self.bytesMax && line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            })
        else { return nil }
        origin = lines[0]
        tag = lines[1].isEmpty ? nil : lines[1]
        modified = lines[2].isEmpty ? nil : lines[2]
    }

    /// For whom has to keep it.
    public var text: String { "\(origin)\n\(tag ?? "")\n\(modified ?? "")" }

    /// The fields that ask an address whether its content has changed (RFC 9110 §13.1).
    func conditions(for url: FetchURL) -> [(name: String, value: String)] {
        guard "\(url.origin)" == origin else { return [] }
        return [("If-None-Match", tag), ("If-Modified-Since", modified)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }
}
