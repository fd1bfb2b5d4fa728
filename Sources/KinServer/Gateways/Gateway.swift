import KinCodec
import KinModel

/// The door of one phone app: between its bytes and a method. Pure translation; that a body comes, how large it may be
/// and whether the password is right are others'.
///
/// An app keeps what is not answered as it expects and sends it again, so whatever the password was right for is answered
/// as if all were well. Only a wrong password is refused, in the way the app understands.
package struct Gateway: Sendable {
    let app: PhoneApp
    /// The one segment of its address; `nil` for every address that is nothing else's.
    let segment: String?
    let verbs: [HTTPMethod]
    /// The method behind it.
    let method: String
    /// Makes of a request what the method takes.
    let read: @Sendable (PhonePost) -> PhoneReading
    /// The answer from the method's result.
    let answer: @Sendable (_ result: [UInt8], PhoneReading) -> HTTPAnswer
    /// The answer to whoever showed no password, or a wrong one.
    let refusal: @Sendable (PhoneReading) -> HTTPAnswer

    /// Every door. The one without an address of its own stands last.
    static let all: [Gateway] = [.osmAnd, .overland, .ownTracks]

    /// The door at an address that is nothing else's; `nil` when there is none.
    static func at(_ head: HTTPRequestHead) -> Gateway? {
        let ended = head.path.last == "" ? head.path.dropLast() : head.path[...]
        return all.first { gateway in
            guard let segment = gateway.segment else { return head.method == .post && head.path.first != "api" }
            return ended == [segment]
        }
    }
}

/// A request at a phone's door.
package struct PhonePost: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// More bytes than are taken: the beginning at most is here.
    let isTooLong: Bool

    /// The credential of the field `Authorization`.
    var credentials: HTTPCredentials? { head.headers.credentials }

    /// White space at most.
    var isEmpty: Bool { body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}

/// What a request at a phone's door turned out to be.
package struct PhoneReading: Sendable {
    /// The app password, or what stands in its place; `nil` when there is nothing.
    var password: String?
    /// What the method takes. Something stands here even when nothing in the message was of use, so that the password is
    /// judged.
    var params: JSON.Object = [:]
    /// For the daemon's log, once the password was found right: strangers write nothing there.
    var note: String?
    /// The phone said nothing and is told nothing.
    var isNothing = false
    /// The answer goes back encrypted with the password, as the message came.
    var isSealed = false
    /// It came as JSON, where an app has other forms too.
    var isJSON = false
    /// More bytes than are taken.
    var isTooLong = false
}
