public import KinModel

/// A piece of a file that is too long to be held at once. Over HTTP the pieces become one answer, each asked for when the
/// client has taken the one before; elsewhere the client asks for them itself.
public struct FilePiece: Sendable {
    /// The piece, as UTF-8.
    public let bytes: [UInt8]
    /// How many are in it.
    public let count: Int
    /// Of what, such as `positions`.
    public let counted: String
    /// What to ask for the next piece with, as `after`; `nil` with the last one.
    public let next: String?
    /// What kind of file it is.
    public let mediaType: String
    /// What the file might be called: letters, digits, dots.
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

    /// As clients get it that ask piece by piece.
    public var json: JSON {
        var json: JSON = ["text": .string(String(decoding: bytes, as: UTF8.self)), counted: .int(Int64(count))]
        if let next { json["next"] = .string(next) }
        return json
    }
}
