import KinFamily
import KinKeeper

/// Code that takes bytes from strangers, and what must hold whatever they are. A broken promise traps, as a bug in the
/// code itself does: then the fuzzer keeps the input.
///
/// A format that only an area reads is declared in the area (``Area/formats``), and becomes a target by that.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of its corpus, and by which `deploy/fuzz` calls it.
    public let name: String
    private let judge: @Sendable (_ input: [UInt8], _ isPlanted: Bool) -> Void

    private init(_ name: String, _ judge: @escaping @Sendable (_ input: [UInt8], _ isPlanted: Bool) -> Void) {
        self.name = name
        self.judge = judge
    }

    /// The one of a name.
    public init?(named name: String) {
        guard let target = Self.all.first(where: { $0.name == name }) else { return nil }
        self = target
    }

    /// Its name.
    public var description: String { name }

    /// Runs one input.
    ///
    /// - Parameter planted: With a bug planted in what is watched, to see that the fuzzer finds one.
    public func run(_ input: [UInt8], planted: Bool = false) { judge(input, planted) }

    /// All of them.
    public static let all =
        [
            http, answers, references, websocket, jsonrpc, lines, forms, owntracks, osmand, overland, downloads,
            uploads, xml, dav, publish, doors, server,
        ] + Registry.family.areas.flatMap(\.formats).map { FuzzTarget($0.name, $0.judge) }

    /// Requests (RFC 9112), cut into pieces of any size.
    public static let http = FuzzTarget("http") { Parsers.http($0, planted: $1) }
    /// Answers from outside (RFC 9112), cut into pieces of any size.
    public static let answers = FuzzTarget("answers") { Parsers.answers($0, planted: $1) }
    /// Addresses that are asked outside, and what redirects lead to.
    public static let references = FuzzTarget("references") { Parsers.references($0, planted: $1) }
    /// Frames (RFC 6455), cut into pieces of any size.
    public static let websocket = FuzzTarget("websocket") { Parsers.webSocket($0, planted: $1) }
    /// JSON, and JSON-RPC requests, answers and notifications in it.
    public static let jsonrpc = FuzzTarget("jsonrpc") { Parsers.jsonRPC($0, planted: $1) }
    /// JSON lines, cut into pieces of any size.
    public static let lines = FuzzTarget("lines") { Parsers.lines($0, planted: $1) }
    /// Forms, in both encodings.
    public static let forms = FuzzTarget("forms") { Parsers.forms($0, planted: $1) }
    /// The OwnTracks app in HTTP mode: a body of a signed-in phone, up to the family's log.
    public static let owntracks = FuzzTarget("owntracks") { FuzzHouse.current.publish($0, planted: $1) }
    /// Traccar Client: a form, or JSON if it begins like that, of a signed-in phone.
    public static let osmand = FuzzTarget("osmand") { FuzzHouse.current.report($0, planted: $1) }
    /// Overland: a batch of a signed-in phone.
    public static let overland = FuzzTarget("overland") { FuzzHouse.current.batch($0, planted: $1) }
    /// Fields of a request for a file: conditions and ranges (RFC 9110 §13, §14), of somebody who may see it.
    public static let downloads = FuzzTarget("downloads") { FuzzHouse.current.fetch($0, planted: $1) }
    /// Fields of a request that sends a file, and its content behind an empty line.
    public static let uploads = FuzzTarget("uploads") { FuzzHouse.current.upload($0, planted: $1) }
    /// XML of strangers.
    public static let xml = FuzzTarget("xml") { Parsers.xml($0, planted: $1) }
    /// A signed-in calendar app: which request (a byte), and its body.
    public static let dav = FuzzTarget("dav") { FuzzHouse.current.ask($0, planted: $1) }
    /// A script of the house: fields, an empty line, and the text (ntfy's way of publishing).
    public static let publish = FuzzTarget("publish") { FuzzHouse.current.announce($0, planted: $1) }
    /// Any request at any door: who asks (a byte), the verb and the address, fields, an empty line, and the content.
    public static let doors = FuzzTarget("doors") { FuzzHouse.current.knock($0, planted: $1) }
    /// The whole server on a simulated network: who does what, when.
    public static let server = FuzzTarget("server") { FuzzHouse.current.live($0, planted: $1) }
}
