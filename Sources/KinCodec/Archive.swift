/// An archive that is written from its beginning to its end, in either format.
public struct Archive {
    /// The formats, by the ends of their files' names.
    public enum Format: String, Sendable, CaseIterable { case tar, zip }

    private let format: Format
    private var zip = Zip()

    /// An archive of no files yet.
    public init(_ format: Format) { self.format = format }

    /// Whether the header of a file says its checksum.
    public var wantsChecksum: Bool { format == .zip }

    /// What stands before a file's bytes; its checksum only counts where ``wantsChecksum``.
    public mutating func header(_ name: String, bytes: Int, checksum: UInt32, seconds: Int64, ahead: Int64) -> [UInt8] {
        switch format {
        case .tar: Ustar.header(name, bytes: bytes, seconds: seconds)
        case .zip: zip.header(name, bytes: UInt64(bytes), checksum: checksum, seconds: seconds, ahead: ahead)
        }
    }

    /// What stands behind a file of so many bytes.
    public func filling(_ bytes: Int) -> [UInt8] { format == .tar ? Ustar.filling(bytes) : [] }

    /// What stands at the end.
    public var end: [UInt8] { format == .tar ? Ustar.end : zip.end() }
}
