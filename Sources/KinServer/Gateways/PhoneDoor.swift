import KinCodec
import KinKeeper
import KinModel
import KinStore

/// The door of one phone app: it translates between the app's bytes and a method. Each app's door is a type of its own
/// and knows only its app's format; what all have in common is here.
///
/// An app keeps a message that is not answered as it expects, and sends it again. So every message with the right
/// password gets the answer of success. Only a wrong password is refused, in the way that the app understands.
protocol PhoneDoor: Door {
    associatedtype Reading: PhoneReading

    static var app: PhoneApp { get }
    /// The verbs that the app uses.
    static var phoneVerbs: [HTTPMethod] { get }
    /// The method behind it.
    static var method: String { get }
    /// Whether an address that no other door claims is this one's.
    static func isAt(_ head: HTTPRequestHead) -> Bool
    /// Translates a request into the method's parameters.
    static func read(_ post: PhonePost) -> Reading
    /// The answer from the method's result.
    static func answer(_ result: [UInt8], _ reading: Reading) -> HTTPAnswer
    /// The answer to a client that showed no password, or a wrong one.
    static func refusal(_ reading: Reading) -> HTTPAnswer

    init()
    /// The message as it was read, while its password is judged.
    var reading: Reading? { get set }
}

/// A request at a phone's door.
struct PhonePost: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// Whether more bytes came than are accepted: at most the beginning is here.
    let isTooLong: Bool

    /// The credential of the field `Authorization`.
    var credentials: HTTPCredentials? { head.headers.credentials }

    /// Whether it is empty but for white space.
    var isEmpty: Bool { body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}

/// A phone's request that was read.
protocol PhoneReading: Sendable {
    /// The app password, or what stands in its place; `nil` when there is nothing.
    var password: String? { get }
    /// The method's parameters. They are there even when nothing in the message was usable, so that the password is
    /// checked.
    var params: JSON.Object { get set }
    /// A line for the daemon's log, once the password was found right: strangers must not write to the log.
    var note: String? { get }
}

extension PhoneDoor {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard isAt(head) else { return nil }
        return phoneVerbs.contains(head.method) ? .taken(Self()) : .otherVerbs(phoneVerbs.map(\.description))
    }

    /// Whether an address is that one segment.
    static func isAt(_ segment: String, _ head: HTTPRequestHead) -> Bool {
        (head.path.last == "" ? head.path.dropLast() : head.path[...]) == [segment]
    }

    func content(_ doorway: Doorway) -> DoorContent {
        .heldWhateverItsSize(bytesMax: doorway.limits.phoneBodyBytesMax)
    }

    /// Nothing is refused here: a phone app would send it again for ever. Unusable content is accepted once its
    /// password was checked.
    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }

    /// Hands over a phone's message. An unusable one goes the same way: its password is checked before it gets the
    /// answer of success.
    func end(isTooLong: Bool, _ doorway: Doorway) {
        let parsing = PhoneParsing<Self>(
            post: PhonePost(head: doorway.head, body: doorway.body, isTooLong: isTooLong))
        guard doorway.body.count <= doorway.limits.parsedOnLoopBytesMax else { return doorway.work(parsing) }
        take(parsing.reading, doorway)
    }

    func done(_ made: any Sendable, _ doorway: Doorway) {
        if let reading = made as? Reading { take(reading, doorway) }
    }

    /// Goes on with a message that was read.
    private func take(_ read: Reading, _ doorway: Doorway) {
        var read = read
        doorway.dropBody()
        guard let password = read.password else { return doorway.respond(Self.refusal(read)) }
        let params = read.params
        read.params = [:]
        reading = read
        doorway.ask(Self.method, params, as: .appPassword(username: nil, password: password))
    }

    /// Answers a phone, once its password is judged.
    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        guard let reading else { return }
        switch result {
        case .success(let bytes):
            if let sentence = reading.note { passOver(sentence, doorway) }
            doorway.respond(Self.answer(bytes, reading))
        case .failure(let rejection):
            switch rejection.kind {
            case .notSignedIn, .forbidden: doorway.respond(Self.refusal(reading))
            // The app sends it again, later.
            case .slowDown, .unavailable: doorway.respond(.problem(rejection))
            default:
                // No other refusal is expected; whatever it is, the phone cannot correct it.
                passOver("A message of \(Self.app.title) was passed over: the family refused it.", doorway)
                doorway.respond(Self.answer(Array("[]".utf8), reading))
            }
        }
    }

    private func passOver(_ sentence: String, _ doorway: Doorway) {
        doorway.server.counters.phoneMessagesUnusable += 1
        doorway.server.tell(.phone, sentence)
    }
}

/// A message that is too long to be read by the loop.
struct PhoneParsing<App: PhoneDoor>: DoorWork {
    let post: PhonePost

    var reading: App.Reading { App.read(post) }
    func run(at blobs: Blobs) -> any Sendable { reading }
}
