/// A request method (RFC 9110 §9). Methods are case-sensitive.
public enum HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// Fetch.
    case get
    /// Fetch without the content.
    case head
    /// Process the content.
    case post
    /// Store under this name.
    case put
    /// Change in part (RFC 5789).
    case patch
    /// Remove.
    case delete
    /// Ask what is possible.
    case options
    /// Any other token, such as WebDAV's `PROPFIND`.
    case other(String)

    /// The method with that name, as it stands in the request line.
    public init(_ name: String) {
        self =
            switch name {
            case "GET": .get
            case "HEAD": .head
            case "POST": .post
            case "PUT": .put
            case "PATCH": .patch
            case "DELETE": .delete
            case "OPTIONS": .options
            default: .other(name)
            }
    }

    /// The name as it stands in the request line.
    public var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let name): name
        }
    }

    /// True for methods that change nothing (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options: true
        case .other(let name): name == "PROPFIND" || name == "REPORT" || name == "TRACE"
        default: false
        }
    }
}
