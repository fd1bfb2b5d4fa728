public import KinModel

/// A piece of a file that is too long to be held at once. Over HTTP the pieces become one answer: each is asked for
/// when the client has taken the one before. Elsewhere the client asks for each piece itself.
public struct FilePiece: Sendable {
    /// The piece, as UTF-8; nothing of an archive.
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
    /// Of an archive: the files in this piece. Over HTTP their bytes follow; elsewhere the client fetches them.
    public let files: [ArchivedFile]?
    /// The state that the whole file is made of: while it stays the same, each request for the same is answered with a
    /// file that says the same. `nil` where that is not known.
    public let state: String?

    /// A piece of a file.
    public init(
        bytes: [UInt8], count: Int, of counted: String, next: String?, mediaType: String, fileName: String,
        state: String? = nil
    ) {
        self.bytes = bytes
        self.count = count
        self.counted = counted
        self.next = next
        self.mediaType = mediaType
        self.fileName = fileName
        self.state = state
        files = nil
    }

    /// A piece of an archive, as `application/x-tar` or `application/zip`.
    public init(archive files: [ArchivedFile], of counted: String, next: String?, mediaType: String, fileName: String) {
        bytes = []
        count = files.count
        self.counted = counted
        self.next = next
        self.mediaType = mediaType
        self.fileName = fileName
        self.files = files
        state = nil
    }

    /// The piece as clients get it that ask piece by piece.
    public var json: JSON {
        var json: JSON = [counted: .int(Int64(count))]
        if let files {
            json["files"] = .array(files.map(\.json))
        } else {
            json["text"] = .string(String(decoding: bytes, as: UTF8.self))
        }
        if let next { json["next"] = .string(next) }
        return json
    }
}

/// A file in an archive.
public struct ArchivedFile: Sendable {
    /// What it is called there.
    public let name: String
    /// The time that it bears there.
    public let at: Instant
    /// Seconds that the clock on its reader's wall is ahead of UTC then.
    public let ahead: Int64
    /// The thing whose bytes it has.
    public let thing: Identifier
    /// The blob with its bytes.
    public let blob: String

    /// Which of its files, where the thing has several.
    public let part: String?

    /// A file.
    public init(name: String, at: Instant, ahead: Int64, thing: Identifier, blob: String, part: String? = nil) {
        self.name = name
        self.at = at
        self.ahead = ahead
        self.thing = thing
        self.blob = blob
        self.part = part
    }

    /// As clients get it that fetch the bytes themselves.
    public static let shape = Told.shape

    fileprivate var json: JSON { Told(id: thing, name: name, at: at, ahead: ahead, part: part).json }

    private struct Told: WireRecord {
        let id: Identifier
        let name: String
        let at: Instant
        let ahead: Int64
        let part: String?

        static let fields = Fields(
            nil, Told.init(id:name:at:ahead:part:), .required("id", \.id, .id, "Whose bytes it has."),
            .required("name", \.name, .line(max: 255)), .required("at", \.at, .time),
            .required(
                "ahead", \.ahead, .integer(Int64(-86_400)...86_400),
                "Seconds that clocks in the caller's zone are ahead of UTC then."),
            .optional(
                "part", \.part, .token(max: 16), "Which of its files, where it is not a picture: film or document."))
    }
}
