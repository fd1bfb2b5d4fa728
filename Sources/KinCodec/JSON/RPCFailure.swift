public import KinModel

/// A message that is not valid JSON-RPC 2.0, with what the answer to it must carry (specification §5.1).
public struct RPCFailure: Error, Sendable, Hashable {
    /// The id to answer to; `null` when it could not be made out.
    public let id: JSON
    /// −32600 (not a request) or −32602 (params are not an object).
    public let code: Int
    /// A sentence for the sender.
    public let message: String

    /// JSON-RPC's own code for bytes that are not JSON.
    public static let parseError = -32700
    /// JSON-RPC's own code for JSON that is no request.
    public static let invalidRequest = -32600
    /// JSON-RPC's own code for an unknown method.
    public static let methodNotFound = -32601
    /// JSON-RPC's own code for wrong parameters.
    public static let invalidParams = -32602

    /// A failure to be answered.
    public init(id: JSON, code: Int, message: String) {
        self.id = id
        self.code = code
        self.message = message
    }

    /// The failure of bytes that are not JSON: −32700, id `null`.
    public init(_ failure: JSONFailure) { self.init(id: .null, code: Self.parseError, message: failure.sentence) }
}
