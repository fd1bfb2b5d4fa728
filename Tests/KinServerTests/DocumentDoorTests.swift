import KinKeeper
import KinModel
import KinPictures
import KinStore
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Documents over HTTP: they come up as a file that is never copied, and go out under their names, for saving only.
@Suite struct DocumentDoorTests {
    private let box: Box
    private let document: [UInt8]

    init() throws {
        box = try Box.family()
        document = Array(String(repeating: "<html><script>alert(1)</script> ", count: 3000).utf8)
    }

    private func bearer(_ name: String) throws -> String { "Authorization: Bearer \(try box.person(name).token)" }

    private func post(
        _ bytes: [UInt8], _ query: String, as name: String = "hal", _ more: String...
    ) throws -> BoxResponse {
        let client = box.connect()
        let head = ["POST /api/documents\(query) HTTP/1.1", "Host: box.local", try bearer(name)]
        let lines = head + ["Content-Type: application/octet-stream", "Content-Length: \(bytes.count)"] + more
        client.post(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        client.post(bytes)
        try box.settle()
        return try #require(client.responses().last)
    }

    private func get(_ id: String, as name: String = "ben", _ more: String...) throws -> BoxResponse {
        try box.connect().ask("GET /api/pictures/\(id)/document", [try bearer(name)] + more)
    }

    @Test(arguments: [false, true])
    func `one leaves byte by byte under its name, and runs nowhere`(isResumable: Bool) throws {
        let query = "?name=..%2FGr%C3%BC%C3%9Fe%20%22x%22.html&audience=everyone"
        let answer =
            isResumable ? try post(document, query, as: "hal", "Upload-Complete: ?1") : try post(document, query)
        #expect(answer.status == 201 && answer.json?["keptAsItIs"] == true)
        let picture = try #require(answer.json?["picture"])
        #expect(picture["document"] == ["name": "Grüße \"x\".html", "bytes": .int(Int64(document.count))])
        #expect(try box.rows("uploads") == 0 && box.keeper.store.blobs.unfinished() == [])
        let id = try #require(picture["id"]?.string)
        let whole = try get(id)
        #expect(whole.status == 200 && whole.body == document)
        #expect(whole["Content-Type"] == "application/octet-stream")
        #expect(
            whole["Content-Disposition"]
                == "attachment; filename=\"Gr__e _x_.html\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.html")
        #expect(whole["X-Content-Type-Options"] == "nosniff" && whole["Accept-Ranges"] == "bytes")
        #expect(whole["Content-Security-Policy"] == "sandbox; default-src 'none'")
        let part = try get(id, as: "ben", "Range: bytes=1000-1999")
        #expect(part.status == 206 && part.body == Array(document[1000..<2000]))
        #expect(part["Content-Range"] == "bytes 1000-1999/\(document.count)" && part["ETag"] == whole["ETag"])
        #expect(try get(id, as: "ben", "Range: bytes=\(document.count)-").status == 416)
        #expect(try get(id, as: "ben", "If-None-Match: \(whole["ETag"] ?? "")").status == 304)
        // Once more is the same one, and leaves nothing behind.
        let blobs = try box.keeper.store.blobs.all()
        #expect(try post(document, query).json?["picture"]?["id"]?.string == id)
        #expect(try box.keeper.store.blobs.all() == blobs && box.keeper.store.blobs.unfinished() == [])
    }

    @Test func `one that is for nobody else is nobody else's, by its address too`() throws {
        let id = try #require(try post(document, "?name=a.pdf").json?["picture"]?["id"]?.string)
        #expect(try get(id, as: "hal").status == 200 && get(id, as: "hal")["Content-Type"] == "application/pdf")
        #expect(try get(id, as: "ben").status == 404)
        #expect(try box.connect().ask("GET /api/pictures/\(id)/document").status == 401)
    }

    /// Downloads are listed by their addresses, which whoever uses the browser next may open.
    @Test func `one is in no cache, goes out of sight at once, and is called as it is called now`() throws {
        let id = try #require(
            try post(document, "?name=Old.pdf&audience=everyone").json?["picture"]?["id"]?.string)
        let first = try get(id)
        let etag = try #require(first["ETag"])
        #expect(first["Cache-Control"] == "no-store")
        #expect(try get(id, as: "ben", "If-None-Match: \(etag)")["Cache-Control"] == "no-store")
        #expect(try get(id, as: "ben", "Range: bytes=0-9")["Cache-Control"] == "no-store")
        _ = try post(document, "?name=New.txt&audience=everyone")
        let renamed = try get(id)
        #expect(renamed["Content-Disposition"] == "attachment; filename=\"New.txt\"")
        #expect(renamed["Content-Type"] == "text/plain; charset=utf-8" && renamed["ETag"] == etag)
        let hal = try box.line("hal")
        defer { hal.leave() }
        _ = try hal.result("picture.update", ["picture": .string(id), "audience": []])
        // Whoever saw it learns nothing of it any more, by whatever they kept of it.
        for more in ["If-None-Match: \(etag)", "If-None-Match: *", "Range: bytes=0-9", "If-Match: \(etag)"] {
            let answer = try get(id, as: "ben", more)
            #expect(answer.status == 404 && answer["ETag"] == nil, "\(more)")
        }
        let head = try box.connect().ask("HEAD /api/pictures/\(id)/document", [try bearer("ben")])
        #expect(head.status == 404 && head["ETag"] == nil)
    }

    @Test func `one without a name, or of a type that a form may send, is refused and leaves nothing`() throws {
        let blobs = try box.keeper.store.blobs.all()
        #expect(try post(document, "").status >= 400)
        let client = box.connect()
        client.post(
            "POST /api/documents?name=a.txt HTTP/1.1\r\nHost: box.local\r\n\(try bearer("hal"))\r\n"
                + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx")
        try box.settle()
        #expect(try client.responses().last?.status == 415)
        #expect(try box.keeper.store.blobs.all() == blobs && box.keeper.store.blobs.unfinished() == [])
    }

    @Test func `one is in the archive under its day and its name, and its sheet is not`() throws {
        _ = try post(document, "?name=Plan%3F.pdf&audience=everyone")
        let archive = try box.connect().ask("GET /api/pictures-archive?format=zip", [try bearer("ben")])
        #expect(archive.status == 200 && archive.body.firstRange(of: document) != nil)
        #expect(archive.body.firstRange(of: Array(" Plan.pdf".utf8)) != nil)
        #expect(archive.body.firstRange(of: Array(".jpg".utf8)) == nil)
        let line = try box.line("ben")
        defer { line.leave() }
        let files = try line.result("picture.export", [:])["files"]?.array ?? []
        #expect(files.map { $0["part"] } == ["document"])
    }
}
