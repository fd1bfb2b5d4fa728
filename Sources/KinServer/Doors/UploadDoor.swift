import KinCodec
import KinKeeper
import KinModel
import KinStore

/// Uploads: the content of a `PUT` or `POST` whose method takes a file, and its continuation under
/// `/api/uploads/{upload}`, by draft-ietf-httpbis-resumable-upload-10 (sections in the comments below). A client that
/// does not know that draft sends its file, and gets the method's own answer.
///
/// The keeper says first whether the upload is permitted, so nothing of strangers goes to the disk. The bytes go to the
/// upload's file, no faster than the disk takes them. When all are there, the method is carried out, which judges them.
final class UploadDoor: Door {
    /// The purpose of a request.
    private enum Purpose {
        /// A new upload for a method with these parameters in its path (§4.2).
        case begin(Method, path: [String: String])
        /// How much has arrived (§4.3).
        case look
        /// More of it (§4.4).
        case append
        /// No more of it (§4.5).
        case cancel
    }

    private let purpose: Purpose
    private var upload: UploadUnderWay?
    /// Whether the client says that the upload is complete with this content; `nil` where it does not know resumption.
    private let isLast: Bool?
    /// The identifier that the address names.
    private let id: String
    /// The answer of the method, once it was carried out.
    private var answer: HTTPAnswer?
    private var isCarryingOut = false
    /// Whether a part of it is here, and the next answer says how much.
    private var isTelling = false
    private let flow = UploadFlow()

    private init(_ purpose: Purpose, id: String = "", _ head: HTTPRequestHead) {
        self.purpose = purpose
        self.id = id
        isLast =
            switch head.headers["Upload-Complete"] {
            case "?1": true
            case "?0": false
            default: nil
            }
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path.count == 3, head.path[0] == "api", head.path[1] == "uploads" else { return nil }
        return switch head.method {
        case .head: .taken(UploadDoor(.look, id: head.path[2], head))
        case .patch: .taken(UploadDoor(.append, id: head.path[2], head))
        case .delete: .taken(UploadDoor(.cancel, id: head.path[2], head))
        default: .otherVerbs(["DELETE", "HEAD", "PATCH"])
        }
    }

    /// The door for a file that is the whole content; `nil` where the file comes within JSON, or the method takes none.
    static func raw(_ method: Method, path: [String: String], _ doorway: Doorway) -> UploadDoor? {
        guard method.parcel != nil, doorway.head.method == .put || doorway.head.method == .post,
            doorway.head.headers["Content-Type"] != nil, !doorway.isJSON
        else { return nil }
        return UploadDoor(.begin(method, path: path), doorway.head)
    }

    func content(_ doorway: Doorway) -> DoorContent {
        switch purpose {
        case .begin(let method, _): .pieces(bytesMax: method.parcel.map { $0.charactersMax / 4 * 3 } ?? 0)
        case .append: .pieces(bytesMax: .max / 2)
        case .look, .cancel: .dropped
        }
    }

    // MARK: Before the content

    func begin(_ doorway: Doorway) -> Beginning {
        let head = doorway.head
        if case .none = doorway.credential {
            return .refused(.problem(Rejection(.notSignedIn, "Sign in first.")))
        }
        switch purpose {
        case .begin(let method, let path):
            let type = head.headers["Content-Type"].flatMap { MediaType($0) }?.name ?? ""
            let taken = ServedType.fileTypes(of: method)
            guard taken.contains(type) else {
                return .refused(
                    .problem(
                        415, "The body must be application/json, or the file itself.",
                        headers: ["Accept": (["application/json"] + taken).joined(separator: ", ")]))
            }
            return ask(for: method, path, doorway)
        case .append:
            let type = head.headers["Content-Type"].flatMap { MediaType($0) }?.name
            guard type == "application/partial-upload" else {
                return .refused(
                    .problem(
                        415, "More of an upload is application/partial-upload.",
                        headers: ["Accept-Patch": "application/partial-upload"]))
            }
            guard isLast != nil, Self.number(head.headers["Upload-Offset"]) != nil else {
                return .refused(.problem(400, "More of an upload says Upload-Offset and Upload-Complete."))
            }
            doorway.ask("upload.find", ["upload": .string(id)], as: doorway.credential)
            return .wait
        case .look, .cancel: return .goOn
        }
    }

    private func ask(for method: Method, _ path: [String: String], _ doorway: Doorway) -> Beginning {
        let head = doorway.head
        var params: JSON.Object
        do throws(Rejection) {
            // What goes with the file stands in the address.
            params = try Routes.params(method, path: path, query: head.query, body: .success([:]))
            // What would be refused once all of the file is here is refused before the first byte of it.
            let besides = method.parameters.filter { $0.name != method.parcel?.parameter }
            try Shape.check(params, fields: besides)
        } catch { return .refused(.problem(error)) }
        let condition: Condition?
        switch MethodDoor.condition(method, path, doorway) {
        case .nothing: condition = nil
        case .judged(let asked):
            condition = asked
            params[UploadUnderWay.ifMatch] = asked.tags.map { .array($0.sorted().map { .string($0) }) } ?? "*"
        case .refused(let answer): return .refused(answer)
        }
        var asked: JSON.Object = [
            "method": .string(method.name), "params": .object(params), "isOnce": .bool(isLast == nil),
        ]
        if let field = head.headers["Upload-Length"] {
            guard let length = Self.number(field) else {
                return .refused(.problem(400, "Upload-Length is a number of bytes."))
            }
            asked["length"] = .int(Int64(length))
        }
        if isLast != false, case .length(let length) = head.bodyLength {
            if let said = asked["length"]?.int, said != Int64(length) {
                return .refused(Self.inconsistent)
            }
            asked["length"] = .int(Int64(length))
        }
        if let op = head.headers["Idempotency-Key"], (1...64).contains(op.utf8.count) {
            asked["repeatOf"] = .string(op)
        }
        doorway.ask("upload.begin", asked, if: condition, as: doorway.credential)
        return .wait
    }

    /// A number of digits only, no larger than any file.
    private static func number(_ field: String?) -> Int? {
        guard let field, (1...15).contains(field.utf8.count), field.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(field)
    }

    /// The keeper knows the upload.
    private func found(_ bytes: [UInt8], _ doorway: Doorway) {
        guard let json = try? JSON.parse(bytes, pausing: false), let found = UploadUnderWay(json) else {
            return doorway.refuse(.problem(Rejection(.unavailable, "The upload cannot be read.")))
        }
        upload = found
        doorway.takeOver(found.file)
        switch purpose {
        case .begin:
            // §4.2, §5: a client that knows resumption is told the upload's address before anything can be cut off.
            if isLast != nil {
                var headers: HTTPHeaders = ["Location": found.path, "Upload-Limit": found.limit]
                // Each draft has its version number; the fields used here have been the same since the sixth draft.
                if let version = Self.number(doorway.head.headers["Upload-Draft-Interop-Version"]) {
                    headers.append("Upload-Draft-Interop-Version", String(version))
                }
                doorway.inform(104, "Upload Resumption Supported", headers)
            }
            flow.begin(found.file, at: 0, isKept: isLast != nil, isTold: isLast == false)
            doorway.goOn()
        case .append, .look: doorway.work(UploadLook(file: found.file))
        case .cancel: break
        }
    }

    /// A worker has looked how much is there, has written a piece, or has named the whole file.
    func done(_ made: any Sendable, _ doorway: Doorway) {
        switch made {
        case let look as UploadLook.Seen: seen(look, doorway)
        case let written as UploadWrite.Written: flowed(flow.written(written, doorway), doorway)
        case let synced as UploadSync.Synced: flowed(flow.synced(synced, doorway), doorway)
        case let more as UploadName: doorway.work(more)
        case let named as UploadName.Named: carryOut(named, doorway)
        default: break
        }
    }

    private func seen(_ look: UploadLook.Seen, _ doorway: Doorway) {
        guard let upload else { return }
        let arrived: Int
        switch look {
        case .arrived(let bytes): arrived = bytes
        case .over: return doorway.refuse(.problem(Rejection(.notFound, "There is no such upload, or it is over.")))
        case .unread:
            return doorway.refuse(.problem(Rejection(.unavailable, "The upload cannot be read.", retryAfter: 5)))
        }
        if isTelling { return tell(arrived, upload, doorway) }
        guard case .append = purpose else {
            var headers: HTTPHeaders = [
                "Upload-Offset": String(arrived), "Upload-Complete": "?0", "Upload-Limit": upload.limit,
                "Cache-Control": "no-store",
            ]
            if let length = upload.length { headers.append("Upload-Length", String(length)) }
            return doorway.respond(HTTPAnswer(204, headers))
        }
        guard Self.number(doorway.head.headers["Upload-Offset"]) == arrived else {
            return doorway.refuse(Self.mismatch(arrived, doorway.head))
        }
        if case .length(let more) = doorway.head.bodyLength {
            let end = arrived + more
            guard end <= upload.bytesMax, upload.length.map({ isLast == true ? end == $0 : end <= $0 }) ?? true else {
                return doorway.refuse(Self.inconsistent)
            }
        }
        flow.begin(upload.file, at: arrived, isKept: true, isTold: isLast == false)
        doorway.goOn()
    }

    /// Answers a part that is on the disk.
    private func tell(_ arrived: Int, _ upload: UploadUnderWay, _ doorway: Doorway) {
        guard arrived == flow.end else { return doorway.refuse(Self.mismatch(arrived, doorway.head)) }
        var headers: HTTPHeaders = [:]
        if case .begin = purpose { headers.append("Location", upload.path) }
        headers.append("Upload-Offset", String(arrived))
        headers.append("Upload-Complete", "?0")
        headers.append("Upload-Limit", upload.limit)
        var status = 204
        if case .begin = purpose { status = 201 }
        doorway.respond(HTTPAnswer(status, headers))
    }

    // MARK: The content

    func body(_ bytes: [UInt8], _ doorway: Doorway) {
        guard let upload else { return }
        guard flow.end + bytes.count <= upload.bytesMax else {
            return doorway.refuse(Self.inconsistent)
        }
        flow.take(bytes, doorway)
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        switch purpose {
        case .begin, .append:
            doorway.stand()
            flowed(flow.ended(doorway), doorway)
        case .look: doorway.ask("upload.find", ["upload": .string(id)], as: doorway.credential)
        case .cancel: doorway.ask("upload.end", ["upload": .string(id)], as: doorway.credential)
        }
    }

    private func flowed(_ state: UploadFlow.State, _ doorway: Doorway) {
        guard let upload else { return }
        switch state {
        case .flowing: return
        case .endsElsewhere(let offset): doorway.refuse(Self.mismatch(offset, doorway.head))
        case .failed(let sentence):
            doorway.refuse(.problem(Rejection(.unavailable, sentence, retryAfter: 60)))
        case .whole where isLast == false:
            // §4.4: there is more to come. The answer says how much is there, once it is on the disk.
            if flow.isSynced { return tell(flow.end, upload, doorway) }
            isTelling = true
            doorway.work(UploadLook(file: upload.file))
        case .whole:
            if let length = upload.length, length != flow.end { return doorway.respond(Self.inconsistent) }
            guard flow.end > 0 else {
                return finish(.problem(Rejection(.invalid, "The file is empty.")), doorway)
            }
            doorway.work(UploadName(file: upload.file, bytes: flow.end))
        }
    }

    /// All of the file is here: the method is carried out as if the file had come within JSON.
    private func carryOut(_ named: UploadName.Named, _ doorway: Doorway) {
        guard let upload, let parcel = named.parcel, let method = doorway.registry.methods[upload.method],
            let place = method.parcel
        else {
            return doorway.respond(.problem(Rejection(.unavailable, "The upload cannot be read.", retryAfter: 5)))
        }
        var params = upload.params
        params[place.parameter] = .string(parcel.name)
        isCarryingOut = true
        doorway.ask(
            upload.method, params, op: doorway.head.headers["Idempotency-Key"] ?? "upload-\(upload.id)", parcel: parcel,
            if: upload.condition, as: doorway.credential)
    }

    // MARK: Answers

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        if let answer { return doorway.respond(answer) }
        guard isCarryingOut else {
            switch (purpose, result) {
            case (.cancel, .success): doorway.respond(HTTPAnswer(204))
            case (_, .success(let bytes)): found(bytes, doorway)
            case (_, .failure(let rejection)): doorway.refuse(.problem(rejection))
            }
            return
        }
        isCarryingOut = false
        let made: HTTPAnswer
        switch result {
        case .success(let bytes): made = .json(doorway.status(of: upload?.method ?? ""), bytes)
        case .failure(let rejection):
            made = .problem(rejection)
            // The client may ask again, and need not send the file a second time.
            if rejection.kind == .slowDown || rejection.kind == .unavailable { return doorway.respond(made) }
        }
        finish(made, doorway)
    }

    /// Ends the upload, and then answers.
    private func finish(_ made: HTTPAnswer, _ doorway: Doorway) {
        var made = made
        if isLast != nil { made.headers.append("Upload-Complete", "?1") }
        answer = made
        doorway.ask("upload.end", ["upload": .string(upload?.id ?? "")], as: doorway.credential)
    }

    /// The connection broke: what has come is written down.
    func close(_ doorway: Doorway) {
        flow.close(doorway)
        if let upload { doorway.letGo(upload.file) }
    }

    // MARK: Refusals

    /// §4.4.2: the refusal says how much is there, so that a client need not ask.
    private static func mismatch(_ arrived: Int, _ head: HTTPRequestHead) -> HTTPAnswer {
        var answer = problem(
            409, "mismatching-upload-offset", "The upload goes on at another place.",
            [
                "expected-offset": .int(Int64(arrived)),
                "provided-offset": number(head.headers["Upload-Offset"]).map { .int(Int64($0)) } ?? .null,
            ])
        answer.headers.append("Upload-Offset", String(arrived))
        return answer
    }

    private static let inconsistent = problem(
        400, "inconsistent-upload-length", "The upload would not be as long as it was said to be.")

    private static func problem(
        _ status: Int, _ type: String, _ sentence: String, _ more: JSON.Object = [:]
    ) -> HTTPAnswer {
        var json: JSON.Object = [
            "type": .string("https://iana.org/assignments/http-problem-types#" + type),
            "title": .string(HTTPResponseHead.reason(of: status)), "status": .int(Int64(status)),
            "detail": .string(sentence),
        ]
        for member in more.members { json[member.name] = member.value }
        return HTTPAnswer(status, ["Content-Type": "application/problem+json"], body: JSON.object(json).bytes)
    }
}
