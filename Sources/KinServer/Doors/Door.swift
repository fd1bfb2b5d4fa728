import KinCodec
import KinKeeper
import KinModel

/// A way in: claims → begin → body → reply. A door is a type in the list ``Doors/all``; one object of it serves one
/// request, and holds what must be remembered of it.
///
/// The server reads the head, checks the policies for its sender and connection (``Policy/judge(_:_:)``), and asks each
/// door in the order of the list whether the request is its own. From there on the door has the request: it says how
/// the content is delivered to it, calls as many of the keeper's methods as it needs, and answers in one piece or in
/// many. All of it happens on the loop's thread; slow work is a ``DoorWork``. Messages of JSON-RPC have no heads: their
/// connection was claimed by its handshake, or by its first byte, and each is a piece of content for ``RPCDoor``.
protocol Door: AnyObject, SendableMetatype {
    /// Verbs that only this door knows, besides those of RFC 9110. A request with one of them is not answered 501.
    static var ownVerbs: [String] { get }
    /// The door's answer to a request; `nil` where the address is not its own. The door is asked whatever the verb is.
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim?
    /// A password that such a request shows elsewhere than in the field `Authorization`. Asked about requests that came
    /// in plain text, where the password must be revoked.
    static func passwordShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> String?
    /// Topics that such a request shows, which are secrets as well.
    static func topicsShown(_ head: HTTPRequestHead, _ body: [UInt8]) -> [String]

    /// Whether pages of every site may ask at an address: a secret in the request is the credential, and no cookie
    /// counts there.
    static func isForEveryPage(_ head: HTTPRequestHead) -> Bool

    /// How the content is to come.
    func content(_ doorway: Doorway) -> DoorContent
    /// A refusal from what the head says of content and answer (RFC 9110 content negotiation); `nil` when there is
    /// none.
    func negotiate(_ doorway: Doorway) -> HTTPAnswer?
    /// The head is valid and its length is accepted. Answers whether the content may come.
    func begin(_ doorway: Doorway) -> Beginning
    /// A piece of the content is here, where it comes in pieces. Of a connection with messages, a piece is one message.
    func body(_ bytes: [UInt8], _ doorway: Doorway)
    /// All of the content is here. `isTooLong`: more came than is accepted, and only its beginning is here.
    func end(isTooLong: Bool, _ doorway: Doorway)
    /// The keeper has answered what was asked.
    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway)
    /// A worker has done what it was given.
    func done(_ made: any Sendable, _ doorway: Doorway)
    /// The client has taken everything so far of an answer in pieces.
    func taken(_ doorway: Doorway)
    /// The request is over, answered or not. Whatever was kept for it is freed.
    func close(_ doorway: Doorway)
}

/// What a door says to a request at an address of its own.
enum Claim {
    /// The request is taken, by this object.
    case taken(any Door)
    /// The address is there, and takes these verbs.
    case otherVerbs([String])
    /// It is answered from the head alone.
    case answered(HTTPAnswer)
}

/// Whether a request's content may come.
enum Beginning {
    case goOn
    /// Not before ``Doorway/goOn()``: the door first needs another answer.
    case wait
    case refused(HTTPAnswer)
}

/// How a request's content comes to its door.
enum DoorContent {
    /// The content is not read: the answer is sent, and the connection ends.
    case refused
    /// The content is of no use: it is read to its end and dropped.
    case dropped
    /// The content is held until all of it is here.
    case held(bytesMax: Int)
    /// The same, but content that is too long gets the same answer as valid content.
    case heldWhateverItsSize(bytesMax: Int)
    /// The content is held; once it exceeds so many bytes, one parameter of it goes to a file.
    case parcel(Parcel.Place, bytesMax: Int)
    /// The content is delivered piece by piece, as it comes.
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

/// The door of a request that was answered from the head alone, or was refused.
final class AnsweredDoor: Door {
    private let answer: HTTPAnswer

    init(_ answer: HTTPAnswer) { self.answer = answer }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? { nil }
    func content(_ doorway: Doorway) -> DoorContent { .refused }
    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }
    func end(isTooLong: Bool, _ doorway: Doorway) { doorway.respond(answer) }
}
