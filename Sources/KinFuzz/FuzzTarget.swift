/// One thing that takes bytes from strangers, and what must hold whatever they are. A promise that is broken traps, as a
/// bug in the code itself does: then the fuzzer keeps the input.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Requests (RFC 9112), cut into pieces of any size.
    case http
    /// Answers from outside (RFC 9112), cut into pieces of any size.
    case answers
    /// Addresses that are asked outside, and what redirects lead to.
    case references
    /// Frames (RFC 6455), cut into pieces of any size.
    case websocket
    /// JSON, and JSON-RPC requests, answers and notifications in it.
    case jsonrpc
    /// JSON lines, cut into pieces of any size.
    case lines
    /// Forms, in both encodings.
    case forms
    /// The OwnTracks app in HTTP mode: a body of a signed-in phone, up to the family's log.
    case owntracks
    /// Traccar Client: a form, or JSON if it begins like that, of a signed-in phone.
    case osmand
    /// Overland: a batch of a signed-in phone.
    case overland
    /// Files of vCards, of any version and in any encoding.
    case vcard
    /// Fields of a request for a file: conditions and ranges (RFC 9110 §13, §14), of somebody who may see it.
    case downloads
    /// Fields of a request that sends a file, and its content behind an empty line.
    case uploads
    /// The whole server on a simulated network: who does what, when.
    case server

    /// Runs one input.
    ///
    /// - Parameter planted: With a bug planted in what is watched, to see that the fuzzer finds one.
    public func run(_ input: [UInt8], planted: Bool = false) {
        switch self {
        case .http: Parsers.http(input, planted: planted)
        case .answers: Parsers.answers(input, planted: planted)
        case .references: Parsers.references(input, planted: planted)
        case .websocket: Parsers.webSocket(input, planted: planted)
        case .jsonrpc: Parsers.jsonRPC(input, planted: planted)
        case .lines: Parsers.lines(input, planted: planted)
        case .forms: Parsers.forms(input, planted: planted)
        case .owntracks: FuzzHouse.current.publish(input, planted: planted)
        case .osmand: FuzzHouse.current.report(input, planted: planted)
        case .overland: FuzzHouse.current.batch(input, planted: planted)
        case .vcard: Parsers.vCards(input, planted: planted)
        case .downloads: FuzzHouse.current.fetch(input, planted: planted)
        case .uploads: FuzzHouse.current.upload(input, planted: planted)
        case .server: FuzzHouse.current.live(input, planted: planted)
        }
    }
}
