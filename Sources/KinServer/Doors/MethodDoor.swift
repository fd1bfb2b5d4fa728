import KinCodec
import KinKeeper
import KinModel
import KinStore

/// REST: a method of the registry by its route.
final class MethodDoor: Door {
    private let method: Method
    private let path: [String: String]
    private let status: Int
    /// The parameter for the next piece of a file, once the client has taken those before.
    private var further: String?
    /// The archive that is the answer.
    private var archive: ArchiveFlow?
    /// The blob that is the answer.
    private var download: Download?

    private init(_ method: Method, path: [String: String], status: Int) {
        self.method = method
        self.path = path
        self.status = status
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        let verb = head.method.description
        return switch doorway.server.hall.routes.find(verb == "OPTIONS" ? "" : verb, head.path) {
        case .method(let method, let path, let status):
            .taken(
                UploadDoor.raw(method, path: path, doorway) ?? MethodDoor(method, path: path, status: status))
        case .otherVerbs(let verbs): .otherVerbs(verbs)
        case .none: nil
        }
    }

    func content(_ doorway: Doorway) -> DoorContent {
        method.parcel.map { .parcel($0, bytesMax: doorway.limits.pictureBodyBytesMax) }
            ?? .held(bytesMax: doorway.limits.bodyBytesMax)
    }

    /// A program is told at once that it cannot read this answer. (Pages, the metrics and phone apps get the one
    /// representation there is, which RFC 9110 §12.5.1 leaves to the server.)
    func negotiate(_ doorway: Doorway) -> HTTPAnswer? {
        if let refusal = doorway.refuseContent() { return refusal }
        let types = method.mediaTypes.isEmpty ? ["application/json"] : method.mediaTypes
        guard doorway.head.headers.bestAccepted(of: types) == nil else { return nil }
        return .problem(406, "The answer is \(types.joined(separator: " or ")), which the field Accept leaves out.")
    }

    /// Refuses here what strangers send, and what cannot be read, so that none of it goes to a file.
    func begin(_ doorway: Doorway) -> Beginning {
        guard method.parcel != nil, doorway.head.bodyLength != .none else { return .goOn }
        guard doorway.isJSON else { return .refused(.problem(415, "The body must be application/json.")) }
        guard case .none = doorway.credential else { return .goOn }
        return .refused(.problem(Rejection(.notSignedIn, "Sign in first.")))
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        if !doorway.body.isEmpty, !doorway.isJSON {
            return doorway.respond(.problem(415, "The body must be application/json."))
        }
        guard doorway.body.count <= doorway.limits.parsedOnLoopBytesMax else {
            return doorway.work(JSONParsing(bytes: doorway.body))
        }
        call(doorway.body.isEmpty ? .success(.object([:])) : JSONParsing(bytes: doorway.body).parsed, doorway)
    }

    func done(_ made: any Sendable, _ doorway: Doorway) {
        if download?.done(made, doorway) ?? false { return }
        if archive?.done(made, doorway, ask: { ask(after: $0, doorway) }) ?? false { return }
        if let body = made as? Result<JSON, JSONFailure> { call(body, doorway) }
    }

    /// Goes on with a request whose body was parsed, or could not be.
    private func call(_ body: Result<JSON, JSONFailure>, _ doorway: Doorway) {
        let head = doorway.head
        var params: JSON.Object
        do throws(Rejection) {
            params = try Routes.params(method, path: path, query: head.query, body: body)
        } catch { return doorway.respond(.problem(error)) }
        // The body was read: it need not wait for the answer.
        doorway.dropBody()
        let parcel = doorway.exchange.parcel
        if let parcel, let name = method.parcel?.parameter, params[name]?.string != parcel.name {
            let rejection = Rejection(.tooLarge, "Only \(name) may be that long.", field: name)
            return doorway.respond(.problem(rejection))
        }
        // A page's script cannot read the device cookie, so the server puts it into the parameters.
        if method.session == .opens, params["knownDevice"] == nil,
            method.parameters.contains(where: { $0.name == "knownDevice" }),
            let known = head.headers.knownDevice(in: doorway.server.hall.policy.deviceCookieName(doorway.connection))
        {
            params["knownDevice"] = .string(known)
        }
        var op = head.headers["Idempotency-Key"]
        if method.sort != .query, let given = params["op"]?.string {
            op = op ?? given
            params["op"] = nil
        }
        let condition: Condition?
        switch Self.condition(method, path, doorway) {
        case .nothing: condition = nil
        case .judged(let asked): condition = asked
        case .refused(let answer): return doorway.respond(answer)
        }
        doorway.ask(method.name, params, op: op, parcel: parcel, if: condition, as: doorway.credential)
        doorway.exchange.parcel = nil
    }

    // MARK: Conditions

    /// What the request's conditions ask of a write.
    enum Asked {
        case nothing
        case judged(Condition)
        /// They ask what cannot be judged. A client that sends a condition must not believe that it was checked.
        case refused(HTTPAnswer)
    }

    static func condition(_ method: Method, _ path: [String: String], _ doorway: Doorway) -> Asked {
        guard method.sort != .query else { return .nothing }
        guard doorway.head.headers["If-None-Match"] == nil else { return .refused(unjudged) }
        let lists = doorway.head.headers.values("If-Match")
        guard !lists.isEmpty else { return .nothing }
        let changes = ["DELETE", "PATCH", "PUT"].contains(method.route?.verb ?? "")
        guard changes,
            let shower = method.blob == nil ? doorway.server.hall.routes.shower(of: method) : method
        else { return .refused(unknowable) }
        var params = JSON.Object()
        for (name, value) in path.sorted(by: { $0.key < $1.key }) { params[name] = .string(value) }
        return .judged(Condition(shower.name, params, tags: Representation.named(by: lists)))
    }

    private static let unjudged = HTTPAnswer.problem(
        412, "If-None-Match is for reading. A write takes If-Match, with the ETag of what it changes.")

    private static let unknowable = HTTPAnswer.problem(
        412, "What this changes has no ETag, so If-Match names nothing of it.")

    /// An answer of a query. It has a validator where the same address also changes what it shows. The log's cursor is
    /// not part of what is shown.
    private func shown(_ bytes: [UInt8], _ doorway: Doorway) -> HTTPAnswer {
        var answer = HTTPAnswer.json(status, bytes)
        guard method.sort == .query, doorway.server.hall.routes.isChanged(method) else { return answer }
        let tag = Condition.tag(ofAnswer: Self.withoutCursor(bytes))
        if let judged = Representation.judge(doorway.head, tag, "no-store") { return judged }
        answer.headers.append("ETag", tag)
        return answer
    }

    /// The answer without its cursor, which stands at its end.
    private static func withoutCursor(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.suffix(2) == Array("\"}".utf8)[...], let quote = bytes.dropLast(2).lastIndex(of: 0x22) else {
            return bytes
        }
        let name = Array(",\"cursor\":\"".utf8)
        guard bytes[...quote].suffix(name.count) == name[...] else { return bytes }
        return bytes[...(quote - name.count)] + [0x7D]
    }

    // MARK: The answer

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        switch result {
        case .success(let bytes):
            if case .piece(let piece) = effect {
                guard piece.files != nil else { return send(piece, doorway) }
                if archive == nil { archive = ArchiveFlow() }
                archive?.take(piece, doorway)
                return
            }
            if case .blob(let name, let type, let called) = effect {
                download = Download(name, mediaType: type, called: called, doorway)
                return
            }
            var answer = shown(bytes, doorway)
            switch method.session {
            case .opens where wantsCookie(doorway.head): setCookie(&answer, bytes, doorway)
            case .closes: doorway.server.clearCookie(doorway.connection, &answer)
            default: break
            }
            doorway.respond(answer)
        case .failure(let rejection):
            // The head has already said 200, and cannot be taken back.
            if doorway.exchange.isBegun { return doorway.breakOff() }
            doorway.respond(.problem(rejection))
        }
    }

    /// Whether the client wants a cookie: only a browser does, and it says where its request comes from.
    private func wantsCookie(_ head: HTTPRequestHead) -> Bool {
        head.headers["Sec-Fetch-Site"] != nil || head.headers["Origin"] != nil
    }

    private func setCookie(_ answer: inout HTTPAnswer, _ bytes: [UInt8], _ doorway: Doorway) {
        guard let json = try? JSON.parse(bytes), let token = json["token"]?.string else { return }
        doorway.server.setCookies(doorway.connection, &answer, token, device: json["knownDevice"]?.string)
    }

    // MARK: Files in pieces

    /// Sends a file that is too long to be held. It is an answer in pieces; the next piece is asked for when the client
    /// has taken those before. So one piece of a file is in memory, however slow the client is. Permission is checked
    /// for each piece: when a right ends in between, the file ends.
    private func send(_ piece: FilePiece, _ doorway: Doorway) {
        if !doorway.exchange.isBegun {
            let isAll = piece.next == nil
            let made = isAll ? Representation.etag(Blobs.digest(of: piece.bytes)) : nil
            let file = Representation(
                bytes: piece.bytes.count, etag: made ?? piece.state.map(Representation.etag(ofState:)),
                type: .of(piece.mediaType), fileName: piece.fileName, cacheControl: "no-store")
            switch file.plan(doorway.head) {
            case .answered(let answer): return doorway.respond(answer)
            case .whole where isAll: return doorway.respond(HTTPAnswer(200, file.headers(), body: piece.bytes))
            case .part(let part):
                return doorway.respond(HTTPAnswer(206, file.headers(part), body: Array(piece.bytes[part])))
            case .whole: doorway.begin(200, file.headers())
            }
        }
        further = nil
        if !doorway.exchange.isHead {
            doorway.write(piece.bytes)
            if let next = piece.next {
                further = next
                return
            }
        }
        doorway.end()
    }

    /// The client has taken everything so far: the next piece is asked for.
    func taken(_ doorway: Doorway) {
        if download != nil { download?.taken(doorway) }
        if let after = archive?.taken(doorway) { return ask(after: after, doorway) }
        guard let after = further else { return }
        further = nil
        ask(after: after, doorway)
    }

    private func ask(after: String, _ doorway: Doorway) {
        guard
            var params = try? Routes.params(
                method, path: path, query: doorway.head.query, body: .success(.object([:])))
        else { return }
        params["after"] = .string(after)
        doorway.ask(method.name, params, as: doorway.credential)
    }
}

/// A body that is too long to be parsed on the loop, where others would wait for it.
struct JSONParsing: DoorWork {
    let bytes: [UInt8]

    var parsed: Result<JSON, JSONFailure> { LongInput.json(bytes) }
    func run(at blobs: Blobs) -> any Sendable { parsed }
}
