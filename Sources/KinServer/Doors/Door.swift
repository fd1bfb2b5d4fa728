import KinCodec
import KinKeeper
import KinModel

/// A way in over HTTP: claims → begin → body → reply. A type in the list ``Doors/all``, and one object of it for one
/// request, which holds what the door must remember of that request.
///
/// The server reads the head, judges by whom and from where it may come (``Server/judge(_:_:)``), and asks each door in
/// the order of the list whether the request is its own. From there on the request is the door's: it says how the content
/// comes to it, asks the keeper by as many methods as it needs, and answers in one piece or in many. All of it happens on
/// the loop's thread; what takes long is a ``DoorWork``. JSON-RPC comes in by ``LiveDoor``'s handshake or by the first
/// byte of a line: its messages are no requests of HTTP, and none of them costs a door.
protocol Door: AnyObject, SendableMetatype {
    /// Verbs that only this door knows, besides those of RFC 9110: a request with one of them is not answered 501.
    static var ownVerbs: [String] { get }
    /// What the door says to a request; `nil` where the address is none of its own. Whatever the verb is, the door is
    /// asked.
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim?
    /// A password that such a request shows in another place than the field `Authorization`; asked of what came in plain
    /// text, where it must be revoked.
    static func passwordShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> String?
    /// Topics that such a request shows, which are secrets as well.
    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String]

    /// Whether pages of every site may ask at an address: it names a secret of its own, and no cookie counts there.
    static func isForEveryPage(_ head: HTTPRequestHead) -> Bool

    /// How the content is to come.
    func content(_ doorway: Doorway) -> DoorContent
    /// What the head says of content and answer that is not to be had; the answer, if any, refuses the request.
    func negotiate(_ doorway: Doorway) -> HTTPAnswer?
    /// The head is good and its length too: whether the content may come.
    func begin(_ doorway: Doorway) -> Beginning
    /// A piece of the content is here, where it comes in pieces.
    func body(_ bytes: [UInt8], _ doorway: Doorway)
    /// All of the content is here. `isTooLong`: more came than is taken, and only its beginning is here.
    func end(isTooLong: Bool, _ doorway: Doorway)
    /// The keeper has answered what was asked.
    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway)
    /// A worker has done what it was given.
    func done(_ made: any Sendable, _ doorway: Doorway)
    /// The client has taken what there was of an answer in pieces.
    func taken(_ doorway: Doorway)
    /// The request is over, answered or not: what was kept for it goes.
    func close(_ doorway: Doorway)
}

/// What a door says to a request at an address of its own.
enum Claim {
    /// It is taken, by this object.
    case taken(any Door)
    /// The address is there, and takes these verbs.
    case otherVerbs([String])
    /// It is answered from the head alone.
    case answered(HTTPAnswer)
}

/// Whether a request's content may come.
enum Beginning {
    case goOn
    /// Not before ``Doorway/goOn()``: what is asked meanwhile decides.
    case wait
    case refused(HTTPAnswer)
}

/// How a request's content comes to its door.
enum DoorContent {
    /// It is not read: the answer goes out, and the connection ends.
    case refused
    /// It is of no use: read to its end and dropped.
    case dropped
    /// Held until all of it is here.
    case held(bytesMax: Int)
    /// The same; too much is answered like what is good.
    case heldWhateverItsSize(bytesMax: Int)
    /// Held, and from so many bytes on one parameter of it goes to a file.
    case parcel(Parcel.Place, bytesMax: Int)
    /// Piece by piece, as it comes.
    case pieces(bytesMax: Int)
}

extension Door {
    static var ownVerbs: [String] { [] }
    static func passwordShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> String? { nil }
    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String] { [] }
    static func isForEveryPage(_ head: HTTPRequestHead) -> Bool { false }
    func content(_ doorway: Doorway) -> DoorContent { .dropped }
    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { doorway.refuseContent() }
    func begin(_ doorway: Doorway) -> Beginning { .goOn }
    func body(_ bytes: [UInt8], _ doorway: Doorway) {}
    func done(_ made: any Sendable, _ doorway: Doorway) {}
    func taken(_ doorway: Doorway) {}
    func close(_ doorway: Doorway) {}

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .success(let bytes): doorway.respond(.json(200, bytes))
        case .failure(let rejection): doorway.respond(.problem(rejection))
        }
    }
}

/// What is answered from the head alone, or was refused.
final class AnsweredDoor: Door {
    private let answer: HTTPAnswer

    init(_ answer: HTTPAnswer) { self.answer = answer }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? { nil }
    func content(_ doorway: Doorway) -> DoorContent { .refused }
    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }
    func end(isTooLong: Bool, _ doorway: Doorway) { doorway.respond(answer) }
}
