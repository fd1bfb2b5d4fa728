public import KinModel

/// What a client receives: an answer or a notification. Unknown members are ignored: servers may grow.
public enum RPCMessage: Sendable, Hashable {
    /// The result of the request with that id.
    case result(id: JSON, JSON)
    /// The error of the request with that id; `null` when the server could not make the id out.
    case error(id: JSON, RPCError)
    /// A message nobody asked for.
    case notification(method: String, params: JSON.Object)

    /// The error of an answer (specification §5.1).
    public struct RPCError: Error, Sendable, Hashable {
        /// JSON-RPC's own, or one of Kinwire's from 1401 on.
        public let code: Int
        /// A sentence for people.
        public let message: String
        /// Particulars such as `kind`, `field` and `retryAfter`.
        public let data: JSON?

        /// An error as received.
        public init(code: Int, message: String, data: JSON?) {
            self.code = code
            self.message = message
            self.data = data
        }
    }

    /// Reads a server's message.
    public static func parse(_ message: JSON) throws(RPCFailure) -> RPCMessage {
        func refused(_ sentence: String) -> RPCFailure {
            RPCFailure(id: .null, code: RPCFailure.invalidRequest, message: sentence)
        }
        guard let object = message.object, object["jsonrpc"]?.string == "2.0" else {
            throw refused("The server's message is not JSON-RPC 2.0.")
        }
        if let method = object["method"] {
            guard let name = method.string, object["id"] == nil else {
                throw refused("The server may send notifications only.")
            }
            guard let params = object["params"] else { return .notification(method: name, params: .init()) }
            guard let named = params.object else { throw refused("The notification's params are not an object.") }
            return .notification(method: name, params: named)
        }
        guard let id = object["id"] else { throw refused("The server's answer has no id.") }
        switch (object["result"], object["error"]) {
        case (let result?, nil): return .result(id: id, result)
        case (nil, let error?):
            guard let code = error["code"]?.int.flatMap({ Int(exactly: $0) }), let text = error["message"]?.string
            else {
                throw refused("The server's error has no code and message.")
            }
            return .error(id: id, RPCError(code: code, message: text, data: error["data"]))
        default: throw refused("The server's answer needs either a result or an error.")
        }
    }
}
