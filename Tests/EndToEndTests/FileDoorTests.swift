import KinCodec
import KinModel
import Testing

/// Everything that members send and others open by an address, with `curl` against the real daemon: what leaves is never
/// something that a browser would run, whatever it is called and whatever it is made of.
@Suite struct FileDoorTests {
    let stage: Stage
    let house: House
    let token: String

    init() throws {
        stage = try Stage()
        house = try House(stage, family: [])
        token = try house.token("ada")
    }

    /// The last answer of a run of `curl`.
    private struct Answer {
        let status: String
        /// By their names in lower case.
        let fields: [String: String]
        let body: [UInt8]

        var json: JSON? { try? JSON.parse(body) }
    }

    private func curl(_ words: String...) throws -> Answer {
        let (head, body) = (stage.folder + "/head", stage.folder + "/body")
        for file in [head, body] { try [UInt8]().write(file: file) }
        let program = stage.start(
            ["curl", "-s", "-D", head, "-o", body, "-H", "Authorization: Bearer \(token)"] + words)
        program.closeInput()
        try stage.wait("curl to end") { program.status != nil }
        program.take()
        #expect(program.status == 0, "\(words): \(program.said)")
        let lines = String(decoding: try [UInt8](file: head), as: UTF8.self).split(whereSeparator: \.isNewline)
        let first = try #require(lines.lastIndex { $0.hasPrefix("HTTP/") }, "\(words): \(lines)")
        var fields: [String: String] = [:]
        for line in lines[(first + 1)...] {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let status = lines[first].split(separator: " ").dropFirst().first.map { String($0) } ?? ""
        return Answer(status: status, fields: fields, body: try [UInt8](file: body))
    }

    /// Sends a file; what comes back of it.
    private func send(_ bytes: [UInt8], to path: String, as type: String, _ verb: String = "POST") throws -> Answer {
        let file = stage.folder + "/sent"
        try bytes.write(file: file)
        return try curl("-X", verb, "-H", "Content-Type: \(type)", "--data-binary", "@\(file)", house.url + path)
    }

    private func picture(_ answer: Answer) throws -> JSON {
        try #require(answer.json?["picture"], "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    }

    private var png: [UInt8] {
        get throws {
            let file = stage.folder + "/picture.png"
            try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
            return try [UInt8](file: file)
        }
    }

    /// The types that a browser shows in place without running anything in them.
    private static let shown = ["image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4"]
    /// Those it may only save.
    private static let saved = [
        "application/octet-stream", "application/pdf", "application/zip", "application/json", "application/geo+json",
        "application/gpx+xml", "application/x-tar", "text/plain; charset=utf-8", "text/csv; charset=utf-8",
        "text/calendar; charset=utf-8", "text/vcard; charset=utf-8", "image/heic",
    ]

    /// What every answer with a member's bytes has to say.
    private func judge(_ answer: Answer, _ what: String) {
        let type = answer.fields["content-type"] ?? "none"
        #expect(Self.shown.contains(type) || Self.saved.contains(type), "\(what): \(type)")
        let disposition = answer.fields["content-disposition"]
        #expect(
            Self.shown.contains(type) ? disposition == nil : disposition?.hasPrefix("attachment") == true,
            "\(what): \(disposition ?? "none")")
        #expect(answer.fields["x-content-type-options"] == "nosniff", "\(what)")
        #expect(answer.fields["content-security-policy"] == "sandbox; default-src 'none'", "\(what)")
        #expect(answer.fields["etag"]?.hasPrefix("\"") == true && answer.fields["accept-ranges"] == "bytes", "\(what)")
        // What is saved lies among a browser's downloads already.
        let kept = answer.fields["cache-control"]
        #expect(
            Self.shown.contains(type) ? kept?.hasPrefix("private") == true : kept == "no-store",
            "\(what): \(kept ?? "none")")
    }

    /// Asks for an address in each way that a browser has, and judges each answer.
    private func askEveryWay(_ path: String) throws -> Answer {
        let address = house.url + path
        let whole = try curl(address)
        #expect(whole.status == "200", "\(path)")
        judge(whole, path)
        let (bytes, etag) = (whole.body.count, try #require(whole.fields["etag"]))
        #expect(whole.fields["content-length"] == "\(bytes)")
        let head = try curl("-I", address)
        // `-I` writes the head where the body would be.
        #expect(head.status == "200" && head.fields["content-length"] == "\(bytes)")
        judge(head, "HEAD " + path)
        // As a browser that goes there by itself.
        let visit = try curl(
            "-H", "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "-H",
            "Sec-Fetch-Mode: navigate", "-H", "Sec-Fetch-Dest: document", address)
        #expect(visit.body == whole.body)
        judge(visit, "visit of " + path)
        for (range, part) in [
            ("0-0", whole.body.prefix(1)), ("1-", whole.body.dropFirst()), ("-2", whole.body.suffix(2)),
        ] {
            let answer = try curl("-r", range, address)
            #expect(answer.status == "206" && answer.body == Array(part), "\(range) of \(path)")
            #expect(answer.fields["content-range"] == "bytes \(part.startIndex)-\(part.endIndex - 1)/\(bytes)")
            #expect(answer.fields["content-length"] == "\(part.count)" && answer.fields["etag"] == etag)
            judge(answer, "\(range) of \(path)")
        }
        let beyond = try curl("-r", "\(bytes)-", address)
        #expect(beyond.status == "416" && beyond.fields["content-range"] == "bytes */\(bytes)", "\(path)")
        let held = try curl("-H", "If-None-Match: \(etag)", address)
        #expect(held.status == "304" && held.body.isEmpty && held.fields["etag"] == etag, "\(path)")
        #expect(try curl("-H", "If-Match: \"another\"", address).status == "412", "\(path)")
        // A part of what one has, or the whole of what one has not.
        #expect(try curl("-r", "0-0", "-H", "If-Range: \(etag)", address).status == "206", "\(path)")
        let other = try curl("-r", "0-0", "-H", "If-Range: \"another\"", address)
        #expect(other.status == "200" && other.body == whole.body, "\(path)")
        return whole
    }

    @Test func `pictures, originals, films and documents leave by parts, with types and validators`() throws {
        // What follows a picture's end would be a page to whom looks there for one.
        let page = Array("<!doctype html><script>alert(1)</script>".utf8)
        let sent = try send(try png + page, to: "/api/pictures?original=true", as: "image/png")
        #expect(sent.status == "201")
        let id = try #require(try picture(sent)["id"]?.string)
        for size in Picture.Size.allCases {
            let whole = try askEveryWay("/api/pictures/\(id)/\(size.rawValue)")
            #expect(whole.fields["content-type"] == "image/jpeg" && whole.body.starts(with: [0xFF, 0xD8, 0xFF]))
            #expect(whole.body.firstRange(of: page) == nil)
        }
        let original = try askEveryWay("/api/pictures/\(id)/original")
        #expect(original.fields["content-type"] == "image/png")
        #expect(original.body.firstRange(of: Array("<script".utf8)) == nil)

        let film = Self.film(of: page)
        let made = try send(film, to: "/api/pictures/\(id)/film", as: "video/mp4", "PUT")
        #expect(try picture(made)["film"] == "video/mp4", "\(made.status)")
        let shown = try askEveryWay("/api/pictures/\(id)/film")
        #expect(shown.fields["content-type"] == "video/mp4" && shown.body.count == film.count)

        let kept = try send(page, to: "/api/documents?name=Plan.pdf", as: "application/octet-stream")
        let document = try #require(try picture(kept)["id"]?.string)
        let saved = try askEveryWay("/api/pictures/\(document)/document")
        #expect(saved.body == page && saved.fields["content-type"] == "application/pdf")
        let sheet = try askEveryWay("/api/pictures/\(document)/small")
        #expect(sheet.fields["content-type"] == "image/jpeg")
    }

    /// A film as small as one can be (ISO/IEC 14496-12): a heading with one track of pictures, and data.
    private static func film(of data: [UInt8]) -> [UInt8] {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let count = content.count + 8
            return [0, 0, UInt8(count >> 8), UInt8(count & 255)] + Array(type.utf8) + content
        }
        let track = box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8)))
        return box("ftyp", Array("mp42".utf8)) + box("moov", box("trak", track)) + box("mdat", data)
    }

    @Test func `a document that a browser would run leaves for saving only, whatever it is called`() throws {
        let names = [
            "a.html", "a.HTM", "a.xhtml", "a.mht", "a.svg", "a.svgz", "a.xml", "a.xsl", "a.js", "a.css", "a.wasm",
            "a.swf", "a.hta", "a.pdf", "a.txt", "a.json", "a.csv", "a.ics", "a.vcf", "a.gpx", "a.zip", "a.tar", "a.jpg",
            "a.png", "a.mp4", "a.html.jpg", "a.html%00.jpg", "a.html%20", "html", ".html", "%22%3B%20a.html",
            "a.html%0D%0AContent-Type%3A%20text%2Fhtml", "%3Cscript%3E.html",
        ]
        for (number, name) in names.enumerated() {
            let content =
                number % 2 == 0
                ? "<!doctype html><script>alert(\(number))</script>"
                : "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(\(number))'/>"
            let sent = try send(
                Array(content.utf8), to: "/api/documents?name=\(name)", as: "application/octet-stream")
            // A name that no file may have is refused; there is nothing to open then.
            guard sent.status == "201" else {
                #expect(["400", "422"].contains(sent.status), "\(name): \(sent.status)")
                continue
            }
            let id = try #require(try picture(sent)["id"]?.string)
            let address = "\(house.url)/api/pictures/\(id)/document"
            let (whole, part, head) = (try curl(address), try curl("-r", "0-", address), try curl("-I", address))
            for (answer, how) in [(whole, "GET"), (part, "Range"), (head, "HEAD")] {
                judge(answer, "\(how) of \(name)")
                #expect(answer.fields["content-disposition"]?.hasPrefix("attachment") == true, "\(how) of \(name)")
            }
            #expect(whole.body == Array(content.utf8) && part.body == whole.body, "\(name)")
            guard number < 4 else { continue }
            // None of a picture's other addresses has it.
            for other in ["film", "original"] {
                #expect(try curl("\(house.url)/api/pictures/\(id)/\(other)").status == "404", "\(name)")
            }
            for size in Picture.Size.allCases {
                let sheet = try curl("\(house.url)/api/pictures/\(id)/\(size.rawValue)")
                #expect(sheet.body.starts(with: [0xFF, 0xD8, 0xFF]), "\(name)")
            }
        }
    }

    @Test func `HTML and SVG are no picture and no film, and are refused by what they say and by what they are`() throws
    {
        let id = try #require(try picture(send(png, to: "/api/pictures", as: "image/png"))["id"]?.string)
        let contents = [
            "<!doctype html><script>alert(1)</script>", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
            "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg>&a;</svg>",
            "GIF89a/*<svg onload=alert(1)>*/=1;alert(1)", "\u{FEFF}<html>", "%PDF-1.7 <script>",
            "ftypmp42<script>",
        ]
        for content in contents {
            let bytes = Array(content.utf8)
            for type in ["image/jpeg", "image/gif", "image/heic", "application/octet-stream"] {
                let lied = try send(bytes, to: "/api/pictures?original=true", as: type)
                #expect(lied.status == "422", "\(content) as \(type)")
            }
            let film = try send(bytes, to: "/api/pictures/\(id)/film", as: "video/mp4", "PUT")
            #expect(film.status == "422", "\(content)")
        }
        let page = Array(contents[0].utf8)
        for type in ["text/html", "image/svg+xml", "application/xhtml+xml", "text/plain"] {
            #expect(try send(page, to: "/api/pictures", as: type).status == "415", "\(type)")
            #expect(try send(page, to: "/api/documents?name=a", as: type).status == "415", "\(type)")
            #expect(try send(page, to: "/api/pictures/\(id)/film", as: type, "PUT").status == "415", "\(type)")
        }
        #expect(try house.snapshot("ada").pictures.count == 1)
        // What a refusal says stands in no page either.
        let missing = try curl("\(house.url)/api/pictures/%3Cscript%3Ealert(1)%3C%2Fscript%3E/small")
        #expect(missing.status.hasPrefix("4") && missing.fields["x-content-type-options"] == "nosniff")
        #expect(missing.fields["content-type"]?.contains("html") != true, "\(missing.fields)")
    }
}
