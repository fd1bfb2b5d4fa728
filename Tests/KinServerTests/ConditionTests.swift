import KinCodec
import KinCrypto
import KinKeeper
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// `If-Match` on what is written: two who change the same thing, of whom the second does not know what the first did.
@Suite struct ConditionTests {
    private let box: Box
    private let bearer: String

    init() throws {
        box = try Box.family()
        bearer = "Authorization: Bearer \(try box.person("ada").token)"
    }

    private var date: String { Instant(milliseconds: box.time.wallMilliseconds()).httpDate }
    private static let json = "Content-Type: application/json"
    private static let safety =
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n"
        + "Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
        + "frame-ancestors 'none'; base-uri 'none'\r\n"

    private func tag(_ text: String) -> String {
        "\"" + Hex.encode(Array(Digest.sha256(Array(text.utf8)).prefix(16))) + "\""
    }

    private func raw(_ line: String, _ headers: String..., body: String = "") throws -> String {
        let client = box.connect()
        let length = body.isEmpty ? [] : [Self.json, "Content-Length: \(body.utf8.count)"]
        let lines = (["Host: box.local", bearer] + headers + length).map { $0 + "\r\n" }.joined()
        try client.send("\(line) HTTP/1.1\r\n\(lines)\r\n\(body)")
        return String(decoding: client.receive(), as: UTF8.self)
    }

    private func addContact() throws -> String {
        let added = try box.connect().ask(
            "POST /api/contacts", [bearer, Self.json], #"{"lastName":"Miller"}"#)
        let id = try #require(added.json?["contact"]?["id"]?.string)
        return "/api/contacts/\(id)"
    }

    private func etag(_ path: String) throws -> String {
        try #require(try box.connect().ask("GET \(path)", [bearer])["ETag"])
    }

    private static let changed =
        #"{"type":"about:blank","title":"Precondition Failed","status":412,"#
        + #""detail":"This has changed since you last read it. Read it again first.","#
        + #""kind":"changed-since","code":1409}"#

    private var refused: String {
        "HTTP/1.1 412 Precondition Failed\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n"
            + "Date: \(date)\r\nContent-Length: \(Self.changed.utf8.count)\r\n\(Self.safety)\r\n\(Self.changed)"
    }

    @Test func `what can be changed is shown with its validator`() throws {
        let path = try addContact()
        let answer = try raw("GET \(path)")
        let body = try #require(answer.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init))
        let head =
            "Content-Type: application/json\r\nCache-Control: no-store\r\nETag: \(tag(body))\r\nDate: \(date)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\(Self.safety)\r\n"
        #expect(answer == "HTTP/1.1 200 OK\r\n" + head + body)
        #expect(try raw("HEAD \(path)") == "HTTP/1.1 200 OK\r\n" + head)
        let known = try raw("GET \(path)", "If-None-Match: W/\(tag(body))")
        #expect(
            known == "HTTP/1.1 304 Not Modified\r\nCache-Control: no-store\r\nETag: \(tag(body))\r\nDate: \(date)\r\n"
                + Self.safety + "\r\n")
    }

    @Test func `who does not know the last change of a contact changes nothing`() throws {
        let path = try addContact()
        let first = try etag(path)
        let client = box.connect()
        #expect(
            try client.ask("PATCH \(path)", [bearer, Self.json, "If-Match: \(first)"], #"{"title":"Dr."}"#).status
                == 200)
        let second = try etag(path)
        #expect(second != first)
        let position = box.position
        #expect(try raw("PATCH \(path)", "If-Match: \(first)", body: #"{"title":"Mr."}"#) == refused)
        #expect(try raw("DELETE \(path)", "If-Match: \(first)") == refused)
        // A weak one counts for nothing, and of several lists all are read.
        #expect(try raw("DELETE \(path)", "If-Match: W/\(second)") == refused)
        #expect(box.position == position)
        #expect(try client.ask("GET \(path)", [bearer]).json?["contact"]?["title"]?.string == "Dr.")
        let lists = ["If-Match: \"other\"", "If-Match: \(first) ,\t\(second)"]
        #expect(try client.ask("PATCH \(path)", [bearer, Self.json] + lists, #"{"title":"Mr."}"#).status == 200)
        #expect(try client.ask("DELETE \(path)", [bearer, "If-Match: *"]).status < 300)
        #expect(try client.ask("DELETE \(path)", [bearer, "If-Match: *"]).status == 404)
    }

    /// What compresses on the way to the client, such as Apache's mod_deflate, gives the validator this ending.
    @Test func `who read a compressed form writes with its validator, as long as nothing changed`() throws {
        let path = try addContact()
        let first = try etag(path)
        let known = "\(first.dropLast())-gzip\""
        let client = box.connect()
        let again = try client.ask("GET \(path)", [bearer, "If-None-Match: \(known)"])
        #expect(again.status == 304 && again["ETag"] == first)
        let write = [bearer, Self.json, "If-Match: \(known)"]
        #expect(try client.ask("PATCH \(path)", write, #"{"title":"Dr."}"#).status == 200)
        let position = box.position
        #expect(try raw("PATCH \(path)", "If-Match: \(known)", body: #"{"title":"Mr."}"#) == refused)
        #expect(box.position == position)
    }

    /// Things that more than one person, or one on several devices, may change: where they are made, and two changes.
    private static let shared = [
        ("/api/profiles", "entry", #"{"kind":"phone","value":"+49 171 1"}"#, #"{"value":"+49 171 2"}"#),
        (
            "/api/places", "place", #"{"name":"Harbour","lat":1,"lon":2,"audience":"everyone"}"#,
            #"{"name":"Old harbour"}"#
        ),
        ("/api/calendars", "calendar", ##"{"name":"Choir","color":"#aabbcc"}"##, #"{"name":"Band"}"#),
    ]

    @Test(arguments: shared)
    func `who does not know the last change of anything that is changed by its address changes nothing`(
        collection: String, name: String, thing: String, change: String
    ) throws {
        let client = box.connect()
        let added = try client.ask("POST \(collection)", [bearer, Self.json], thing)
        let id = try #require(added.json?[name]?["id"]?.string, "\(added)")
        let path = "\(collection)/\(id)"
        let first = try etag(path)
        #expect(
            try client.ask("PATCH \(path)", [bearer, Self.json, "If-Match: \(first)"], change).status == 200)
        let second = try etag(path)
        #expect(second != first)
        let now = try client.ask("GET \(path)", [bearer]).json
        let position = box.position
        #expect(try raw("PATCH \(path)", "If-Match: \(first)", body: change) == refused)
        if collection != "/api/calendars" { #expect(try raw("DELETE \(path)", "If-Match: \(first)") == refused) }
        #expect(box.position == position)
        #expect(try client.ask("GET \(path)", [bearer]).json == now)
        let known = try raw("GET \(path)", "If-None-Match: \(second)")
        #expect(
            known == "HTTP/1.1 304 Not Modified\r\nCache-Control: no-store\r\nETag: \(second)\r\nDate: \(date)\r\n"
                + Self.safety + "\r\n")
    }

    @Test func `who sees an entry of a profile reads it by its address, and nobody else learns that it is there`()
        throws
    {
        let client = box.connect()
        let added = try client.ask(
            "POST /api/profiles", [bearer, Self.json], #"{"kind":"phone","value":"+49 171 1","audience":[]}"#)
        let id = try #require(added.json?["entry"]?["id"]?.string, "\(added)")
        let ben = "Authorization: Bearer \(try box.person("ben").token)"
        #expect(try client.ask("GET /api/profiles/\(id)", [bearer]).json?["entry"]?["audience"] == [])
        #expect(try client.ask("GET /api/profiles/\(id)", [ben]).status == 404)
        let open = try client.ask(
            "PATCH /api/profiles/\(id)", [bearer, Self.json], #"{"audience":"everyone"}"#)
        #expect(open.status == 200)
        let seen = try client.ask("GET /api/profiles/\(id)", [ben])
        #expect(seen.json?["entry"]?["value"] == "+49 171 1" && seen.json?["entry"]?["audience"] == nil)
        // Who sees it does not change it, whatever condition holds.
        let tag = try #require(seen["ETag"])
        #expect(
            try client.ask("PATCH /api/profiles/\(id)", [ben, Self.json, "If-Match: \(tag)"], #"{"value":"1"}"#).status
                == 404)
    }

    @Test func `a repeat is not refused for what it did itself`() throws {
        let path = try addContact()
        let headers = [bearer, Self.json, "If-Match: \(try etag(path))", "Idempotency-Key: once"]
        let client = box.connect()
        #expect(try client.ask("PATCH \(path)", headers, #"{"title":"Dr."}"#).status == 200)
        let position = box.position
        #expect(try client.ask("PATCH \(path)", headers, #"{"title":"Dr."}"#).status == 200)
        #expect(box.position == position)
    }

    @Test func `what else is wrong is said first`() throws {
        let path = try addContact()
        let client = box.connect()
        let stale = "If-Match: \"stale\""
        #expect(try client.ask("PATCH \(path)", [Self.json, stale], #"{"title":"Dr."}"#).status == 401)
        let guest = "Authorization: Bearer \(try box.person("hal").token)"
        let may = try client.ask("PATCH \(path)", [guest, Self.json], #"{"title":"Dr."}"#).status
        #expect(may == 403)
        #expect(try client.ask("PATCH \(path)", [guest, Self.json, stale], #"{"title":"Dr."}"#).status == may)
        #expect(try client.ask("PATCH \(path)", [bearer, Self.json, stale], #"{"title":7}"#).status == 400)
    }

    @Test func `settings have a validator in which the cursor has no part`() throws {
        let path = "/api/settings"
        let (first, again) = (try etag(path), try etag(path))
        #expect(first == again)
        let client = box.connect()
        // Something else happens in the family.
        _ = try addContact()
        #expect(try etag(path) == first)
        let set = [bearer, Self.json, "If-Match: \(first)"]
        #expect(try client.ask("PATCH \(path)", set, #"{"language":"de"}"#).status == 200)
        #expect(try raw("PATCH \(path)", "If-Match: \(first)", body: #"{"language":"en"}"#) == refused)
        #expect(try client.ask("GET \(path)", [bearer]).json?["settings"]?["language"]?.string == "de")
    }

    @Test func `what has no validator is not changed on a condition`() throws {
        let client = box.connect()
        for (line, body) in [
            ("POST /api/contacts", #"{"lastName":"Miller"}"#),
            ("PUT /api/password", #"{"old":"a","new":"b"}"#),
        ] {
            let position = box.position
            let answer = try client.ask(line, [bearer, Self.json, "If-Match: *"], body)
            #expect(answer.status == 412, "\(line): \(answer.text)")
            #expect(box.position == position)
        }
    }

    /// RFC 9110 §13.1.2 has a write judged by it too: what nobody judges must not seem to have been.
    @Test func `a write with If-None-Match is not carried out`() throws {
        let path = try addContact()
        let picture = "/api/members/\(try box.person("ada").id)/picture"
        for (line, type, body) in [
            ("PATCH \(path)", "application/json", #"{"lastName":"Roth"}"#),
            ("DELETE \(path)", "application/json", ""),
            ("POST /api/contacts", "application/json", #"{"lastName":"Roth"}"#),
            ("PUT \(picture)", "image/jpeg", "abc"),
        ] {
            let position = box.position
            for condition in ["If-None-Match: *", "If-None-Match: \"other\""] {
                let answer = try box.connect().ask(line, [bearer, "Content-Type: \(type)", condition], body)
                #expect(answer.status == 412, "\(line), \(condition): \(answer.text)")
            }
            #expect(box.position == position)
        }
        #expect(try box.rows("uploads") == 0)
    }

    // MARK: Pictures

    private func give(_ picture: [UInt8], _ path: String, _ more: String...) throws -> BoxResponse {
        box.pictureWork = .picture(picture, face: [8])
        return try box.connect().ask("PUT \(path)", [bearer, Self.json] + more, #"{"picture":"AAAA"}"#)
    }

    @Test func `a picture is replaced only by who knows it`() throws {
        let path = "/api/members/\(try box.person("ada").id)/picture"
        // There is none yet.
        #expect(try give([1, 2, 3], path, "If-Match: *").status == 412)
        let name = try #require(try give([1, 2, 3], path).json?["member"]?["picture"]?.string)
        let tag = try etag("\(path)/\(name)")
        #expect(try give([4, 5, 6], path, "If-Match: \(tag)").status == 200)
        #expect(try give([7, 8, 9], path, "If-Match: \(tag)").status == 412)
        #expect(try raw("DELETE \(path)", "If-Match: \(tag)") == refused)
        #expect(try box.connect().ask("DELETE \(path)", [bearer, "If-Match: *"]).status < 300)
    }

    @Test func `an upload is refused before its content, and at its end, where the picture changed`() throws {
        let path = "/api/members/\(try box.person("ada").id)/picture"
        let name = try #require(try give([1, 2, 3], path).json?["member"]?["picture"]?.string)
        let tag = try etag("\(path)/\(name)")
        let client = box.connect()
        let begin = [bearer, "Content-Type: image/jpeg", "If-Match: \(tag)"]
        let begun = try client.ask("PUT \(path)", begin + ["Upload-Complete: ?0", "Upload-Length: 6"], "abc")
        #expect(begun.status == 201 || begun.status == 104)
        let upload = try #require(begun["Location"])
        // Meanwhile somebody else gives another.
        #expect(try give([4, 5, 6], path).status == 200)
        let rest = [
            bearer, "Content-Type: application/partial-upload", "Upload-Offset: 3", "Upload-Complete: ?1",
        ]
        box.pictureWork = .picture([7, 8, 9], face: [8])
        #expect(try box.connect().ask("PATCH \(upload)", rest, "def").status == 412)
        #expect(try box.rows("uploads") == 0)
        // And now it is known before a byte is taken.
        let late = box.connect()
        try late.send(
            "PUT \(path) HTTP/1.1\r\nHost: box.local\r\n\(bearer)\r\nContent-Type: image/jpeg\r\nIf-Match: \(tag)\r\n"
                + "Content-Length: 600000\r\n\r\n")
        #expect(try late.responses().first?.status == 412)
        #expect(try box.keeper.store.blobs.unfinished() == [])
    }
}
