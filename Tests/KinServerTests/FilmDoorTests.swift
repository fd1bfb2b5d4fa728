import KinCrypto
import KinKeeper
import KinModel
import KinPictures
import KinStore
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Films over HTTP: they come up as a file that is never copied, and go out in any part of them.
@Suite struct FilmDoorTests {
    private let box: Box
    private let poster: String
    private let film: [UInt8]

    init() throws {
        box = try Box.family()
        let hal = try box.line("hal")
        defer { hal.leave() }
        let sent = try hal.result("picture.add", ["picture": PicturesLife.picture("still"), "audience": "everyone"])
        poster = try #require(sent["picture"]?["id"]?.string)
        film = try #require(Base64.decode(PicturesLife.film(String(repeating: "frames ", count: 9000)).string ?? ""))
    }

    private func bearer(_ name: String) throws -> String { "Authorization: Bearer \(try box.person(name).token)" }

    private func put(_ bytes: [UInt8], as name: String = "hal", _ more: String...) throws -> BoxResponse {
        let client = box.connect()
        let head = ["PUT /api/pictures/\(poster)/film HTTP/1.1", "Host: box.local", try bearer(name)]
        let lines = head + ["Content-Type: video/mp4", "Content-Length: \(bytes.count)"] + more
        client.post(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        client.post(bytes)
        try box.settle()
        return try #require(client.responses().last)
    }

    private func get(_ name: String, _ more: String...) throws -> BoxResponse {
        try box.connect().ask("GET /api/pictures/\(poster)/film", [try bearer(name)] + more)
    }

    @Test(arguments: [false, true])
    func `is seen by who sees the poster, whole and by parts`(isResumable: Bool) throws {
        let answer = isResumable ? try put(film, as: "hal", "Upload-Complete: ?1") : try put(film)
        #expect(answer.status == 200 && answer.json?["picture"]?["film"] == "video/mp4")
        #expect(try box.rows("uploads") == 0 && box.keeper.store.blobs.unfinished() == [])
        let whole = try get("ben")
        #expect(whole.status == 200 && whole.body == film && whole["Content-Type"] == "video/mp4")
        #expect(whole["Accept-Ranges"] == "bytes" && whole["X-Content-Type-Options"] == "nosniff")
        #expect(whole["Content-Security-Policy"]?.contains("sandbox") == true)
        let part = try get("ben", "Range: bytes=1000-1999")
        #expect(part.status == 206 && part.body == Array(film[1000..<2000]))
        #expect(part["Content-Range"] == "bytes 1000-1999/\(film.count)" && part["ETag"] == whole["ETag"])
        #expect(try get("ben", "Range: bytes=\(film.count)-").status == 416)
        #expect(try get("ben", "If-None-Match: \(whole["ETag"] ?? "")").status == 304)
        // Once more is one too many, and leaves nothing behind.
        let blobs = try box.keeper.store.blobs.all()
        #expect(try put(film).status == 409)
        #expect(try box.keeper.store.blobs.all() == blobs && box.keeper.store.blobs.unfinished() == [])
    }

    @Test(arguments: ["", "Upload-Complete: ?0", "Upload-Complete: ?1"])
    func `is refused before its first byte where there is one already, unless it is the same call`(how: String) throws {
        let call = "Idempotency-Key: the-film"
        #expect(try put(film, as: "hal", call).status == 200)
        let client = box.connect()
        let head = [
            "PUT /api/pictures/\(poster)/film HTTP/1.1", "Host: box.local", try bearer("hal"),
            "Content-Type: video/mp4", "Content-Length: 1000000",
        ]
        // Nothing of the film is sent.
        client.post((head + (how.isEmpty ? [] : [how])).map { $0 + "\r\n" }.joined() + "\r\n")
        try box.settle()
        let answer = try #require(client.responses().last)
        #expect(answer.status == 409)
        #expect(answer.json?["detail"]?.string?.contains("has a film already") == true)
        #expect(try box.rows("uploads") == 0 && box.keeper.store.blobs.unfinished() == [])
        // The answer was lost: the same call is not refused for what it did itself.
        #expect(try put(film, as: "hal", call).status == 200)
        #expect(try put(film, as: "hal", "Idempotency-Key: another").status == 409)
    }

    @Test func `that came while another was on its way is refused at the end`() throws {
        let client = box.connect()
        let head = [
            "PUT /api/pictures/\(poster)/film HTTP/1.1", "Host: box.local", try bearer("hal"),
            "Content-Type: video/mp4", "Content-Length: \(film.count)",
        ]
        client.post(head.map { $0 + "\r\n" }.joined() + "\r\n")
        client.post(Array(film.prefix(1000)))
        try box.settle()
        #expect(try put(film).status == 200)
        client.post(Array(film.dropFirst(1000)))
        try box.settle()
        #expect(try #require(client.responses().last).status == 409)
        #expect(try box.rows("uploads") == 0 && box.keeper.store.blobs.unfinished() == [])
    }

    @Test func `of another kind, or no film, is refused and leaves nothing`() throws {
        let blobs = try box.keeper.store.blobs.all()
        #expect(try put(Array("<html>".utf8)).status == 422)
        #expect(try put(Array(film.dropLast(1))).json?["detail"]?.string?.contains("incomplete") == true)
        #expect(try put(film, as: "ben").status == 403)
        #expect(try get("ben").status == 404)
        #expect(try box.keeper.store.blobs.all() == blobs && box.keeper.store.blobs.unfinished() == [])
    }

    @Test func `is in the archive beside its poster`() throws {
        _ = try put(film)
        let client = box.connect()
        let archive = try client.ask("GET /api/pictures-archive?format=zip", [try bearer("ben")])
        #expect(archive.status == 200 && archive.body.firstRange(of: film) != nil)
        #expect(archive.body.ranges(of: Array(".mp4".utf8)).count == 2, "in front of it, and in the list at the end")
        let line = try box.line("ben")
        defer { line.leave() }
        let files = try line.result("picture.export", [:])["files"]?.array ?? []
        #expect(files.map { $0["part"] } == [nil, "film"])
    }
}
