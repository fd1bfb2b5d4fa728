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
