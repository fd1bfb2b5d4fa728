import KinCodec
import KinModel
import Testing

/// Pictures by their addresses and by `kin`, against the real daemon.
@Suite struct PictureDoorTests {
    private func kin(_ stage: Stage, _ words: [String], as who: String = "ada") throws -> [String] {
        let program = stage.start(["kin"] + words + ["--as", who])
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(words): \(program.said)")
        return program.lines
    }

    @Test func `a picture leaves by its address with its type, validator and ranges, and only for who sees it`() throws
    {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        func curl(_ who: String, _ words: String...) throws -> [String] {
            let program = stage.start(
                ["curl", "-s", "-D", "-", "-H", "Authorization: Bearer \(try house.token(who))"] + words)
            program.closeInput()
            try stage.wait("curl") { program.status != nil }
            program.take()
            return program.lines + [program.unended]
        }
        // What is no picture is refused with a sentence, whatever it is called.
        try Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8).write(file: stage.folder + "/picture.jpg")
        let refused = try curl(
            "ada", "-H", "Content-Type: image/jpeg", "--data-binary", "@\(stage.folder)/picture.jpg",
            "\(house.url)/api/pictures")
        #expect(refused.first?.contains("422") == true && refused.contains { $0.contains("HEIC") }, "\(refused)")
        let sent = try curl(
            "ada", "-H", "Content-Type: image/png", "--data-binary", "@\(file)", "\(house.url)/api/pictures")
        let picture = try #require(
            sent.lazy.compactMap { try? JSON.parse(Array($0.utf8)) }.first { $0["picture"] != nil }?["picture"]?["id"]?
                .string, "\(sent)")
        let address = "\(house.url)/api/pictures/\(picture)/small"
        let head = try curl("ada", "-o", "/dev/null", address).map { $0.lowercased() }
        #expect(head.first?.contains("200") == true && head.contains { $0.hasPrefix("content-type: image/jpeg") })
        #expect(head.contains { $0.hasPrefix("x-content-type-options: nosniff") }, "\(head)")
        #expect(head.contains { $0.hasPrefix("content-security-policy: sandbox") })
        #expect(head.contains { $0.hasPrefix("accept-ranges: bytes") })
        let etag = try #require(head.first { $0.hasPrefix("etag: ") }?.dropFirst(6))
        #expect(try curl("ada", "-H", "If-None-Match: \(etag)", address).first?.contains("304") == true)
        let part = try curl("ada", "-o", "/dev/null", "-r", "0-1", address)
        #expect(part.first?.contains("206") == true && part.contains { $0.lowercased() == "content-length: 2" })
        // Others know the address and get nothing; a stranger is asked to sign in.
        #expect(try curl("bob", "-o", "/dev/null", address).first?.contains("404") == true)
        #expect(try stage.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", address).lines == ["401"])
        _ = try house.door(as: "ada").call("picture.update", ["picture": .string(picture), "audience": "everyone"])
        #expect(try curl("bob", "-o", "/dev/null", address).first?.contains("200") == true)
        _ = try house.door(as: "ada").call("picture.remove", ["picture": .string(picture)])
        #expect(try curl("bob", "-o", "/dev/null", address).first?.contains("404") == true)
        _ = try house.door(as: "ada").call("picture.remove", ["picture": .string(picture), "atOnce": true])
        #expect(try curl("ada", "-o", "/dev/null", address).first?.contains("404") == true)
        #expect(try stage.run("ls", house.data + "/blobs").lines.isEmpty)
    }

    @Test func `pictures live by kin alone`() throws {
        let stage = try Stage()
        let house = try House(stage)
        try house.found()
        try house.join("bob")
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        #expect(try kin(stage, ["pictures"]).joined().contains("kin pictures add FILE"))
        let words = ["pictures", "add", file, "--caption", "Soup", "--album", "Summer", "--for", "everyone"]
        #expect(try kin(stage, words).joined().contains("1 picture sent"))
        #expect(try kin(stage, ["pictures"], as: "bob").contains { $0.hasPrefix("1   ") && $0.contains("Summer") })
        #expect(try kin(stage, ["pictures", "albums"], as: "bob").contains { $0.contains("1  Summer") })
        let fetched = stage.folder + "/fetched.jpg"
        _ = try kin(stage, ["pictures", "get", "1", fetched], as: "bob")
        #expect(try [UInt8](file: fetched).starts(with: [0xFF, 0xD8, 0xFF]))
        let folder = stage.folder + "/all"
        #expect(try kin(stage, ["pictures", "export", folder], as: "bob").joined().hasPrefix("1 picture written"))
        #expect(try kin(stage, ["pictures", "export", folder], as: "bob").joined().contains("1 were there"))
        _ = try kin(stage, ["pictures"])
        #expect(try kin(stage, ["pictures", "rm", "1", "--yes"]).joined().contains("bin"))
        #expect(try kin(stage, ["pictures", "bin"]).contains { $0.contains("Soup") })
        #expect(try kin(stage, ["pictures", "restore", "1"]).joined().contains("again"))
        _ = try kin(stage, ["pictures"])
        _ = try kin(stage, ["pictures", "rm", "1", "--at-once", "--yes"])
        #expect(try kin(stage, ["post", "Look", "--picture", file]).joined().contains("kin feed"))
        #expect(try kin(stage, ["feed"], as: "bob").contains { $0.contains("1 picture") })
    }
}
