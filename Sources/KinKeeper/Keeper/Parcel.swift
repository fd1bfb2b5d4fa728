import KinCrypto
import KinModel
public import KinStore

/// A long text of a request that went to a file as it arrived, instead of through memory: a picture. Its name stands in
/// the parameter's place.
public struct Parcel: Sendable {
    /// Made of the text, so that the same text has the same name, on whichever way it came.
    public let name: String
    /// What the text says, decoded from base64; `nil` once a worker has looked at it.
    public private(set) var spool: Spool?

    /// A parcel that has arrived.
    public init(name: String, spool: Spool) {
        self.name = name
        self.spool = spool
    }

    /// Lets go of the file: what is needed of it was made.
    package mutating func open() { spool = nil }

    /// Which parameter may come so, and how long its text may be.
    public struct Place: Sendable {
        /// The parameter.
        public let parameter: String
        /// Characters of base64.
        public let charactersMax: Int
    }

    /// The name of a text, made block by block.
    public struct Naming: Sendable {
        private var digest: [UInt8] = []

        /// Nothing yet.
        public init() {}

        /// Goes on with the next block: ``Limits/parcelBlockBytes`` each, the last one whatever is left.
        public mutating func add(_ block: [UInt8]) { digest = Digest.sha256(digest + block) }

        /// The name of all that was added.
        public var name: String { "parcel:" + Hex.encode(digest) }
    }

    /// The name that a text has which came through memory.
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
