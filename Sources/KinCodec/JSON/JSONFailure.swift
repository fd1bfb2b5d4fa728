/// Why bytes are not the JSON that is accepted here, and where.
public struct JSONFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// Not JSON text (RFC 8259), a lone surrogate escape, or an escaped NUL in a string.
        case syntax
        /// A member's name stands twice in one object.
        case duplicate(String)
        /// More arrays and objects inside one another than allowed.
        case tooDeep
        /// An integer beyond Int64, or a number beyond Double.
        case number
        /// Bytes that are not UTF-8.
        case utf8
    }

    /// What is wrong.
    public let kind: Kind
    /// Bytes from the start of the text to where it was noticed.
    public let offset: Int
    /// The same as a sentence for people, without any of the text itself but a duplicate's name.
    public let sentence: String

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
        sentence =
            switch kind {
            case .syntax: "This is not valid JSON at byte \(offset)."
            case .duplicate(let name): "The member \"\(name)\" stands twice in one object."
            case .tooDeep: "The JSON is nested too deeply at byte \(offset)."
            case .number: "The number at byte \(offset) is too large."
            case .utf8: "The text is not valid UTF-8 at byte \(offset)."
            }
    }

    /// The sentence.
    public var description: String { sentence }
}
