public import KinModel

/// Writers of JSON-RPC 2.0 messages. Each result is one line without its line break, and one WebSocket text message.
public enum RPC {
    /// An answer to a request, its result given as JSON.
    public static func result(id: JSON, _ result: JSON) -> [UInt8] { self.result(id: id, bytes: result.bytes) }

    /// An answer to a request, its result given as JSON text that was made before.
    public static func result(id: JSON, bytes: [UInt8]) -> [UInt8] {
        var out = opening(id)
        out += #","result":"#.utf8
        out += bytes
        out.append(UInt8(ascii: "}"))
        return out
    }

    /// An error in answer to a request. An `id` of `nil` is written as `null`: the request's could not be made out.
    public static func error(id: JSON?, code: Int, message: String, data: JSON? = nil) -> [UInt8] {
        var out = opening(id ?? .null)
        out += #","error":"#.utf8
        JSON.object(leavingOut: ["code": .int(Int64(code)), "message": .string(message), "data": data]).write(to: &out)
        out.append(UInt8(ascii: "}"))
        return out
    }

    /// A message that gets no answer, its parameters given as JSON.
    public static func notification(method: String, params: JSON) -> [UInt8] {
        notification(method: method, bytes: params.bytes)
    }

    /// A message that gets no answer, its parameters given as JSON text that was made before.
    public static func notification(method: String, bytes: [UInt8]) -> [UInt8] {
        var out = Array(#"{"jsonrpc":"2.0","method":"#.utf8)
        JSON.string(method).write(to: &out)
        out += #","params":"#.utf8
        out += bytes
        out.append(UInt8(ascii: "}"))
        return out
    }

    /// A request, as a client sends it.
    public static func request(id: JSON, method: String, params: JSON) -> [UInt8] {
        var out = opening(id)
        out += #","method":"#.utf8
        JSON.string(method).write(to: &out)
        out += #","params":"#.utf8
        params.write(to: &out)
        out.append(UInt8(ascii: "}"))
        return out
    }

    private static func opening(_ id: JSON) -> [UInt8] {
        var out = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
        id.write(to: &out)
        return out
    }
}
