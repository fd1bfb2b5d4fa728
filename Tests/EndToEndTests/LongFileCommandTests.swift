import KinModel
import Testing

/// Files of any length by a `kin` that is signed in: they go in pieces, and on from where they were cut off.
@Suite struct LongFileCommandTests {
    private let stage: Stage
    private let house: House
    private let still: String

    init() throws {
        stage = try Stage()
        house = try House(stage)
        try house.found()
        try house.join("bob")
        still = stage.folder + "/still.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(still)")
        try stage.run(
            "kin", "login", house.url, "--username", "ada", "--password-stdin", input: House.password + "\n")
    }

    /// Bytes that repeat nowhere, in a file.
    private func noise(_ name: String, _ count: Int) throws -> String {
        let path = stage.folder + "/" + name
        try stage.run("sh", "-c", "head -c \(count) /dev/urandom >\(path)")
        return path
    }

    /// A film as small as one can be (ISO/IEC 14496-12), whose data is a file's.
    private func film(_ name: String, of data: String, _ count: Int) throws -> String {
        func box(_ type: String, _ content: [UInt8], ahead: Int = 0) -> [UInt8] {
            let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (content.count + 8 + ahead) >> $0) }
            return length + Array(type.utf8) + content
        }
        let track = box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8)))
        let head = box("ftyp", Array("mp42".utf8)) + box("moov", box("trak", track)) + box("mdat", [], ahead: count)
        let path = stage.folder + "/" + name
        try head.write(file: path + ".head")
        try stage.run("sh", "-c", "cat \(path).head \(data) >\(path)")
        return path
    }

    /// Whether the end of a file is another file.
    private func ends(_ path: String, with data: String, _ count: Int) throws -> Bool {
        try stage.run("sh", "-c", "tail -c \(count) '\(path)' | cmp - \(data)", exits: nil).status == 0
    }

    @Test func `a film and a document of several pieces are sent, fetched and exported byte by byte`() throws {
        let count = 2_500_000
        let (data, paper) = (try noise("noise.bin", count), try noise("paper.bin", 3_000_000))
        let sent = try film("walk.mp4", of: data, count)
        let said = try stage.run(
            "kin", "pictures", "add", still, "--film", sent, "--caption", "Walk", "--for", "everyone"
        ).lines.joined()
        #expect(said.contains("The film is sent, for everyone"), "\(said)")
        let picture = try #require(try house.snapshot("bob").pictures.values.first)
        #expect(picture.film != nil && picture.caption == "Walk")
        #expect(try stage.run("kin", "pictures").lines.contains { $0.contains("film") && $0.contains("Walk") })
        let fetched = stage.folder + "/fetched.mp4"
        try stage.run("kin", "pictures", "get", "1", fetched, "--fetch-film")
        #expect(try ends(fetched, with: data, count))
        #expect(try [UInt8](file: fetched).count == [UInt8](file: sent).count)

        try stage.run("kin", "pictures", "add", paper, "--document", "--for", "everyone")
        try stage.run("kin", "pictures")
        let kept = stage.folder + "/kept.bin"
        try stage.run("kin", "pictures", "get", "1", kept)
        try stage.run("cmp", kept, paper)
        let folder = stage.folder + "/all"
        let exported = try stage.run("kin", "pictures", "export", folder).lines.joined(separator: "\n")
        #expect(exported.contains("2 pictures written") && !exported.contains("missing"), "\(exported)")
        let names = try stage.run("ls", folder).lines
        #expect(names.count == 3, "\(names)")
        let copy = try #require(names.first { $0.hasSuffix(".mp4") })
        #expect(try ends("\(folder)/\(copy)", with: data, count))
        try stage.run("sh", "-c", "cmp '\(folder)'/*paper.bin \(paper)")
    }

    @Test func `a daemon that is killed in the middle of a film is waited for, and the film goes on where it was`()
        throws
    {
        let count = 96 << 20
        let data = try noise("noise.bin", count)
        let sent = try film("walk.mp4", of: data, count)
        func kept() throws -> Int {
            let shown = try stage.run("du", "-sb", house.data, exits: nil).lines.first ?? ""
            return shown.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 0
        }
        let before = try kept()
        let kin = stage.start(["kin", "pictures", "add", still, "--film", sent, "--for", "everyone"])
        kin.closeInput()
        try stage.wait("some of it to be there") { try kept() > before + (6 << 20) || kin.status != nil }
        house.kill()
        #expect(kin.status == nil, "it was sent before the daemon was killed")
        try house.start()
        try stage.wait("the film to be sent") { kin.status != nil }
        kin.take()
        #expect(kin.status == 0, "\(kin.said)")
        let pictures = try house.snapshot("bob").pictures
        let picture = try #require(pictures.values.first)
        #expect(pictures.count == 1 && picture.film != nil)
        let fetched = stage.folder + "/fetched.mp4"
        try stage.run(
            "curl", "-sf", "-o", fetched, "-H", "Authorization: Bearer \(try house.token("bob"))",
            "\(house.url)/api/pictures/\(picture.id)/film")
        #expect(try ends(fetched, with: data, count))
    }

    @Test func `a film that comes into an album is shared as the album is, unless one says with whom`() throws {
        func send(_ name: String, _ options: String...) throws -> String {
            let sent = try film("\(name).mp4", of: try noise("\(name).bin", 1000), 1000)
            let words = ["pictures", "add", still, "--film", sent, "--caption", name] + options
            let program = stage.start(["kin"] + words)
            program.closeInput()
            try stage.wait("kin to end") { program.status != nil }
            program.take()
            #expect(program.status == 0, "\(options): \(program.said)")
            return program.lines.joined()
        }
        func sees(_ caption: String) throws -> Bool {
            try house.snapshot("bob").pictures.values.contains { $0.caption == caption && $0.film != nil }
        }
        let alone = try send("alone")
        #expect(try !sees("alone"))
        let shared = try send("first", "--album", "Italy", "--for", "everyone")
        #expect(try shared.contains("for everyone") && sees("first"))
        #expect(try send("second", "--album", "Italy") == shared && sees("second"))
        #expect(try send("third", "--album", "Italy", "--for", "me") == alone && !sees("third"))
        let named = try send("fourth", "--album", "Italy", "--for", "bob")
        #expect(try named != shared && named != alone && sees("fourth"))
        let albums = try stage.run("kin", "pictures", "albums").lines
        #expect(albums.contains { $0.contains("4  Italy") }, "\(albums)")
    }

    @Test func `what is no film is refused by the daemon, and leaves no still behind`() throws {
        let file = stage.folder + "/no.mp4"
        try Array("no film at all".utf8).write(file: file)
        let refused = try stage.run("kin", "pictures", "add", still, "--film", file, exits: nil)
        #expect(refused.status == 5 && !refused.said.contains("kin login"), "\(refused.said)")
        #expect(try house.snapshot("ada").pictures.isEmpty)
        try stage.wait("its bytes to be gone") {
            try stage.run("find", house.data + "/blobs", "-type", "f").lines.isEmpty
        }
    }
}
