import KinClient
import KinCodec
import KinCrypto
import KinLoop
import KinModel
import KinWords

/// The way of a picture to the daemon. It goes in pieces over HTTP, and goes on where it was cut off. Without a
/// session, at the machine, it goes within a message.
final class PictureUpload {
    /// Bytes of a picture.
    private static let bytesMax = 64 << 20
    /// Bytes of a film.
    private static let filmBytesMax = 2 << 30
    /// Bytes of a picture that goes within a message.
    private static let bytesInMessageMax = 700 << 10
    /// Bytes of a document that is fetched within a message.
    private static let documentInMessageBytesMax: Int64 = 8 << 20
    /// Bytes that are sent at a time. After an interruption no more than that is sent again.
    private static let pieceBytes = 1 << 20
    /// Milliseconds for a request: opening a picture takes seconds, and a slow line takes minutes for a piece.
    private static let milliseconds = 300_000
    /// Milliseconds for which one piece is tried.
    private static let patienceMilliseconds: Int64 = 300_000

    private let door: Door
    private let token: String
    private let rest: Wakeup
    private var web: WebConversation?

    private init(_ door: Door, token: String) throws(Problem) {
        self.door = door
        self.token = token
        do throws(LoopFailure) { rest = try Wakeup() } catch { throw Problem(.failed, error.sentence) }
    }

    /// Sends a file with its fields, and answers the picture's identifier. A person at the terminal sees the progress.
    static func send(_ file: String, _ said: JSON.Object, _ call: Invocation) throws(Problem) -> Identifier {
        let bytes: [UInt8]
        do throws(LoopFailure) { bytes = try Files.read(file, max: bytesMax) } catch {
            throw .unreadable(file, error)
        }
        guard !bytes.isEmpty else { throw Problem(.refused, phrase("pictures.empty", ["file": Plain.line(file)])) }
        let door = try call.door()
        guard case .token(let token) = door.credential else {
            guard bytes.count <= bytesInMessageMax else {
                throw Problem(.refused, phrase("pictures.sign-in", ["file": Plain.line(file)]))
            }
            var params = said
            params["picture"] = .string(Base64.encode(bytes))
            return try sent(try call.call("picture.add", .object(params)))
        }
        let bar = ProgressBar(call.output, total: bytes.count >> 10)
        defer { bar.clear() }
        return try sent(
            try PictureUpload(door, token: token).send(
                .post, target("/api/pictures", said), file, count: bytes.count, piece: { range in Array(bytes[range]) }
            ) { bar.show($0 >> 10) })
    }

    /// Sends the film of a picture. One piece of it is in memory at a time.
    static func sendFilm(_ file: String, of id: Identifier, _ call: Invocation) throws(Problem) {
        let door = try call.door()
        guard case .token(let token) = door.credential else {
            throw Problem(.refused, phrase("pictures.sign-in", ["file": Plain.line(file)]))
        }
        let count = try filmBytes(file)
        let bar = ProgressBar(call.output, total: count >> 10)
        defer { bar.clear() }
        _ = try sent(
            try PictureUpload(door, token: token).send(
                .put, filmAddress(id), file, count: count,
                piece: { range in try? Files.read(file, from: range.lowerBound, count: range.count) }
            ) { bar.show($0 >> 10) })
    }

    /// An address with the fields of a file as its query.
    private static func target(_ path: String, _ said: JSON.Object) -> String {
        let query = said.members.map { member in
            let value =
                member.value.array.map { $0.compactMap(\.string).joined(separator: ",") } ?? member.value.string
                ?? member.value.bool.map { $0 ? "true" : "false" }
            return "\(member.name)=\(PercentEncoding.encode(value ?? ""))"
        }
        return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// Sends a document under the name of its file. One piece of it is in memory at a time.
    static func sendDocument(_ file: String, _ said: JSON.Object, _ call: Invocation) throws(Problem) -> Identifier {
        let count = try filmBytes(file, isDocument: true)
        var said = said
        said["original"] = nil
        said["name"] = .string(DocumentName.cleaned(file))
        let door = try call.door()
        guard case .token(let token) = door.credential else {
            guard count <= bytesInMessageMax, let bytes = try? Files.read(file, max: bytesInMessageMax) else {
                throw Problem(.refused, phrase("pictures.sign-in", ["file": Plain.line(file)]))
            }
            said["document"] = .string(Base64.encode(bytes))
            return try sent(try call.call("picture.addDocument", .object(said)))
        }
        let bar = ProgressBar(call.output, total: count >> 10)
        defer { bar.clear() }
        return try sent(
            try PictureUpload(door, token: token).send(
                .post, target("/api/documents", said), file, count: count,
                piece: { range in try? Files.read(file, from: range.lowerBound, count: range.count) }
            ) { bar.show($0 >> 10) })
    }

    /// The length of a film or a document that can be sent.
    static func filmBytes(_ file: String, isDocument: Bool = false) throws(Problem) -> Int {
        guard let count = Files.size(of: file), !Files.isDirectory(file) else {
            let key = isDocument ? "pictures.no-document" : "pictures.no-film"
            throw Problem(.refused, phrase(key, ["file": Plain.line(file)]))
        }
        guard count > 0 else { throw Problem(.refused, phrase("pictures.empty", ["file": Plain.line(file)])) }
        guard count <= filmBytesMax else {
            let key = isDocument ? "pictures.document-too-long" : "pictures.film-too-long"
            throw Problem(.refused, phrase(key, ["file": Plain.line(file)]))
        }
        return count
    }

    /// Fetches the film of a picture piece by piece into a new file.
    static func fetchFilm(_ id: Identifier, into path: String, _ call: Invocation) throws(Problem) {
        let door = try call.door()
        guard case .token(let token) = door.credential else { throw Problem(.refused, phrase("pictures.film-sign-in")) }
        try fetch(filmAddress(id), into: path, door, token)
    }

    /// Fetches a document into a new file: piece by piece, or within a message where there is no session.
    static func fetchDocument(_ id: Identifier, into path: String, _ call: Invocation) throws(Problem) {
        let door = try call.door()
        if case .token(let token) = door.credential {
            return try fetch("/api/pictures/\(id)/document", into: path, door, token)
        }
        let result = try call.call("picture.document", ["picture": .id(id)])
        guard let bytes = result["base64"]?.string.flatMap({ Base64.decode($0) }) else {
            throw Problem(.refused, phrase("pictures.not-got"))
        }
        let file = try NewFile(path)
        try file.write(bytes)
        file.keep()
    }

    /// Whether there is a session, with which files of any length can be fetched.
    static func hasSession(_ call: Invocation) throws(Problem) -> Bool {
        if case .token = try call.door().credential { true } else { false }
    }

    /// Whether a document can be fetched from here: within a message only if it is short.
    static func isInReach(_ document: Document, _ call: Invocation) throws(Problem) -> Bool {
        if document.bytes <= documentInMessageBytesMax { return true }
        return try hasSession(call)
    }

    private static func fetch(
        _ address: String, into path: String, _ door: Door, _ token: String
    ) throws(Problem) {
        let upload = try PictureUpload(door, token: token)
        var file: NewFile?
        var (offset, count) = (0, 1)
        while offset < count {
            let answer = try upload.again(path) { () throws(ClientFailure) in
                try upload.ask(
                    .get, address, ["Range": "bytes=\(offset)-\(offset + pieceBytes - 1)"])
            }
            let all = answer.head.headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
            guard let all, !answer.body.isEmpty else { throw Problem(.refused, phrase("pictures.not-got")) }
            count = all
            // A refused request leaves no file behind.
            if file == nil { file = try NewFile(path) }
            try file?.write(answer.body)
            offset += answer.body.count
        }
        file?.keep()
    }

    private static func filmAddress(_ id: Identifier) -> String { "/api/pictures/\(id)/film" }

    private static func sent(_ json: JSON) throws(Problem) -> Identifier {
        guard let id = json["picture"]?["id"]?.identifier else { throw Problem(.refused, phrase("pictures.not-got")) }
        return id
    }

    /// Follows draft-ietf-httpbis-resumable-upload: the upload is created, then its pieces are sent, each from the
    /// place up to which the daemon has it.
    private func send(
        _ method: HTTPMethod, _ target: String, _ file: String, count: Int,
        piece: (Range<Int>) -> [UInt8]?, progress: (Int) -> Void
    ) throws(Problem) -> JSON {
        let begun = try again(file) { () throws(ClientFailure) in
            try ask(
                method, target,
                [
                    "Content-Type": "application/octet-stream", "Upload-Complete": "?0",
                    "Upload-Length": "\(count)",
                ])
        }
        guard let address = begun.head.headers["Location"] else { throw Problem(.refused, phrase("pictures.not-got")) }
        var (offset, isSure) = (0, true)
        while true {
            let answer = try again(file) { () throws(ClientFailure) in
                if !isSure { offset = try there(address) ?? offset }
                isSure = false
                let end = min(offset + Self.pieceBytes, count)
                guard let bytes = piece(offset..<end), bytes.count == end - offset else {
                    throw ClientFailure.refused(
                        Rejection(.invalid, phrase("pictures.no-film", ["file": Plain.line(file)])))
                }
                let answer = try ask(
                    .patch, address,
                    [
                        "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
                        "Upload-Complete": end == count ? "?1" : "?0",
                    ], bytes)
                if answer.head.status < 300 { (offset, isSure) = (end, true) }
                return answer
            }
            progress(offset)
            if offset == count { return (try? JSON.parse(answer.body)) ?? .null }
        }
    }

    /// The number of bytes that the daemon has of an upload; `nil` if it does not say.
    private func there(_ address: String) throws(ClientFailure) -> Int? {
        try ask(.head, address, [:]).head.headers["Upload-Offset"].flatMap { Int($0) }
    }

    /// Asks until an answer tells the result; a refusal is thrown in its own words.
    private func again(
        _ file: String, _ body: () throws(ClientFailure) -> WebConversation.Answer
    ) throws(Problem) -> WebConversation.Answer {
        var backoff = Backoff()
        let began = LocalTime.now
        while true {
            var wait: Int?
            var reason = Problem(.refused, phrase("pictures.not-sent", ["file": Plain.line(file)]))
            do throws(ClientFailure) {
                let answer = try body()
                let said = (try? JSON.parse(answer.body))?["detail"]?.string
                if let said { reason = Problem(.refused, said) }
                switch answer.head.status {
                case 200..<300: return answer
                case 409, 429, 500...:
                    web = nil
                    wait = answer.head.headers["Retry-After"].flatMap { Int($0) }
                default: throw ClientFailure.refused(Rejection(.invalid, said ?? "\(answer.head.status)"))
                }
            } catch {
                web = nil
                switch error {
                case .refused(let rejection): throw Problem(.refused, rejection.message)
                case .untrusted: throw Problem(error)
                default: reason = Problem(error)
                }
            }
            guard LocalTime.now.milliseconds(since: began) < Self.patienceMilliseconds else { throw reason }
            _ = rest.wait(
                timeoutMilliseconds: Int(clamping: backoff.failed(retryAfter: wait, random: Randomness.uint64())))
        }
    }

    private func ask(
        _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8] = []
    ) throws(ClientFailure) -> WebConversation.Answer {
        let conversation: WebConversation
        if let web {
            conversation = web
        } else {
            conversation = WebConversation(over: try Wire.open(door.address, trust: door.trust))
        }
        web = nil
        var fields = headers
        fields["Authorization"] = "Bearer \(token)"
        let answer = try conversation.ask(
            method, target, headers: fields, body: body, timeoutMilliseconds: Self.milliseconds)
        if answer.keepsAlive { web = conversation }
        return answer
    }
}
