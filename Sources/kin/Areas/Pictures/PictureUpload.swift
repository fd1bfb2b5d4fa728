import KinClient
import KinCodec
import KinCrypto
import KinLoop
import KinModel
import KinWords

/// A picture's way to the daemon: by itself over HTTP, or within a message where there is no session, at the machine.
enum PictureUpload {
    /// Bytes of a picture.
    private static let bytesMax = 64 << 20
    /// Bytes of one that goes within a message.
    private static let bytesInMessageMax = 700 << 10
    /// Opening one takes a second, and a slow line an hour.
    private static let milliseconds = 3_600_000

    static func send(_ file: String, _ call: Invocation) throws(Problem) -> Identifier {
        let bytes: [UInt8]
        do throws(LoopFailure) { bytes = try Files.read(file, max: bytesMax) } catch {
            throw Problem(.refused, error.sentence)
        }
        let door = try call.door()
        guard case .token(let token) = door.credential else {
            guard bytes.count <= bytesInMessageMax else {
                throw Problem(.refused, phrase("pictures.sign-in", ["file": Plain.line(file)]))
            }
            return try sent(try call.call("picture.add", ["picture": .string(Base64.encode(bytes))]))
        }
        let answer = try client { () throws(ClientFailure) in
            try WebConversation(over: Wire.open(door.address, trust: door.trust)).ask(
                .post, "/api/pictures",
                headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/octet-stream"], body: bytes,
                timeoutMilliseconds: milliseconds)
        }
        let json = (try? JSON.parse(answer.body)) ?? .null
        guard (200..<300).contains(answer.head.status) else {
            throw Problem(.refused, json["detail"]?.string ?? phrase("pictures.not-sent", ["file": Plain.line(file)]))
        }
        return try sent(json)
    }

    private static func sent(_ json: JSON) throws(Problem) -> Identifier {
        guard let id = json["picture"]?["id"]?.identifier else { throw Problem(.refused, phrase("pictures.not-got")) }
        return id
    }
}
