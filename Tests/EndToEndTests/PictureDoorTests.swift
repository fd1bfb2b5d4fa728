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

    @Test func `kin says what is in a picture and who, and whoever is named undoes it`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        _ = try kin(stage, ["pictures", "add", file, "--for", "everyone", "--album", "Italy"])
        _ = try kin(stage, ["pictures"])
        let set = try kin(stage, ["pictures", "set", "1", "--caption", "Soup", "--album", "", "--who", "ada,bob"])
        #expect(set == ["What is said of the picture is changed."])
        let said = try #require(try house.snapshot("bob").pictures.values.first)
        #expect(said.caption == "Soup" && said.album == nil && said.people.count == 2)
        #expect(try kin(stage, ["pictures", "--who", "bob"], as: "bob").contains { $0.hasPrefix("1   ") })
        let left = try kin(stage, ["pictures", "not-me", "1"], as: "bob")
        #expect(left == ["You are not said to be in the picture any more."])
        #expect(try house.snapshot("ada").pictures.values.first?.people.count == 1)
        #expect(try kin(stage, ["pictures", "--who", "bob"]) == ["No picture that you see is like that."])
        // Who is in it is said as it is sent, too; each is told as soon as they see it.
        let gif =
            "GIF89a\\1\\0\\1\\0\\200\\0\\0\\7\\0\\0\\377\\377\\377,\\0\\0\\0\\0\\1\\0\\1\\0\\0\\2\\2D\\1\\0;"
        let other = stage.folder + "/other.gif"
        try stage.run("sh", "-c", "printf '\(gif)' >\(other)")
        _ = try kin(stage, ["pictures", "add", other, "--who", "ada,bob", "--for", "everyone"])
        let seen = try house.snapshot("bob")
        #expect(seen.pictures.values.contains { $0.people.count == 2 && $0.author != seen.me })
        #expect(seen.inbox.entries.contains { $0.lines.contains { $0["kind"] == "pictured" } })
    }

    @Test func `a picture leaves by its address with its type, validator and ranges, and only for who sees it`() throws
    {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        func curl(_ who: String, _ words: String...) throws -> [String] {
            let program = stage.start(
                ["curl", "-s", "-D", "-", "-H", "Authorization: Bearer \(try house.token(who))"] + words)
            program.closeInput()
            try stage.wait("curl") { program.status != nil }
            program.take()
            return program.lines.map { $0.replacing("\r", with: "") } + [program.unended]
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

    @Test func `an original is what was sent without where that was, by its address and by kin`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        let sent = try [UInt8](file: file)
        #expect(sent.firstRange(of: Array("GPS".utf8)) != nil)
        _ = try kin(stage, ["pictures", "add", file, "--for", "everyone", "--original"])
        let picture = try #require(try house.snapshot("bob").pictures.values.first)
        #expect(picture.original == .png)
        let address = "\(house.url)/api/pictures/\(picture.id)/original"
        let head = try ask(stage, house, "-o", "\(file).got", address).map { $0.lowercased() }
        #expect(
            head.contains("content-type: image/png")
                && head.contains { $0.hasPrefix("x-content-type-options: nosniff") })
        #expect(
            head.contains { $0.hasPrefix("content-security-policy: sandbox") } && head.contains("accept-ranges: bytes"))
        let got = try [UInt8](file: "\(file).got")
        #expect(got.starts(with: sent.prefix(33)) && got.firstRange(of: Array("GPS".utf8)) == nil)
        let part = try ask(stage, house, "-o", "/dev/null", "-r", "-5", address).map { $0.lowercased() }
        #expect(part.first?.contains("206") == true && part.contains("content-length: 5"), "\(part)")
        #expect(try ask(stage, house, "-o", "/dev/null", "-r", "\(got.count)-", address).first?.contains("416") == true)
        _ = try kin(stage, ["pictures"], as: "bob")
        _ = try kin(stage, ["pictures", "get", "1", file + ".kin", "--original"], as: "bob")
        #expect(try [UInt8](file: file + ".kin") == got)
        #expect(try stage.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", address).lines == ["401"])
    }

    @Test func `an archive by curl and by kin is the same, and tar opens it`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        _ = try kin(stage, ["pictures", "add", file, "--caption", "Grüße aus Köln"])
        let (one, other) = (stage.folder + "/kin.tar", stage.folder + "/curl.tar")
        #expect(try kin(stage, ["pictures", "export", one]).joined().contains("1 picture"))
        try stage.run(
            "curl", "-s", "-o", other, "-H", "Authorization: Bearer \(try house.token("ada"))",
            "\(house.url)/api/pictures-archive")
        #expect(try [UInt8](file: one) == [UInt8](file: other))
        let listed = try stage.run("env", "LC_ALL=C.UTF-8", "tar", "-tf", one).lines
        #expect(listed.count == 1 && listed[0].hasSuffix(" Grüße aus Köln.jpg"), "\(listed)")
        let (own, asked) = (stage.folder + "/kin.zip", stage.folder + "/curl.zip")
        #expect(try kin(stage, ["pictures", "export", own]).joined().contains("1 picture"))
        try stage.run(
            "curl", "-s", "-o", asked, "-H", "Authorization: Bearer \(try house.token("ada"))",
            "\(house.url)/api/pictures-archive?format=zip")
        #expect(try [UInt8](file: own) == [UInt8](file: asked))
        let zipped =
            try stage.run("python3", "-m", "zipfile", "-t", own).lines
            + stage.run("python3", "-m", "zipfile", "-l", own).lines
        #expect(zipped.contains("Done testing") && zipped.contains { $0.contains(" Grüße aus Köln.jpg") }, "\(zipped)")
    }

    @Test func `a film that is refused takes no picture along that was there before`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        _ = try kin(stage, ["pictures", "add", file, "--for", "everyone"])
        let before = try house.snapshot("ada").pictures.keys.sorted()
        #expect(before.count == 1)
        try Array("no film at all".utf8).write(file: stage.folder + "/walk.mp4")
        let program = stage.start(
            ["kin", "pictures", "add", file, "--film", stage.folder + "/walk.mp4", "--as", "ada"])
        program.closeInput()
        try stage.wait("kin to end") { program.status != nil }
        program.take()
        #expect(program.status != 0, "\(program.said)")
        let after = try house.snapshot("ada").pictures
        #expect(after.keys.sorted() == before && after.values.allSatisfy { $0.binned == nil })
    }

    @Test func `kin says who sees what comes into an album, or was sent before`() throws {
        let stage = try Stage()
        _ = try House(stage, family: [])
        let (one, other) = (stage.folder + "/one.txt", stage.folder + "/other.txt")
        for file in [one, other] { try stage.run("sh", "-c", "echo '\(file)' >'\(file)'") }
        let first = try kin(stage, ["pictures", "add", one, "--document", "--album", "Italy", "--for", "everyone"])
        #expect(first.joined().contains("for everyone"), "\(first)")
        let second = try kin(stage, ["pictures", "add", other, "--document", "--album", "Italy"])
        #expect(second == first)
        #expect(try kin(stage, ["pictures", "add", one, "--document"]) == first)
        let own = try kin(stage, ["pictures", "add", one, "--document", "--for", "me"])
        #expect(own != first)
    }

    @Test func `an archive by kin has documents as one by curl does`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let file = stage.folder + "/Contract.pdf"
        try stage.run("sh", "-c", "seq 1 80000 >'\(file)'")
        _ = try kin(stage, ["pictures", "add", file, "--document"])
        for format in ["tar", "zip"] {
            let (one, other) = (stage.folder + "/kin.\(format)", stage.folder + "/curl.\(format)")
            let said = try kin(stage, ["pictures", "export", one])
            #expect(said.count == 1 && said[0].contains("1 picture"), "\(said)")
            try stage.run(
                "curl", "-s", "-o", other, "-H", "Authorization: Bearer \(try house.token("ada"))",
                "\(house.url)/api/pictures-archive?format=\(format)")
            let bytes = try [UInt8](file: one)
            #expect(try bytes == [UInt8](file: other) && bytes.firstRange(of: Array(" Contract.pdf".utf8)) != nil)
        }
        #expect(try stage.run("ls", stage.folder).lines.allSatisfy { !$0.hasSuffix(".part") })
    }

    /// Asks by `curl` as Ada, and answers the lines of head and body.
    private func ask(_ stage: Stage, _ house: House, _ words: String...) throws -> [String] {
        let program = stage.start(
            ["curl", "-s", "-D", "-", "-H", "Authorization: Bearer \(try house.token("ada"))"] + words)
        program.closeInput()
        try stage.wait("curl") { program.status != nil }
        program.take()
        return program.lines.map { $0.replacing("\r", with: "") } + [program.unended]
    }

    @Test func `an upload that is cut off before its last byte goes on after the daemon was killed`() throws {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        let bytes = try [UInt8](file: file)
        try Array(bytes.dropLast()).write(file: file + ".part")
        try [bytes[bytes.count - 1]].write(file: file + ".rest")
        let begun = try ask(
            stage, house, "-H", "Content-Type: application/octet-stream", "-H", "Upload-Complete: ?0", "-H",
            "Upload-Length: \(bytes.count)", "--data-binary", "@\(file).part",
            "\(house.url)/api/pictures?audience=everyone&caption=Soup")
        let address = try #require(
            begun.first { $0.lowercased().hasPrefix("location: ") }?.dropFirst(10), "\(begun)")
        house.kill()
        try house.start()
        let head = try ask(stage, house, "-I", "\(house.url)\(address)").map { $0.lowercased() }
        #expect(head.contains("upload-offset: \(bytes.count - 1)"), "\(head)")
        #expect(try house.snapshot("ada").pictures.isEmpty)
        let ended = try ask(
            stage, house, "-X", "PATCH", "-H", "Content-Type: application/partial-upload", "-H", "Upload-Complete: ?1",
            "-H", "Upload-Offset: \(bytes.count - 1)", "--data-binary", "@\(file).rest", "\(house.url)\(address)")
        #expect(ended.first?.contains("201") == true, "\(ended)")
        // What went with the file was kept with it.
        let picture = try #require(try house.snapshot("ada").pictures.values.first)
        #expect(picture.caption == "Soup" && picture.width == 4 && picture.height == 2)
        // The file said where it was taken; what is kept does not.
        #expect(String(decoding: bytes, as: UTF8.self).contains("GPS"))
        try stage.run("grep", "-rq", "GPS", house.data + "/blobs", exits: 1)
    }

    @Test
    func `a bomb, a stump, a page, a drawing and a file without end are refused, and of what moves one frame is kept`()
        throws
    {
        let stage = try Stage()
        let house = try House(stage, family: [])
        let file = stage.folder + "/picture.jpg"
        func send(_ bytes: [UInt8]) throws -> String {
            try bytes.write(file: file)
            let answer = try ask(
                stage, house, "-H", "Content-Type: image/jpeg", "--data-binary", "@\(file)", "\(house.url)/api/pictures"
            )
            let status = answer.first?.split(separator: " ").dropFirst().first ?? ""
            let json = answer.lazy.compactMap { try? JSON.parse(Array($0.utf8)) }.first { $0.object != nil }
            return "\(status) \(json?["detail"]?.string ?? "")"
        }
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        let png = try [UInt8](file: file)
        var bomb = png
        // Sides of 50,000 pixels each, in a file of 200 bytes.
        bomb.replaceSubrange(16..<24, with: [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50])
        for (name, bytes, sentence) in [
            ("a bomb", bomb, "too many pixels"), ("a stump", Array(png.dropLast(30)), "damaged"),
            ("a page", Array("<!doctype html><script>1</script>".utf8), "Choose a picture"),
            ("a drawing", Array("<svg xmlns='http://www.w3.org/2000/svg' onload='1'/>".utf8), "Choose a picture"),
        ] {
            let answer = try send(bytes)
            #expect(answer.hasPrefix("422 ") && answer.contains(sentence), "\(name): \(answer)")
        }
        #expect(try house.snapshot("ada").pictures.isEmpty)
        // Two frames, a red and a blue one.
        let frame: [UInt8] = [0x21, 0xF9, 4, 0, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]
        let gif =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255] + frame + [2, 0x44, 1, 0] + frame
            + [2, 0x4C, 1, 0, 0x3B]
        #expect(try send(gif).hasPrefix("201"))
        #expect(try house.snapshot("ada").pictures.values.map(\.width) == [1])
        // More than a picture may have, of a file that does not say how long it is.
        let endless = try stage.run(
            "sh", "-c",
            """
            head -c \(65 << 20) /dev/zero | curl -s -o /dev/null -w '%{http_code}\\n' -X POST -T - \
            -H 'Authorization: Bearer \(try house.token("ada"))' -H 'Content-Type: image/png' \(house.url)/api/pictures
            """)
        #expect(endless.lines == ["413"])
    }

    @Test func `pictures live by kin alone`() throws {
        let stage = try Stage()
        _ = try House(stage, family: ["bob"])
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
        let other = stage.folder + "/other.gif"
        let gif =
            "GIF89a\\1\\0\\1\\0\\200\\0\\0\\7\\0\\0\\377\\377\\377,\\0\\0\\0\\0\\1\\0\\1\\0\\0\\2\\2D\\1\\0;"
        try stage.run("sh", "-c", "printf '\(gif)' >\(other)")
        _ = try kin(stage, ["pictures", "add", file, other])
        _ = try kin(stage, ["pictures"])
        let made = try kin(stage, ["pictures", "collage", "1", "2", "--for", "everyone"]).joined()
        #expect(made.contains("picture of its own"), "\(made)")
        #expect(try kin(stage, ["pictures"], as: "bob").contains { $0.contains("1920 × 720") })
        _ = try kin(stage, ["pictures"])
        _ = try kin(stage, ["pictures", "collage", "2", "3", "--layout", "column", "--for", "everyone"])
        #expect(try kin(stage, ["pictures"], as: "bob").contains { $0.contains("960 × 1920") })
        // The newest is the first of the list as it was shown last.
        #expect(try kin(stage, ["pictures", "like", "1"], as: "bob").joined().contains("❤️"))
        #expect(try kin(stage, ["pictures"]).contains { $0.contains("960 × 1920") && $0.contains("❤️ Bob") })
        _ = try kin(stage, ["pictures"], as: "bob")
        #expect(try kin(stage, ["pictures", "like", "1", "none"], as: "bob").joined().contains("taken back"))
    }

    @Test func `documents live by kin alone, and one that is there is not written over`() throws {
        let stage = try Stage()
        let house = try House(stage, family: ["bob"])
        let file = stage.folder + "/Grüße 2026.html"
        try stage.run("sh", "-c", "printf '<script>1</script> as it is' >'\(file)'")
        let words = ["pictures", "add", file, "--document", "--album", "Letters", "--for", "everyone"]
        #expect(try kin(stage, words).joined().contains("kept as it is"))
        #expect(try kin(stage, ["pictures"], as: "bob").contains { $0.contains("document Grüße 2026.html (27 bytes)") })
        let fetched = stage.folder + "/fetched"
        #expect(try kin(stage, ["pictures", "get", "1", fetched], as: "bob").joined().contains("as it was sent"))
        #expect(try [UInt8](file: fetched) == [UInt8](file: file))
        let again = stage.start(["kin", "pictures", "get", "1", fetched, "--as", "bob"])
        again.closeInput()
        try stage.wait("kin to end") { again.status != nil }
        #expect(again.status != 0)
        let folder = stage.folder + "/all"
        #expect(try kin(stage, ["pictures", "export", folder], as: "bob").joined().hasPrefix("1 picture written"))
        let kept = try stage.run("sh", "-c", "cmp '\(folder)'/*'Grüße 2026.html' '\(file)' && echo same")
        #expect(kept.lines == ["same"])
        #expect(try kin(stage, ["post", "Read", "--document", file]).joined().contains("kin feed"))
        #expect(try kin(stage, ["feed"], as: "bob").contains { $0.contains("document Grüße 2026.html") })
        let id = try #require(try house.snapshot("bob").pictures.keys.min())
        let head = try stage.run(
            "sh", "-c",
            """
            curl -s -D - -o /dev/null -H 'Authorization: Bearer \(try house.token("bob"))' \
            \(house.url)/api/pictures/\(id)/document
            """)
        #expect(head.lines.contains { $0.contains("filename*=UTF-8''Gr%C3%BC%C3%9Fe%202026.html") })
        #expect(head.lines.contains { $0.lowercased().hasPrefix("x-content-type-options: nosniff") })
    }
}
