import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// Which secrets a request in plain text showed.
struct Exposure {
    /// A session's token, as a bearer token, a cookie or a parameter.
    var token: String?
    /// Whose password it is, where the request says so.
    var username: String?
    /// A password or an app password.
    var password: String?
    /// The topics of devices that ring, which are secrets.
    var topics: [String] = []
    /// Whether the keeper was told, so that the secrets are no longer valid.
    var isRevoked = false

    var isEmpty: Bool { token == nil && password == nil && topics.isEmpty }

    /// Reads secrets from the parameters and form fields that may hold them. A value that is too long to be valid is
    /// skipped.
    mutating func read(_ value: (String) -> String?) {
        func shown(_ name: String) -> String? {
            value(name).flatMap { (1...Limits.passwordBytesMax).contains($0.utf8.count) ? $0 : nil }
        }
        token = token ?? shown("token")
        username = username ?? shown("username")
        password = password ?? shown("password") ?? shown("old")
    }

    /// As the keeper takes it.
    var params: JSON.Object {
        var params = JSON.Object()
        if let token { params["token"] = .string(token) }
        if let username { params["username"] = .string(username) }
        if let password { params["password"] = .string(password) }
        if !topics.isEmpty { params["topics"] = .array(topics.map { .string($0) }) }
        return params
    }

    /// What the client is told.
    var sentence: String {
        if isEmpty { return "Plain text is not taken from another machine; use TLS (https)." }
        if token == nil, password == nil {
            return isRevoked
                ? "This topic was seen in plain text on the network and is revoked. Use TLS (https), and add the phone anew."
                : "This topic was seen in plain text on the network: remove it, and use TLS (https)."
        }
        let seen = "What you signed in with was seen in plain text on the network"
        if !isRevoked { return "\(seen): change it, and use TLS (https)." }
        return password == nil
            ? "\(seen) and is revoked. Use TLS (https) and sign in again."
            : "\(seen), so it signs in no more. Use TLS (https), and choose a new password on a device where you are "
                + "signed in or with a sign-in link of an admin."
    }
}

/// Plain text from another machine is refused, and the secrets it showed are revoked.
extension Server {
    /// The door of a request in plain text. Its body is read as far as it may hold a secret, which is on the network
    /// already. A client that waits for 100 Continue has not sent it.
    func refusePlain(_ connection: Connection, _ exchange: HTTPExchange) -> any Door {
        let head = exchange.head
        for credential in hall.policy.credentials(head, connection) {
            switch credential {
            case .token(let token): exchange.exposure.read { $0 == "token" ? token : nil }
            case .appPassword(let username, let password):
                exchange.exposure.read { $0 == "username" ? username : $0 == "password" ? password : nil }
            default: break
            }
        }
        exposePhone(exchange)
        // One request that showed a secret is enough: the next is not read.
        if !exchange.exposure.isEmpty { exchange.keepsAlive = false }
        switch head.bodyLength {
        case .none, .length(0): break
        case .length(let bytes) where bytes > limits.plainBodyBytesMax: break
        default:
            guard !head.expectsContinue else { break }
            exchange.keepsAlive = false
            return PlainDoor()
        }
        return AnsweredDoor(plainAnswer(connection, exchange))
    }

    /// Reads the password where the phone apps' own protocols have it.
    private func exposePhone(_ exchange: HTTPExchange) {
        let shown = settings.doors.lazy.compactMap { $0.passwordShown(exchange.head, exchange.body) }.first
        exchange.exposure.read { $0 == "password" ? shown : nil }
        let topics = settings.doors.lazy.map { $0.topicsShown(exchange.head, exchange.body) }.first { !$0.isEmpty }
        if let topics {
            exchange.exposure.topics = topics
            // A topic in a password's place is not also a password.
            if let password = exchange.exposure.password, topics.contains(password) {
                exchange.exposure.password = nil
                exchange.exposure.username = nil
            }
        }
    }

    /// The answer, once it is known what was shown.
    func plainAnswer(_ connection: Connection, _ exchange: HTTPExchange) -> HTTPAnswer {
        let head = exchange.head
        if let object = (try? JSON.parse(exchange.body))?.object {
            exchange.exposure.read { object[$0]?.string }
        } else if !exchange.body.isEmpty {
            let form = FormFields(urlEncoded: exchange.body)
            exchange.exposure.read { form[$0] }
        }
        exposePhone(exchange)
        if head.method == .get || head.method == .head, exchange.exposure.isEmpty, handshakes.context != nil {
            // The link only ever leads to ourselves, whatever host the request named.
            let base =
                hall.policy.isOurs(host: head.host, connection) && !head.host.isEmpty
                ? "https://\(head.host)" : settings.site.canonicalURL
            let location = base + (head.target.hasPrefix("/") ? head.target : "/")
            return HTTPAnswer(308, ["Location": location, "Cache-Control": "no-store"])
        }
        expose(connection, &exchange.exposure)
        return .problem(
            426, exchange.exposure.sentence, headers: ["Upgrade": "TLS/1.2, HTTP/1.1", "Connection": "Upgrade"])
    }

    /// Lines are only for encrypted connections and this machine. Says so, and revokes what was shown.
    func refusePlainLine(_ connection: Connection, _ bytes: [UInt8]) {
        var exposure = Exposure()
        if let request = try? RPCRequest.parse(JSON.parse(bytes, pausing: false)) {
            exposure.read { request.params[$0]?.string }
        }
        expose(connection, &exposure)
        let rejection = Rejection(.forbidden, exposure.sentence)
        write(
            connection,
            RPC.error(id: nil, code: rejection.kind.rawValue, message: rejection.message, data: rejection.data))
        end(connection, .policy)
    }

    /// Has the keeper revoke what was seen in plain text. Nobody waits for the answer.
    private func expose(_ connection: Connection, _ exposure: inout Exposure) {
        guard !exposure.isEmpty else { return }
        guard !port.isFull else { return hitLimit("requests") }
        exposure.isRevoked = true
        port.putOwn(
            Request(
                ticket: Ticket(connection: connection.key, sequence: .max), credential: .none,
                origin: Origin(addressKey: connection.address?.slowdownKey.description ?? ""),
                method: "session.expose", params: exposure.params))
    }
}

/// The door of a request that came in plain text from elsewhere. It is refused, once its content was searched for
/// secrets.
final class PlainDoor: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? { nil }

    func content(_ doorway: Doorway) -> DoorContent { .held(bytesMax: doorway.limits.plainBodyBytesMax) }
    func negotiate(_ doorway: Doorway) -> HTTPAnswer? { nil }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        doorway.respond(doorway.server.plainAnswer(doorway.connection, doorway.exchange))
    }
}
