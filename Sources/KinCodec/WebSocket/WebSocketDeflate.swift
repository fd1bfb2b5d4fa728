/// What was agreed about permessage-deflate (RFC 7692). Each message is compressed by itself, both ways: so what is
/// pushed to many is compressed once, and a connection holds nothing between messages.
public struct WebSocketDeflate: Sendable, Hashable {
    /// Binary logarithm of the window that the server compresses with: 9 to 15.
    public let serverWindowBits: UInt8
    /// The client's own window, where the client named one: 8 to 15.
    private let clientWindowBits: UInt8?
    /// Whether the client asked for a limit of the server's window, which then is answered.
    private let isServerWindowAsked: Bool

    static let name = "permessage-deflate"

    /// The first acceptable of a client's offers; `nil` when there is none. An offer with a parameter that is unknown,
    /// repeated or malformed is passed over (§7.1), and so is one with a window of 8 bits for the server: zlib has none.
    public static func agree(to headers: HTTPHeaders) -> WebSocketDeflate? {
        for offer in WebSocketExtension.list(headers) ?? [] where ASCII.equal(offer.name, name) {
            if let agreed = WebSocketDeflate(offer) { return agreed }
        }
        return nil
    }

    private init?(_ offer: WebSocketExtension) {
        var serverWindow: UInt8?
        var clientWindow: UInt8?
        var seen: Set<String> = []
        for parameter in offer.parameters {
            let name = ASCII.lowercased(parameter.name)
            guard seen.insert(name).inserted else { return nil }
            switch (name, parameter.value) {
            // Answered with, whether asked for or not.
            case ("server_no_context_takeover", nil), ("client_no_context_takeover", nil): break
            case ("server_max_window_bits", let value?):
                guard let bits = Self.windowBits(value), bits >= Deflater.windowBitsMin else { return nil }
                serverWindow = bits
            case ("client_max_window_bits", nil): break
            case ("client_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                clientWindow = bits
            default: return nil
            }
        }
        isServerWindowAsked = serverWindow != nil
        serverWindowBits = serverWindow ?? Deflater.windowBitsMax
        clientWindowBits = clientWindow
    }

    /// 8 to 15 in decimal, without leading zeros (§7.1.2).
    private static func windowBits(_ text: String) -> UInt8? {
        guard let bits = UInt8(text), (8...15).contains(bits), String(bits) == text else { return nil }
        return bits
    }

    /// The value of the answer's `Sec-WebSocket-Extensions`. `client_no_context_takeover` stands there without having been
    /// offered, as §7.1.1.2 allows.
    public var response: String {
        var text = Self.name + "; server_no_context_takeover; client_no_context_takeover"
        if isServerWindowAsked { text += "; server_max_window_bits=\(serverWindowBits)" }
        if let clientWindowBits { text += "; client_max_window_bits=\(clientWindowBits)" }
        return text
    }
}
