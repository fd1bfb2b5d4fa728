package import KinCodec
package import KinModel

/// What is parsed by a worker, since the loop has others to wait on: a thousand points take milliseconds.
package enum LongInput: Sendable {
    /// A JSON-RPC message, or the body of a request.
    case json([UInt8])
    /// A phone's message.
    case phone(Gateway, PhonePost)

    /// What became of it.
    package enum Parsed: Sendable {
        case json(Result<JSON, JSONFailure>)
        case phone(PhoneReading)
    }

    package var parsed: Parsed {
        switch self {
        case .json(let bytes): .json(Self.json(bytes))
        case .phone(let gateway, let post): .phone(gateway.read(post))
        }
    }

    static func json(_ bytes: [UInt8]) -> Result<JSON, JSONFailure> {
        Result { () throws(JSONFailure) in try JSON.parse(bytes) }
    }
}
