public import KinModel

/// One request or notification of JSON-RPC 2.0, parameters by name only.
public struct RPCRequest: Sendable, Hashable {
    /// A string, an integer or `null`, to be repeated in the answer; `nil` in a notification, which gets none.
    public let id: JSON?
    /// The method's name, as sent.
    public let method: String
    /// The parameters; empty when there were none.
    public let params: JSON.Object

    /// A request, or a notification when `id` is `nil`.
    public init(id: JSON?, method: String, params: JSON.Object = .init()) {
        self.id = id
        self.method = method
        self.params = params
    }

    /// Reads a request. Batches, unknown members, ids with a fraction and parameters by position are refused.
    public static func parse(_ message: JSON) throws(RPCFailure) -> RPCRequest {
        guard let object = message.object else {
            throw RPCFailure(
                id: .null, code: RPCFailure.invalidRequest,
                message: message.array == nil
                    ? "A request is a JSON object." : "Batches are not taken; send one request a message.")
        }
        var id: JSON?
        if let given = object["id"] {
            switch given {
            case .string, .int, .null: id = given
            default:
                throw RPCFailure(
                    id: .null, code: RPCFailure.invalidRequest, message: "The id must be a string or an integer.")
            }
        }
        func refused(_ message: String, code: Int = RPCFailure.invalidRequest) -> RPCFailure {
            RPCFailure(id: id ?? .null, code: code, message: message)
        }
        guard let version = object["jsonrpc"]?.string, version.utf8.elementsEqual("2.0".utf8) else {
            throw refused("The member \"jsonrpc\" must be \"2.0\".")
        }
        guard let method = object["method"]?.string, !method.isEmpty else {
            throw refused("The member \"method\" must be a method's name.")
        }
        for name in object.names where !["jsonrpc", "id", "method", "params"].contains(name) {
            throw refused("The member \"\(name)\" is unknown in a request.")
        }
        guard let params = object["params"] else { return RPCRequest(id: id, method: method) }
        guard let named = params.object else {
            throw refused("The params must be an object with names.", code: RPCFailure.invalidParams)
        }
        return RPCRequest(id: id, method: method, params: named)
    }
}
