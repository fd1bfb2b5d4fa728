/// What a head and a body may weigh, in bytes and lines.
public struct HTTPLimits: Sendable, Hashable {
    /// The request or status line without CRLF; more is 414.
    public var startLineBytesMax = 8192
    /// All field lines with their CRLFs, and the trailer lines of a chunked body again; more is 431.
    public var headersBytesMax = 16_384
    /// The number of field lines; more is 431.
    public var headersMax = 100
    /// A chunk's size line without CRLF; more is 400.
    public var chunkLineBytesMax = 256
    /// All chunk extensions of one body together; more is 400.
    public var chunkExtensionsBytesMax = 4096
    /// The content; more is 413. A parser's `bodyBytesMax` may be set per request after its head.
    public var bodyBytesMax = 1 << 20

    /// The defaults as listed.
    public init() {}
}
