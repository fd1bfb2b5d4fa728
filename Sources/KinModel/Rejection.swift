/// The answer to a request that was not carried out. Its kinds are the one table of error codes (the page WireProtocol,
/// "Errors"). A number once shipped is never used for another thing.
public struct Rejection: Error, Sendable, Hashable {
    /// The kind of error; its raw value is the JSON-RPC code.
    public enum Kind: Int, Sendable, CaseIterable {
        /// The bytes are not JSON.
        case parse = -32700
        /// The JSON is not a request of JSON-RPC 2.0.
        case request = -32600
        /// There is no such method.
        case method = -32601
        /// A parameter is missing, unknown, written twice or of the wrong type.
        case params = -32602
        /// Nobody is signed in, or what was shown is no longer good.
        case notSignedIn = 1401
        /// The thing is visible, but this member may not do that to it.
        case forbidden = 1403
        /// Absent and hidden alike.
        case notFound = 1404
        /// It contradicts what is already so.
        case conflict = 1409
        /// More bytes or items than the named limit.
        case tooLarge = 1413
        /// Well-formed, but a value cannot be used; `field` says which.
        case invalid = 1422
        /// Too much at once; `retryAfter` says when to come back.
        case slowDown = 1429
        /// The daemon cannot do it now.
        case unavailable = 1503

        /// The word in `data.kind`.
        public var word: String {
            switch self {
            case .parse: "parse"
            case .request: "request"
            case .method: "method"
            case .params: "params"
            case .notSignedIn: "not-signed-in"
            case .forbidden: "forbidden"
            case .notFound: "not-found"
            case .conflict: "conflict"
            case .tooLarge: "too-large"
            case .invalid: "invalid"
            case .slowDown: "slow-down"
            case .unavailable: "unavailable"
            }
        }

        /// The HTTP status (RFC 9110) that says the same.
        public var httpStatus: Int {
            switch self {
            case .parse, .request, .params: 400
            case .method: 404
            case .notSignedIn: 401
            case .forbidden: 403
            case .notFound: 404
            case .conflict: 409
            case .tooLarge: 413
            case .invalid: 422
            case .slowDown: 429
            case .unavailable: 503
            }
        }
    }

    /// The kind of error.
    public let kind: Kind
    /// A sentence a person can act on. Never holds another member's data.
    public let message: String
    /// The parameter that is meant.
    public var field: String?
    /// Seconds until it makes sense to come back.
    public var retryAfter: Int?
    /// The thing that an earlier request with the same `op` made.
    public var id: Identifier?
    /// A finer word than the kind's, such as `already-done`.
    public var detail: String?
    /// True when it is not known whether the command was committed: repeat it with the same `op`.
    public var isOutcomeUnknown = false

    /// A rejection with its sentence.
    public init(_ kind: Kind, _ message: String, field: String? = nil, retryAfter: Int? = nil) {
        self.kind = kind
        self.message = message
        self.field = field
        self.retryAfter = retryAfter
    }

    /// `data` of the JSON-RPC error, and the members an `application/problem+json` carries besides its own.
    public var data: JSON {
        .object(leavingOut: [
            "kind": .string(detail ?? kind.word),
            "field": field.map { .string($0) },
            "retryAfter": retryAfter.map { .int(Int64($0)) },
            "id": id.map { .id($0) },
            "outcome": isOutcomeUnknown ? "unknown" : nil,
        ])
    }

    /// There is no such thing, or it is not for this member: one answer for both.
    public static func notFound(_ what: String, _ id: String, field: String) -> Rejection {
        Rejection(.notFound, "There is no \(what) \(id).", field: field)
    }

    /// The same `op` was carried out before and its answer held a secret, which is not kept.
    public static func alreadyDone(_ id: Identifier?) -> Rejection {
        var rejection = Rejection(
            .conflict, "This was already done; its answer held a secret and is not kept. Revoke it and make a new one.")
        rejection.detail = "already-done"
        rejection.id = id
        return rejection
    }
}
