@testable import KinServer

/// How much a server holds for its connections: every byte buffer and text in whichever of their properties it stands, at
/// its capacity, and the feed. What libssl allocates by itself is not seen.
enum HeldBytes {
    static func of(_ server: Server) -> Int {
        server.connections.open.reduce(server.fanOut.feed.bytesHeld) { $0 + of($1) }
    }

    static func of(_ connection: Connection) -> Int { walk(connection) }

    /// Objects that belong to one connection; others are shared.
    private static let own: Set<String> = ["Connection", "HTTPExchange", "TLSSession", "TLSWire", "Following"]

    private static func walk(_ value: Any) -> Int {
        if let text = value as? String { return text.utf8.count }
        if value is any Hashable && value is any FixedWidthInteger { return 0 }
        if let bytes = value as? [UInt8] { return bytes.capacity }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !own.contains("\(type(of: value))") { return 0 }
        return mirror.children.reduce(0) { $0 + walk($1.value) }
    }
}
