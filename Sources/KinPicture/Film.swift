/// The content of a film, in a file or in memory.
public protocol FilmContent {
    /// Bytes of all of it.
    var count: Int { get }
    /// Bytes from an offset on, fewer only at the end.
    func bytes(from offset: Int, count: Int) throws(PictureFailure) -> [UInt8]
    /// Writes over bytes that are there.
    mutating func overwrite(at offset: Int, _ bytes: [UInt8]) throws(PictureFailure)
}

/// A film as phones and cameras make it: MP4, 3GP or QuickTime (ISO/IEC 14496-12; 3GPP TS 26.244; QuickTime File Format).
/// Nothing of its pictures and its sound is coded anew, and nothing moves within the file.
public struct Film: Sendable, Equatable {
    /// What kinds there are, by their media types.
    public enum Format: String, Sendable, CaseIterable {
        case mp4 = "video/mp4"
        case quickTime = "video/quicktime"
        case mobile = "video/3gpp"
    }

    /// What it is.
    public let format: Format
    /// How long it plays, in seconds, rounded up, where it says so.
    public let seconds: Int?
    /// When it was made, in seconds since 1970, where it says so.
    public let made: Int64?

    /// Takes out of a film what tells more than its pictures and its sound, in place: what stands in boxes that no player
    /// needs, such as where it was taken and with what, and tracks that are neither picture nor sound, such as a position
    /// for each second. It is overwritten with zeros, in boxes of the type `free`. Done twice, it changes nothing more.
    public static func clean(_ content: inout some FilmContent) throws(PictureFailure) -> Film {
        try FilmCleaner.clean(&content)
    }
}

/// A film in memory.
public struct FilmBytes: FilmContent {
    /// All of it.
    public private(set) var bytes: [UInt8]

    /// So many bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Bytes of all of it.
    public var count: Int { bytes.count }

    /// Bytes from an offset on, fewer only at the end.
    public func bytes(from offset: Int, count: Int) -> [UInt8] {
        Array(bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
    }

    /// Writes over bytes that are there.
    public mutating func overwrite(at offset: Int, _ new: [UInt8]) throws(PictureFailure) {
        guard offset >= 0, offset + new.count <= bytes.count else { throw .unread }
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }
}
