import Glibc
import KinModel
import Testing

/// Pictures and the house's own check, through the real daemon.
@Suite struct UpkeepTests {
    /// Four by two red pixels with a comment that must not survive.
    static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAF3RFWHRDb21tZW50AEdQUyA0NS4yNyAxMy43MZYan4"
        + "IAAAAQSURBVHicYzghJwdHDMgcAG8KCCEGpdJ2AAAAAElFTkSuQmCC"
        + ""

    @Test func `a picture becomes square and loses what it tells beside itself`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let ada = try house.door(as: "ada")
        let me = try #require(try house.snapshot("ada").me)
        let shown = try ada.call("member.setPicture", ["member": .id(me), "picture": .string(Self.picture)])
        let name = try #require(shown["member"]?["picture"]?.string)
        let path = stage.folder + "/picture.jpg"
        let token = try house.token("ada")
        try stage.run(
            "curl", "-sf", "-o", path, "-H", "Authorization: Bearer \(token)",
            "\(house.url)/api/members/\(me)/picture/\(name)")
        let bytes = try [UInt8](file: path)
        #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]), "no JPEG")
        #expect(!bytes.contains(Array("GPS".utf8)))
        #expect(try house.snapshot("ada").members[me]?.picture == name)
    }

    @Test func `an upload goes on where it was after the daemon was killed`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        let me = try #require(try house.snapshot("ada").me)
        let (whole, first, rest) = ("\(stage.folder)/whole", "\(stage.folder)/first", "\(stage.folder)/rest")
        try stage.run(
            "sh", "-c",
            """
            printf %s '\(Self.picture)' | base64 -d >\(whole)
            head -c 60 \(whole) >\(first); tail -c +61 \(whole) >\(rest)
            """)
        let length = try [UInt8](file: whole).count
        let bearer = "Authorization: Bearer \(try house.token("ada"))"
        func curl(_ words: String...) throws -> String {
            let program = stage.start(["curl", "-s", "-D", "-", "-H", bearer] + words)
            program.closeInput()
            try stage.wait("curl") { program.status != nil }
            program.take()
            return program.lines.joined(separator: "\n")
        }
        let begun = try curl(
            "-X", "PUT", "-H", "Content-Type: image/png", "-H", "Upload-Complete: ?0", "-H", "Upload-Length: \(length)",
            "--data-binary", "@\(first)", "\(house.url)/api/members/\(me)/picture")
        let upload = try #require(begun.firstMatch(of: /\/api\/uploads\/[0-9a-f-]+/), "\(begun)").output
        house.kill()
        try house.start()
        #expect(try curl("-I", "\(house.url)\(upload)").contains("Upload-Offset: 60"))
        #expect(try house.door().call("family.check", [:])["problems"] == [])
        let answer = try curl(
            "-X", "PATCH", "-H", "Content-Type: application/partial-upload", "-H", "Upload-Offset: 60", "-H",
            "Upload-Complete: ?1", "--data-binary", "@\(rest)", "\(house.url)\(upload)")
        #expect(answer.contains("HTTP/1.1 200 OK") && answer.contains("Upload-Complete: ?1"), "\(answer)")
        #expect(try house.snapshot("ada").members[me]?.picture != nil)
    }

    @Test func `the check names what is wrong with the folder`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        #expect(try house.door().call("family.check", [:])["problems"] == [])
        chmod(house.data + "/kinwire.db", 0o644)
        let problems = try house.door().call("family.check", [:])["problems"]?.array ?? []
        #expect(problems.count == 1)
        #expect(problems.first?.string?.contains("kinwire.db") ?? false)
    }
}
