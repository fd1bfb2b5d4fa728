import KinCodec
import KinCrypto
import KinModel

/// The OwnTracks app in HTTP mode: translates between its bytes and `owntracks.publish`. It does nothing else; the HTTP
/// layer handles sign-in and the size of the body.
///
/// The app keeps what is not answered 2xx and sends it again, so every authenticated body gets ``nothing`` at least.
/// Only a wrong password is refused, with 401.
enum OwnTracks {
    /// The method behind it.
    static let method = "owntracks.publish"

    /// A body that was read.
    enum Reading: Equatable {
        /// The body is empty: a friend was removed in the app. Answer ``nothing``.
        case ignore
        /// A message for the method.
        case publish(Publication)
        /// Nothing can be made of it: answer ``nothing`` and write the sentence to the log.
        case unusable(String)
    }

    /// A message and where it came from.
    struct Publication: Equatable {
        /// The message, decrypted.
        let message: JSON
        /// The device's name; empty when the request names none, so that the app password's counts.
        let device: String
        /// The message came encrypted; the answer goes back in the same way.
        let isEncrypted: Bool

        /// As the method takes it.
        var params: JSON.Object { ["message": message, "device": .string(device)] }
    }

    /// The answer that holds nothing.
    static let nothing: [UInt8] = Array("[]".utf8)

    /// Reads a body. `named` has the device's names in the request, best first: `X-Limit-D`, then `d` of the query. The
    /// message's own topic comes last. `password` opens encrypted messages.
    static func read(_ body: [UInt8], named: [String?] = [], password: String) -> Reading {
        guard !body.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else { return .ignore }
        guard var message = try? JSON.parse(body, duplicates: .lastWins), message.object != nil else {
            return .unusable("A message of OwnTracks was passed over: it is no JSON object.")
        }
        var isEncrypted = false
        if message["_type"]?.string == "encrypted" {
            guard let data = message["data"]?.string, let box = Base64.decode(data),
                let opened = SecretBox.open(box, key: Array(password.utf8)),
                let inner = try? JSON.parse(opened, duplicates: .lastWins), inner.object != nil
            else {
                return .unusable(
                    "A message of OwnTracks was passed over: it is encrypted with another key than the app password.")
            }
            // The topic may be only outside of the encrypted part.
            let topic = message["topic"]
            message = inner
            if message["topic"] == nil { message["topic"] = topic }
            isEncrypted = true
        }
        let topic = message["topic"]?.string.flatMap(device(ofTopic:))
        let device = (named + [topic]).lazy.compactMap { $0.map(DeviceName.clean) }.first { !$0.isEmpty } ?? ""
        return .publish(Publication(message: message, device: device, isEncrypted: isEncrypted))
    }

    /// The app's answer from the method's result; encrypted whole when the message was.
    static func answer(_ result: JSON, encryptedWith password: String? = nil) -> [UInt8] {
        answer(result.bytes, encryptedWith: password)
    }

    /// The same from the result's bytes, as a reply of the keeper carries them.
    static func answer(_ result: [UInt8], encryptedWith password: String?) -> [UInt8] {
        let result = withCommands(result)
        guard let password else { return result }
        let box = SecretBox.seal(result, key: Array(password.utf8))
        return JSON.object(["_type": "encrypted", "data": .string(Base64.encode(box))]).bytes
    }

    /// Turns commands into objects for the phone. In the result they are texts at the end, since the code that stores
    /// them does not read JSON.
    private static func withCommands(_ result: [UInt8]) -> [UInt8] {
        guard result.suffix(2) == [UInt8(ascii: "\""), UInt8(ascii: "]")],
            let all = (try? JSON.parse(result, pausing: false))?.array
        else { return result }
        return JSON.array(all.compactMap { $0.string.map { try? JSON.parse($0) } ?? $0 }).bytes
    }

    /// The link that sets a phone up: `owntracks:///config?inline=…`, base64 of the app's configuration in HTTP mode
    /// (3). A plus is percent-encoded, since queries read it as a space.
    static func setUpLink(url: String, username: String, password: String, device: String, tid: String) -> String {
        let configuration: JSON = [
            "_type": "configuration", "mode": 3, "cmd": true, "url": .string(url), "username": .string(username),
            "password": .string(password), "deviceId": .string(device), "tid": .string(tid),
        ]
        let inline = Base64.encode(configuration.bytes).map { $0 == "+" ? "%2B" : String($0) }
        return "owntracks:///config?inline=" + inline.joined()
    }

    /// The device in `owntracks/USER/DEVICE`, with whatever follows (`/event`, `/waypoints`).
    private static func device(ofTopic topic: String) -> String? {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0] == "owntracks" ? String(parts[2]) : nil
    }
}

/// OwnTracks's door.
final class OwnTracksDoor: PhoneDoor {
    static let app = PhoneApp.owntracks
    static let phoneVerbs = [HTTPMethod.post]
    static let method = OwnTracks.method
    var reading: Message?

    /// A request that was read.
    struct Message: PhoneReading {
        var password: String?
        var params: JSON.Object = [:]
        var note: String?
        /// The phone sent nothing and gets an empty answer.
        var isNothing = false
        /// The answer goes back encrypted with the password, as the message came.
        var isSealed = false
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard isAt(head) else { return nil }
        let refusal = isAt("owntracks", head) ? nil : PublishDoor.refusal(head)
        return refusal.map { .answered($0) } ?? .taken(OwnTracksDoor())
    }

    /// The app posts to whatever address was typed.
    static func isAt(_ head: HTTPRequestHead) -> Bool { head.method == .post && head.path.first != "api" }

    static func read(_ post: PhonePost) -> Message {
        var message = Message()
        guard case .basic(_, let password) = post.credentials else { return message }
        message.password = password
        let named = [post.head.headers["X-Limit-D"], post.head.query["d"]]
        let read: OwnTracks.Reading =
            post.isTooLong
            ? .unusable("A phone with OwnTracks sent more at once than is taken.")
            : OwnTracks.read(post.body, named: named, password: password)
        message.params = ["message": [:], "device": ""]
        switch read {
        case .ignore: message.isNothing = true
        case .unusable(let sentence): message.note = sentence
        case .publish(let publication):
            message.params = publication.params
            message.isSealed = publication.isEncrypted
        }
        return message
    }

    static func answer(_ result: [UInt8], _ message: Message) -> HTTPAnswer {
        .json(
            200,
            message.isNothing
                ? OwnTracks.nothing
                : OwnTracks.answer(result, encryptedWith: message.isSealed ? message.password : nil))
    }

    static func refusal(_ message: Message) -> HTTPAnswer {
        .problem(
            401, "Sign in with your user name and an app password for positions.",
            headers: ["WWW-Authenticate": "Basic realm=\"kinwire\", charset=\"UTF-8\""])
    }
}
