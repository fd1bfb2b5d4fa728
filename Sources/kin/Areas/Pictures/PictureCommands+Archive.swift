import KinCodec
import KinLoop
import KinModel
import KinWords

/// Writes films and documents into an archive.
extension PictureCommands {
    /// A film or a document, by its identifier.
    struct Part {
        let id: Identifier
        let isDocument: Bool
        let name: String
        let at: Instant
        let ahead: Int64
    }

    /// Bytes that are in memory at once.
    private static let heldBytes = 1 << 20

    /// Puts one into an archive unchanged. It is first fetched into a file beside the archive, because its length
    /// stands before it, and in a ZIP its checksum too. Answers `false` if it cannot be had without a session.
    static func put(
        _ part: Part, into archive: inout Archive, _ file: NewFile, at path: String, _ call: Invocation
    ) throws(Problem) -> Bool {
        let aside = path + ".part"
        if part.isDocument {
            let picture = try call.call("picture.show", ["picture": .id(part.id)])["picture"].flatMap(Picture.init)
            guard let document = picture?.document, try PictureUpload.isInReach(document, call) else { return false }
            try PictureUpload.fetchDocument(part.id, into: aside, call)
        } else {
            guard try PictureUpload.hasSession(call) else { return false }
            try PictureUpload.fetchFilm(part.id, into: aside, call)
        }
        // The file was made by this run: if there was a file with that name, nothing was fetched.
        defer { try? Files.remove(aside) }
        let count = Files.size(of: aside) ?? 0
        var checksum: UInt32 = 0
        if archive.wantsChecksum {
            try read(aside, count) { (bytes) throws(Problem) in checksum = Zip.checksum(bytes, after: checksum) }
        }
        try file.write(
            archive.header(
                part.name, bytes: count, checksum: checksum, seconds: part.at.milliseconds / 1000, ahead: part.ahead))
        try read(aside, count) { (bytes) throws(Problem) in try file.write(bytes) }
        try file.write(archive.filling(count))
        return true
    }

    /// Reports what an export leaves out.
    static func sayApart(films: Int, documents: Int, _ call: Invocation) {
        if films > 0 { call.output.say(phrase("pictures.films-apart", ["n": films])) }
        if documents > 0 { call.output.say(phrase("pictures.documents-apart", ["n": documents])) }
    }

    private static func read(
        _ path: String, _ count: Int, _ body: ([UInt8]) throws(Problem) -> Void
    ) throws(Problem) {
        var offset = 0
        while offset < count {
            let bytes: [UInt8]
            do throws(LoopFailure) {
                bytes = try Files.read(path, from: offset, count: min(heldBytes, count - offset))
            } catch { throw .unreadable(path, error) }
            guard !bytes.isEmpty else { throw Problem(.refused, phrase("pictures.not-got")) }
            try body(bytes)
            offset += bytes.count
        }
    }
}
