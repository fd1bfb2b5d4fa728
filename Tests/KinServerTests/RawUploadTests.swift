import KinCodec
import KinKeeper
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinKeeper
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Files that come up by themselves, whole or by and by: draft-ietf-httpbis-resumable-upload-10.
@Suite struct RawUploadTests {
    private let box: Box
    private let bearer: String
    private let target: String
    private static let picture = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private var bytes: [UInt8] { Self.picture }

    init() throws {
        var limits = Box.Setting().limits
        limits.uploadHeldBytesMax = 256 << 10
        box = try Box.family(Box.Setting(limits: limits))
        box.pictureWork = .picture([7], face: [8])
        let hal = try box.person("hal")
        bearer = "Authorization: Bearer \(hal.token)"
        target = "/api/members/\(hal.id)/picture"
    }

    private var date: String { Instant(milliseconds: box.time.wallMilliseconds()).httpDate }

    /// Sends a head, and as much of the content as is given.
    private func post(
        _ line: String, _ headers: [String], _ content: [UInt8] = [], _ client: BoxClient? = nil
    ) throws -> BoxClient {
        let client = client ?? box.connect()
        let lines = (["Host: box.local", bearer] + headers).map { $0 + "\r\n" }.joined()
        client.post("\(line) HTTP/1.1\r\n\(lines)\r\n")
        for start in stride(from: 0, to: content.count, by: 100_000) {
            client.post(Array(content[start..<min(start + 100_000, content.count)]))
            try box.settle()
        }
        try box.settle()
        return client
    }

    private func picture(_ more: String..., length: Int? = nil) -> [String] {
        ["Content-Type: image/jpeg", "Content-Length: \(length ?? bytes.count)"] + more
    }

    /// Begins an upload and breaks it off after so many bytes; answers its address.
    private func cutOff(after count: Int) throws -> String {
        let client = try post("PUT \(target)", picture("Upload-Complete: ?1"), Array(bytes[..<count]))
        let said = client.text()
        client.leave(isRude: true)
        try box.settle()
        let line = try #require(said.split(separator: "\r\n").first { $0.hasPrefix("Location: ") })
        return String(line.dropFirst("Location: ".count))
    }

    private func offset(_ upload: String) throws -> String? {
        try box.connect().ask("HEAD \(upload)", [bearer])["Upload-Offset"]
    }

    private func append(_ upload: String, from offset: Int, _ more: String...) throws -> BoxResponse {
        let headers = [
            "Content-Type: application/partial-upload", "Upload-Offset: \(offset)",
            "Content-Length: \(bytes.count - offset)",
        ]
        let client = try post(
            "PATCH \(upload)", headers + (more.isEmpty ? ["Upload-Complete: ?1"] : more), Array(bytes[offset...]))
        return try #require(client.responses().first)
    }

    private func expectNothingLeft(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try box.rows("uploads") == 0, sourceLocation: location)
        #expect(try box.keeper.store.blobs.unfinished() == [], sourceLocation: location)
        #expect(box.server.hall.bodyRoom.bytes == 0, sourceLocation: location)
        #expect(box.server.hall.bodyRoom.uploads.isEmpty, sourceLocation: location)
        #expect(box.server.requestsInFlight == 0, sourceLocation: location)
    }

    @Test func `a client that knows nothing of resumption sends its picture and is answered`() throws {
        let client = try post("PUT \(target)", picture(), bytes)
        let answer = try #require(client.responses().first)
        #expect(answer.status == 200 && answer["Upload-Complete"] == nil)
        #expect(answer.json?["member"]?["picture"]?.string != nil)
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
        #expect(try client.ask("GET /healthz").status == 200)
    }

    @Test func `chunks have no length and are taken too`() throws {
        let client = box.connect()
        client.post(
            "PUT \(target) HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nContent-Type: image/png\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
        for start in stride(from: 0, to: bytes.count, by: 50_000) {
            client.post(Array("c350\r\n".utf8) + bytes[start..<(start + 50_000)] + Array("\r\n".utf8))
            try box.settle()
        }
        try client.send("0\r\n\r\n")
        #expect(try client.responses().map(\.status) == [200])
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    @Test func `whoever speaks of resumption is told where, before anything else`() throws {
        let client = try post("PUT \(target)", picture("Upload-Complete: ?1"), Array(bytes[..<1000]))
        let said = client.text()
        let upload = try #require(said.firstMatch(of: /\/api\/uploads\/[0-9a-f-]+/)).output
        #expect(
            said == "HTTP/1.1 104 Upload Resumption Supported\r\nLocation: \(upload)\r\n"
                + "Upload-Limit: max-size=600000, max-age=86400\r\n\r\n")
        try client.send(Array(bytes[1000...]))
        let answer = try #require(client.responses().first)
        #expect(answer.status == 200 && answer["Upload-Complete"] == "?1")
        #expect(box.pictureArrived == bytes)
        // What is over is nobody's any more.
        #expect(try box.connect().ask("HEAD \(upload)", [bearer]).status == 404)
        try expectNothingLeft()
    }

    @Test(arguments: [("8", "Upload-Draft-Interop-Version: 8\r\n"), ("eight", "")])
    func `whoever names a version of the draft is told the same one`(version: String, line: String) throws {
        let client = try post(
            "PUT \(target)", picture("Upload-Complete: ?1", "Upload-Draft-Interop-Version: \(version)"),
            Array(bytes[..<1000]))
        let said = client.text()
        #expect(said.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\r\nLocation: /api/uploads/"))
        #expect(said.hasSuffix("\r\nUpload-Limit: max-size=600000, max-age=86400\r\n\(line)\r\n"))
    }

    @Test(arguments: [0, 1, 100_000, 131_072, 599_999])
    func `an upload that was cut off goes on where it ended`(count: Int) throws {
        let upload = try cutOff(after: count)
        let client = try post("HEAD \(upload)", [])
        #expect(
            client.text() == "HTTP/1.1 204 No Content\r\nUpload-Offset: \(count)\r\nUpload-Complete: ?0\r\n"
                + "Upload-Limit: max-size=600000, max-age=86400\r\nCache-Control: no-store\r\n"
                + "Upload-Length: 600000\r\nDate: \(date)\r\nX-Content-Type-Options: nosniff\r\n"
                + "Referrer-Policy: same-origin\r\nContent-Security-Policy: \(HTTPAnswer.contentSecurityPolicy)\r\n\r\n"
        )
        let answer = try append(upload, from: count)
        #expect(answer.status == 200 && answer["Upload-Complete"] == "?1", "\(answer.text)")
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    @Test func `an upload in parts is taken part by part`() throws {
        let client = try post(
            "PUT \(target)", picture("Upload-Complete: ?0", "Upload-Length: 600000", length: 200_000),
            Array(bytes[..<200_000]))
        let first = try #require(client.responses().first)
        #expect(first.status == 201 && first["Upload-Complete"] == "?0" && first["Upload-Offset"] == "200000")
        let upload = try #require(first["Location"])
        let second = try post(
            "PATCH \(upload)",
            [
                "Content-Type: application/partial-upload", "Upload-Offset: 200000", "Upload-Complete: ?0",
                "Content-Length: 100000",
            ], Array(bytes[200_000..<300_000]), client)
        #expect(try second.responses().map { [String($0.status), $0["Upload-Offset"]] } == [["204", "300000"]])
        #expect(try append(upload, from: 300_000).status == 200)
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    /// A power cut takes what was not synced; what a daemon knows again it has by its extent, and never more than was sent.
    @Test func `what a daemon was told is kept by the next one, also of an upload that nobody asked about`() throws {
        let part = try post(
            "PUT \(target)", picture("Upload-Complete: ?0", length: 200_000), Array(bytes[..<200_000]))
        let upload = try #require(part.responses().first?["Location"])
        let other = try cutOff(after: 300_000)
        let names = try box.keeper.store.blobs.unfinished()
        try box.keeper.store.blobs.removeOrphans(keeping: Set(names))
        #expect(try offset(upload) == "200000")
        #expect(try offset(other) == "300000")
    }

    @Test func `an upload that may be gone on with is synced as it grows, and another is not`() throws {
        var limits = Box.Setting().limits
        limits.uploadHeldBytesMax = 256 << 10
        limits.uploadUnsyncedBytesMax = 150_000
        for (field, kept) in [("Upload-Complete: ?1", 393_216...450_000), ("X-None: 1", 0...0)] {
            let box = try Box.family(Box.Setting(limits: limits))
            let hal = try box.person("hal")
            let client = box.connect()
            client.post(
                "PUT /api/members/\(hal.id)/picture HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer \(hal.token)\r\n"
                    + "Content-Type: image/jpeg\r\nContent-Length: 600000\r\n\(field)\r\n\r\n")
            for start in stride(from: 0, to: 450_000, by: 50_000) {
                client.post(Array(bytes[start..<start + 50_000]))
                try box.settle()
            }
            let blobs = box.keeper.store.blobs
            let names = try blobs.unfinished()
            // What the next daemon does when it starts.
            try blobs.removeOrphans(keeping: Set(names))
            let name = try #require(names.first)
            let arrived = try #require(try blobs.arrived(name))
            #expect(kept.contains(arrived), "\(field)")
        }
    }

    @Test func `a disk that is full in the middle is said to be, and the upload goes on once there is room`() throws {
        let client = try post("PUT \(target)", picture("Upload-Complete: ?1"), Array(bytes[..<300_000]))
        let line = try #require(client.text().split(separator: "\r\n").first { $0.hasPrefix("Location: ") })
        let upload = String(line.dropFirst("Location: ".count))
        box.fillDiskAtNextWrite()
        client.post(Array(bytes[300_000...]))
        try box.settle()
        let told = try #require(try client.responses().last)
        #expect(told.status == 503 && told["Retry-After"] != nil && told.text.contains("full"))
        client.leave()
        try box.settle()
        let arrived = try #require(try offset(upload).flatMap { Int($0) })
        #expect((1...300_000).contains(arrived))
        #expect(try append(upload, from: arrived).status == 200)
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    @Test func `more at the wrong place is told the right one`() throws {
        let upload = try cutOff(after: 1000)
        for wrong in [0, 999, 1001, 600_000] {
            let answer = try append(upload, from: wrong)
            #expect(answer.status == 409 && answer["Upload-Offset"] == "1000")
            #expect(
                answer.text
                    == "{\"type\":\"https://iana.org/assignments/http-problem-types#mismatching-upload-offset\","
                    + "\"title\":\"Conflict\",\"status\":409,\"detail\":\"The upload goes on at another place.\","
                    + "\"expected-offset\":1000,\"provided-offset\":\(wrong)}")
        }
        #expect(try offset(upload) == "1000")
        #expect(box.pictureArrived == nil)
    }

    @Test func `longer or shorter than it was said to be is refused`() throws {
        // Two words about one length.
        let said = try post("PUT \(target)", picture("Upload-Complete: ?1", "Upload-Length: 7"), bytes)
        #expect(try said.responses().map(\.status) == [400])
        #expect(said.isOver)
        try expectNothingLeft()
        // A part that would go beyond, by its own length and in chunks.
        let upload = try cutOff(after: 599_000)
        let beyond = [
            "Content-Type: application/partial-upload", "Upload-Offset: 599000", "Upload-Complete: ?1",
        ]
        let long = try post("PATCH \(upload)", beyond + ["Content-Length: 1001"], Array(repeating: 1, count: 1001))
        #expect(try long.responses().first?.text.contains("#inconsistent-upload-length") ?? false)
        let chunked = try post("PATCH \(upload)", beyond + ["Transfer-Encoding: chunked"])
        try chunked.send("3e9\r\n" + String(repeating: "x", count: 1001) + "\r\n0\r\n\r\n")
        #expect(try chunked.responses().map(\.status) == [400])
        #expect(chunked.isOver)
        let short = try post("PATCH \(upload)", beyond + ["Content-Length: 10"], Array(repeating: 1, count: 10))
        #expect(try short.responses().map(\.status) == [400])
        #expect(box.pictureArrived == nil)
        // Longer than any picture may be.
        let huge = try post("PUT \(target)", picture("Upload-Complete: ?1", length: 16 << 20 + 4))
        #expect(try huge.responses().map(\.status) == [413])
    }

    @Test func `of two at once on one upload the later one goes on`() throws {
        let first = try post("PUT \(target)", picture("Upload-Complete: ?1"), Array(bytes[..<250_000]))
        let upload = try #require(first.text().firstMatch(of: /\/api\/uploads\/[0-9a-f-]+/)).output
        // It looks dead to the client, and is not.
        #expect(try offset(String(upload)) == "250000")
        #expect(try first.responses().map(\.status) == [409])
        #expect(first.isOver)
        first.post(Array(bytes[250_000..<260_000]))
        try box.settle()
        #expect(try append(String(upload), from: 250_000).status == 200)
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    @Test func `an upload is its member's alone`() throws {
        let upload = try cutOff(after: 1000)
        let ben = "Authorization: Bearer \(try box.person("ben").token)"
        for verb in ["HEAD", "DELETE"] {
            #expect(try box.connect().ask("\(verb) \(upload)", [ben]).status == 404)
            #expect(try box.connect().ask("\(verb) \(upload)").status == 401)
        }
        let more = ["Content-Type: application/partial-upload", "Upload-Offset: 1000", "Upload-Complete: ?1"]
        #expect(try box.connect().ask("PATCH \(upload)", [ben] + more, "x").status == 404)
        #expect(try offset(upload) == "1000")
        #expect(try box.connect().ask("DELETE \(upload)", [bearer]).status == 204)
        #expect(try box.connect().ask("HEAD \(upload)", [bearer]).status == 404)
        try expectNothingLeft()
    }

    @Test func `what has arrived is read by nobody before it is judged, not even by who sent it`() throws {
        let before = try box.keeper.store.blobs.all()
        let upload = try cutOff(after: 250_000)
        let got = try box.connect().ask("GET \(upload)", [bearer])
        #expect(got.status == 405 && got["Allow"]?.contains("PATCH") == true && got.body.count < 1000)
        // Where the picture is once it is taken, there is none yet; and no name of the content leads to the file.
        #expect(try box.connect().ask("GET \(target)", [bearer]).status != 200)
        let after = try box.keeper.store.blobs.all()
        #expect(after == before && box.pictureArrived == nil)
        #expect(try box.connect().ask("DELETE \(upload)", [bearer]).status == 204)
        try expectNothingLeft()
    }

    @Test(arguments: [1000, 300_000]) func `nothing comes back of an upload that was cancelled meanwhile`(count: Int)
        throws
    {
        let client = try post("PUT \(target)", picture("Upload-Complete: ?1"), Array(bytes[..<count]))
        let upload = try #require(client.text().firstMatch(of: /\/api\/uploads\/[0-9a-f-]+/)).output
        #expect(try box.connect().ask("DELETE \(upload)", [bearer]).status == 204)
        client.post(Array(bytes[count...]))
        try box.settle()
        #expect(try client.responses().map(\.status) == [409])
        #expect(client.isOver && box.pictureArrived == nil)
        try expectNothingLeft()
    }

    @Test func `a stranger writes nothing to the disk`() throws {
        let client = box.connect()
        client.post(
            "PUT \(target) HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer nobody\r\nContent-Type: image/jpeg\r\n"
                + "Content-Length: 600000\r\nUpload-Complete: ?1\r\n\r\n")
        try client.send(bytes)
        #expect(try client.responses().map(\.status) == [401])
        #expect(client.isOver)
        try expectNothingLeft()
    }

    @Test(arguments: [
        "caption=" + String(repeating: "a", count: Limits.captionCharactersMax + 1), "for=nothing", "colour=red",
        "original=perhaps", "picture=here", "album=%00",
    ])
    func `what is said wrong of a file is refused before the file is sent`(said: String) throws {
        let client = try post("POST /api/pictures?\(said)", picture("Expect: 100-continue", "Upload-Complete: ?1"))
        let answers = try client.responses()
        #expect(answers.count == 1 && answers.allSatisfy { (400..<500).contains($0.status) })
        try expectNothingLeft()
        let fine = try post("POST /api/pictures?caption=Kite", picture("Expect: 100-continue", "Upload-Complete: ?1"))
        #expect(fine.text().contains("Location: /api/uploads/"))
    }

    @Test(arguments: [
        ("contacts", "text/vcard; charset=utf-8", ["BEGIN:VCARD", "VERSION:4.0", "FN:Dr. Sun", "END:VCARD"]),
        (
            "calendars", "text/calendar",
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//", "BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T100000Z",
                "DTSTART:20261201T100000Z", "SUMMARY:Dr. Sun", "END:VEVENT", "END:VCALENDAR",
            ]
        ),
    ])
    func `contacts and calendars come as the files that they are`(what: String, type: String, lines: [String]) throws {
        let ada = "Authorization: Bearer \(try box.person("ada").token)"
        let text = lines.joined(separator: "\r\n") + "\r\n"
        // A picture is neither.
        let refused = try box.connect().ask("POST /api/\(what)/import", [ada, "Content-Type: image/jpeg"], text)
        #expect(refused.status == 415 && refused["Accept"]?.contains("text/") == true)
        let taken = try box.connect().ask("POST /api/\(what)/import", [ada, "Content-Type: \(type)"], text)
        #expect(taken.status == 200 && taken.json?["taken"] == 1, "\(taken.text)")
    }

    @Test func `HTML, XML and SVG are no pictures, by what they say they are and by what they are`() throws {
        box.pictureWork = nil
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"
        for (type, content) in [
            ("image/svg+xml", svg), ("text/html", "<!doctype html><script>1</script>"), ("application/xml", "<a/>"),
        ] {
            let said = try box.connect().ask("PUT \(target)", [bearer, "Content-Type: \(type)"], content)
            #expect(said.status == 415, "\(type)")
            #expect(
                said["Accept"]
                    == "application/json, image/jpeg, image/png, image/webp, image/gif, image/heic, image/heif, application/octet-stream"
            )
            let lied = try box.connect().ask("PUT \(target)", [bearer, "Content-Type: image/png"], content)
            #expect(lied.status == 422, "\(lied.text)")
            let resumable = try box.connect().ask(
                "PUT \(target)", [bearer, "Content-Type: image/png", "Upload-Complete: ?1"], content)
            #expect(resumable.status == 422 && resumable["Upload-Complete"] == "?1")
        }
        let empty = try box.connect().ask("PUT \(target)", [bearer, "Content-Type: image/png", "Content-Length: 0"])
        #expect(empty.status == 422)
        try expectNothingLeft()
    }

    @Test func `unfinished uploads are few, and end after a day`() throws {
        var uploads: [String] = []
        for _ in 0..<Limits.uploadsPerMemberMax { uploads.append(try cutOff(after: 10)) }
        let more = try post("PUT \(target)", picture("Upload-Complete: ?1"), bytes)
        #expect(try more.responses().map(\.status) == [429])
        #expect(try box.keeper.store.blobs.unfinished().count == uploads.count)
        #expect(try offset(uploads[0]) == "10")
        box.time.advance(milliseconds: Limits.uploadSeconds * 1000)
        try box.settle()
        try box.line("ada").leave()
        try box.settle()
        #expect(try box.connect().ask("HEAD \(uploads[0])", [bearer]).status == 404)
        try expectNothingLeft()
        #expect(try append(try cutOff(after: 100), from: 100).status == 200)
    }

    @Test func `what cannot be carried out now need not be sent again`() throws {
        let upload = try cutOff(after: 500_000)
        box.pictureWork = .crowdedOut
        #expect(try append(upload, from: 500_000).status == 429)
        #expect(try offset(upload) == "600000")
        box.pictureWork = .picture([7], face: [8])
        #expect(try append(upload, from: 600_000).status == 200)
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    @Test func `the content is not read while what was read of it waits for the disk`() throws {
        let client = try post("PUT \(target)", picture("Upload-Complete: ?1"), Array(bytes[..<1000]))
        box.isReaderBusy = true
        client.post(Array(bytes[1000...]))
        try box.settle()
        #expect(box.server.hall.bodyRoom.bytes <= 256 << 10)
        #expect(box.server.counters.bytesIn < 400_000)
        box.isReaderBusy = false
        try box.settle()
        #expect(try client.responses().map(\.status) == [200])
        #expect(box.pictureArrived == bytes)
        try expectNothingLeft()
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `however an upload is cut, looked at and fought over, the file is what was sent`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let upload = try cutOff(after: dice.below(bytes.count))
        var others: [BoxClient] = []
        var answer: BoxResponse?
        for _ in 0..<200 where answer == nil {
            guard let told = try offset(upload), let at = Int(told) else { break }
            let count = dice.below(3) == 0 ? bytes.count - at : dice.below(bytes.count - at + 1)
            let isLast = at + count == bytes.count && dice.below(4) > 0
            // Now and then at the wrong place, which changes nothing.
            let said = dice.below(6) == 0 ? at + 1 + dice.below(9) : at
            let sent = dice.below(3) == 0 ? dice.below(count + 1) : count
            let client = try post(
                "PATCH \(upload)",
                [
                    "Content-Type: application/partial-upload", "Upload-Offset: \(said)",
                    "Upload-Complete: ?\(isLast ? 1 : 0)", "Content-Length: \(count)",
                ], Array(bytes[at..<(at + sent)]))
            others.append(client)
            if sent < count, dice.below(2) == 0 { client.leave(isRude: dice.below(2) == 0) }
            answer = client.isOver ? nil : try client.responses().first { $0.status == 200 }
        }
        #expect(answer?.status == 200, "seed \(seed)")
        #expect(box.pictureArrived == bytes, "seed \(seed)")
        for other in others where !other.isOver { other.leave() }
        try box.settle()
        try expectNothingLeft()
    }

    @Test func `a client that waits for 100 gets it once the keeper has said yes`() throws {
        let client = try post("PUT \(target)", picture("Expect: 100-continue"))
        #expect(client.text() == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send(bytes)
        #expect(try client.responses().map(\.status) == [200])
        let none = box.connect()
        try none.send(
            "PUT \(target) HTTP/1.1\r\nHost: box.local\r\nAuthorization: Bearer nobody\r\nContent-Type: image/jpeg\r\n"
                + "Content-Length: 600000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try none.responses().map(\.status) == [401])
    }
}
