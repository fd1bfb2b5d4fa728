import KinCodec
import Glibc
import KinModel
import Testing

/// What is removed lies in no file of the family's data any more: not in the database, not in its write-ahead log, not
/// among the blobs and not where uploads arrive.
@Suite struct ErasedBytesTests {
    let stage: Stage
    let house: House
    let token: String

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
        token = try house.token("ada")
    }

    /// Something that is looked for, and what it is of.
    private struct Needle: Hashable {
        let name: String
        let bytes: [UInt8]

        init(_ word: String) { (name, bytes) = (word, Array(word.utf8)) }

        /// Some bytes out of the middle of a file.
        init(_ name: String, in file: [UInt8]) {
            self.name = name
            bytes = Array(file[(file.count / 2)..<min(file.count, file.count / 2 + 40)])
        }
    }

    /// The names of those needles that lie in any file of the data folder.
    private func held(_ needles: [Needle]) throws -> Set<String> {
        let program = stage.start(
            ["python3", "-c", Self.search, house.data]
                + needles.map { needle in
                    needle.bytes.map { byte in
                        String(UInt32(byte) + 0x100, radix: 16).dropFirst()
                    }.joined()
                })
        program.closeInput()
        try stage.wait("the search to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(program.said)")
        return Set(program.lines.compactMap { Int($0) }.map { needles[$0].name })
    }

    private static let search = """
        import os, sys
        needles = [bytes.fromhex(one) for one in sys.argv[2:]]
        found = set()
        for folder, _, files in os.walk(sys.argv[1]):
            for file in files:
                path = os.path.join(folder, file)
                if not os.path.isfile(path):
                    continue
                try:
                    content = open(path, "rb").read()
                except FileNotFoundError:
                    continue
                found |= {at for at, needle in enumerate(needles) if needle in content}
        for at in sorted(found):
            print(at)
        """

    /// Noise as PNG, another for each seed.
    private func noise(_ seed: Int) throws -> String {
        let path = stage.folder + "/noise-\(seed).png"
        try stage.run(
            "python3", "-c",
            """
            import random, struct, sys, zlib
            random.seed(int(sys.argv[2]))
            def chunk(name, content):
                return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
            rows = b"".join(b"\\0" + random.randbytes(3 * 240) for _ in range(180))
            open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 240, 180, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            """, path, "\(seed)")
        return path
    }

    private func curl(_ words: String...) throws -> [UInt8] {
        let file = stage.folder + "/answer"
        let program = stage.start(
            ["curl", "-sf", "-o", file, "-H", "Authorization: Bearer \(token)"] + words)
        program.closeInput()
        try stage.wait("curl to end") { program.status != nil }
        #expect(program.status == 0, "\(words)")
        return try [UInt8](file: file)
    }

    /// Sends a file as Ada; the picture that it is.
    private func send(_ file: String, to path: String, as type: String, _ verb: String = "POST") throws -> JSON {
        let answer = try curl(
            "-X", verb, "-H", "Content-Type: \(type)", "--data-binary", "@\(file)", house.url + path)
        return try #require(try JSON.parse(answer)["picture"]?["id"])
    }

    /// Some bytes of each of a picture's files as they are kept.
    private func parts(of picture: JSON, _ name: String, also more: String...) throws -> [Needle] {
        try (Picture.Size.allCases.map(\.rawValue) + more).map { part in
            let file = try curl("\(house.url)/api/pictures/\(picture.string ?? "")/\(part)")
            return Needle("\(name), \(part)", in: file)
        }
    }

    @Test(arguments: [false, true])
    func `pictures, films, documents, messages and posts that are removed leave no bytes behind`(isKilled: Bool) throws
    {
        let ada = try house.door(as: "ada")
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        let shown = try send(
            noise(1), to: "/api/pictures?original=true&audience=everyone&caption=Frotzbozbar", as: "image/png")
        let (film, paper) = (stage.folder + "/film.mp4", stage.folder + "/paper")
        try Self.film(of: Array(String(repeating: "Rezrovcascade ", count: 9000).utf8)).write(file: film)
        try Array(String(repeating: "Quenchplover ", count: 9000).utf8).write(file: paper)
        _ = try send(film, to: "/api/pictures/\(shown.string ?? "")/film", as: "video/mp4", "PUT")
        let document = try send(
            paper, to: "/api/documents?name=Gnustogiraffe.txt&audience=everyone", as: "application/octet-stream")
        let (said, hung) = (
            try send(noise(2), to: "/api/pictures?for=message", as: "image/png"),
            try send(noise(3), to: "/api/pictures?for=post", as: "image/png")
        )
        let message = try ada.call(
            "message.send", ["room": .id(room), "text": "Xyzzyplugh @bob", "pictures": [["picture": said]]])
        let post = try ada.call(
            "post.add", ["text": "Yomindrake @bob", "pictures": [["picture": hung, "caption": "Zorkmidlake"]]])
        let (inRoom, inFeed) = (
            try #require(message["message"]?["id"]), try #require(post["post"]?["id"])
        )
        _ = try ada.call(
            "message.update", ["room": .id(room), "message": inRoom, "text": "Blorpleplugh @bob"])
        _ = try house.door(as: "bob").call("comment.add", ["post": inFeed, "text": "Plughgnusto"])

        let words = [
            "Frotzbozbar", "Rezrovcascade", "Quenchplover", "Gnustogiraffe", "Blorpleplugh", "Yomindrake",
            "Zorkmidlake", "Plughgnusto",
        ]
        let needles =
            try words.map { Needle($0) } + parts(of: shown, "shown", also: "original")
            + parts(of: said, "said") + parts(of: hung, "hung")
        #expect(try held(needles) == Set(needles.map(\.name)), "what is to be gone has to be there before")

        _ = try ada.call("message.remove", ["room": .id(room), "message": inRoom])
        _ = try ada.call("post.remove", ["post": inFeed])
        for picture in [shown, document] {
            _ = try ada.call("picture.remove", ["picture": picture, "atOnce": true])
        }
        if isKilled {
            // No time to clear up after itself.
            house.kill()
            try house.start()
        }
        // What was said before it was changed, and the words of the index, are looked for too.
        let all = needles + (["Xyzzyplugh"] + words.map { $0.lowercased() }).map { Needle($0) }
        // The write-ahead log is written back in the first quiet moment.
        var left: Set<String> = []
        let end = Stage.seconds + Stage.patienceSeconds
        repeat { left = try held(all) } while !left.isEmpty && Stage.seconds < end
        #expect(left == [])
        let daemon = house.daemon
        daemon.signal(SIGTERM)
        try stage.wait("the daemon to end") { daemon.status != nil }
        #expect(try held(all) == [])
        let blobs = try stage.run("find", house.data + "/blobs", "-type", "f").lines
        #expect(blobs == [])
    }

    /// A film as small as one can be (ISO/IEC 14496-12): a heading with one track of pictures, and data.
    private static func film(of data: [UInt8]) -> [UInt8] {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let count = content.count + 8
            let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
            return length + Array(type.utf8) + content
        }
        let track = box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8)))
        return box("ftyp", Array("mp42".utf8)) + box("moov", box("trak", track)) + box("mdat", data)
    }
}
