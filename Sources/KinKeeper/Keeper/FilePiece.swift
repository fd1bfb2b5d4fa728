public import KinModel

/// A piece of a file that is too long to be held at once. Over HTTP the pieces become one answer: each is asked for
/// when the client has taken the one before. Elsewhere the client asks for each piece itself.
public struct FilePiece: Sendable {
    /// The piece, as UTF-8.
    public let bytes: [UInt8]
    /// How many things are in the piece.
    public let count: Int
    /// What those things are, such as `positions`.
    public let counted: String
    /// The parameter `after` of the request for the next piece; `nil` with the last one.
    public let next: String?
    /// The media type of the file.
    public let mediaType: String
    /// A suggested name of the file: letters, digits, dots.
    public let fileName: String

    /// A piece of a file.
    public init(
        bytes: [UInt8], count: Int, of counted: String, next: String?, mediaType: String, fileName: String
    ) {
        self.bytes = bytes
        self.count = count
        self.counted = counted
        self.next = next
        self.mediaType = mediaType
        self.fileName = fileName
    }

    /// The piece as clients get it that ask piece by piece.
    public var json: JSON {
        var json: JSON = ["text": .string(String(decoding: bytes, as: UTF8.self)), counted: .int(Int64(count))]
        if let next { json["next"] = .string(next) }
        return json
    }
}
