import KinCrypto
import KinModel
public import KinStore

/// A long text of a request, such as a picture, that went to a file as it arrived instead of through memory. Its name
/// stands in the parameter's place.
public struct Parcel: Sendable {
    /// The name. It is made of the text, so that the same text has the same name, whether it came as a file or through
    /// memory.
    public let name: String
    /// The text's content, decoded from base64; `nil` once a worker has looked at it.
    public private(set) var spool: Spool?

    /// A parcel that has arrived.
    public init(name: String, spool: Spool) {
        self.name = name
        self.spool = spool
    }

    /// Removes the file: what was needed of it has been made.
    package mutating func open() { spool = nil }

    /// The parameter that may come as a file, and how long its text may be.
    public struct Place: Sendable {
        /// The parameter.
        public let parameter: String
        /// Characters of base64.
        public let charactersMax: Int
        /// The media types that it may have when it comes as a file; `nil`: those of pictures.
        public let mediaTypes: [String]?
    }

    /// The name of a text, made block by block.
    public struct Naming: Sendable {
        private var digest: [UInt8] = []

        /// Nothing yet.
        public init() {}

        /// Adds the next block. Each has ``Limits/parcelBlockBytes``, the last one whatever is left.
        public mutating func add(_ block: [UInt8]) { digest = Digest.sha256(digest + block) }

        /// The name of everything that was added.
        public var name: String { "parcel:" + Hex.encode(digest) }
    }

    /// The name of a text that came through memory.
    package static func name(of text: String) -> String {
        var naming = Naming()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            naming.add(Array(rest.prefix(Limits.parcelBlockBytes)))
            rest = rest.dropFirst(Limits.parcelBlockBytes)
        }
        return naming.name
    }
}
