import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Each error of the contract's table as clients meet it: on lines and WebSocket by its code, over HTTP by its status, on
/// all of them with the same word and members.
@Suite struct ErrorTests {
    /// How a kind of error is brought about: by a method with parameters, and over HTTP.
    private struct Deed {
        let kind: Rejection.Kind
        let method: String
        let params: JSON
        let line: String
        var body = ""
        var field: String?
    }

    private static let absent = "01980000-0000-7000-8000-000000000000"
    private static let long = String(repeating: "x", count: Limits.announcementCharactersMax + 1)
    private static let announce = "POST /api/activity/announcements"

    private static let deeds = [
        Deed(kind: .method, method: "no.such", params: [:], line: "GET /api/no-such", field: "method"),
        Deed(
            kind: .params, method: "household.found", params: ["name": 7], line: "POST /api/households",
            body: #"{"name":7}"#, field: "name"),
        Deed(
            kind: .forbidden, method: "family.close", params: ["confirm": "Oak"], line: "POST /api/family/close",
            body: #"{"confirm":"Oak"}"#),
        Deed(
            kind: .notFound, method: "meeting.show", params: ["meeting": .string(absent)],
            line: "GET /api/meetings/\(absent)", field: "meeting"),
        Deed(
            kind: .conflict, method: "household.found", params: ["name": "Den"], line: "POST /api/households",
            body: #"{"name":"Den"}"#, field: "op"),
        Deed(
            kind: .tooLarge, method: "household.found", params: ["name": .string(long)], line: "POST /api/households",
            body: #"{"name":"\#(long)"}"#, field: "name"),
        Deed(
            kind: .invalid, method: "meeting.list", params: ["view": "sideways"],
            line: "GET /api/meetings?view=sideways",
            field: "view"),
    ]

    private func connect(_ box: Box, _ transport: String, _ name: String?) throws -> BoxClient {
        guard transport == "WebSocket" else { return name == nil ? box.connect() : try box.line(try #require(name)) }
        let client = box.connect()
        _ = try client.openWebSocket(try name.map { ["Authorization: Bearer \(try box.person($0).token)"] } ?? [])
        return client
    }

    private func check(
        _ error: JSON?, _ kind: Rejection.Kind, _ what: String, field: String? = nil, isHTTP: Bool = false
    ) {
        let data = isHTTP ? error : error?["data"]
        #expect(error?["code"]?.int == Int64(kind.rawValue), "\(what): \(error?.text ?? "none")")
        #expect(data?["kind"]?.string == kind.word, "\(what)")
        #expect(data?["field"]?.string == field, "\(what)")
        let sentence = (isHTTP ? error?["detail"] : error?["message"])?.string
        #expect(sentence?.hasSuffix(".") == true, "\(what): \(error?.text ?? "")")
    }

    @Test(arguments: ["lines", "WebSocket"])
    func `each kind of error has its code, word and field in a message`(transport: String) throws {
        let box = try Box.family()
        let ben = try connect(box, transport, "ben")
        for deed in Self.deeds {
            var params = deed.params
            if deed.kind == .conflict {
                _ = try ben.result("household.found", ["name": "Lake", "op": "one"])
                params["op"] = "one"
            }
            let before = box.position
            check(try ben.call(deed.method, params)["error"], deed.kind, deed.method, field: deed.field)
            #expect(box.position == before)
        }
        check(try connect(box, transport, nil).call("family.show")["error"], .notSignedIn, "nobody")
        ben.postMessage(Array("nonsense".utf8))
        try box.settle()
        check(try ben.messages().last?["error"], .parse, "nonsense")
        ben.postMessage(Array("{}".utf8))
        try box.settle()
        check(try ben.messages().last?["error"], .request, "{}")
        #expect(!ben.isOver)
    }

    @Test func `over HTTP each has the status that says the same, in a problem`() throws {
        let box = try Box.family()
        let client = box.connect()
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        func problem(_ kind: Rejection.Kind, _ line: String, _ headers: [String], _ body: String, _ field: String?)
            throws
        {
            let answer = try client.ask(line, headers, body)
            #expect(answer.status == kind.httpStatus, "\(line)")
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(answer.json?["status"]?.int == Int64(kind.httpStatus), "\(line)")
            #expect(answer.json?["title"]?.string != nil, "\(line)")
            check(answer.json, kind, line, field: field, isHTTP: true)
        }
        for deed in Self.deeds where deed.kind != .method {
            var headers = [bearer, "Content-Type: application/json"]
            if deed.kind == .conflict {
                headers.append("Idempotency-Key: one")
                #expect(try client.ask(deed.line, headers, #"{"name":"Lake"}"#).status == 201)
            }
            try problem(deed.kind, deed.line, headers, deed.body, deed.field)
        }
        #expect(try client.ask("GET /api/no-such", [bearer]).status == 404)
        try problem(.notSignedIn, "GET /api/family", [], "", nil)
        try problem(.parse, Self.announce, [bearer], "{\"text\":", nil)
    }

    @Test(arguments: ["lines", "WebSocket"])
    func `who is told to slow down is told for how long`(transport: String) throws {
        let box = try Box.family()
        let client = try connect(box, transport, nil)
        var slowed: JSON?
        for _ in 0..<8 where slowed == nil {
            let answer = try client.call("session.open", ["username": "ben", "password": "wrong"])
            if answer["error"]?["code"] == 1429 { slowed = answer["error"] }
        }
        check(slowed, .slowDown, "slowed")
        #expect(slowed?["data"]?["retryAfter"]?.int ?? 0 > 0)
        let answer = try box.connect().ask(
            "POST /api/session", ["Content-Type: application/json"], #"{"username":"ben","password":"wrong"}"#)
        #expect(answer.status == 429)
        #expect(answer["Retry-After"].flatMap { Int($0) } == answer.json?["retryAfter"]?.int.map { Int($0) })
        check(answer.json, .slowDown, "over HTTP", isHTTP: true)
    }

    @Test func `what nobody knows the fate of is said so on every transport`() throws {
        let box = try Box.family()
        var unknown = Rejection(.unavailable, "The disk failed.", retryAfter: 10)
        unknown.isOutcomeUnknown = true
        box.fault = { commit in
            commit.replies = commit.replies.map { Reply(ticket: $0.ticket, result: .failure(unknown), effect: .none) }
        }
        let bearer = "Authorization: Bearer \(try box.person("ben").token)"
        let answer = try box.connect().ask("GET /api/family", [bearer])
        #expect(answer.status == 503 && answer["Retry-After"] == "10")
        check(answer.json, .unavailable, "HTTP", isHTTP: true)
        #expect(answer.json?["outcome"] == "unknown")
        for transport in ["lines", "WebSocket"] {
            let client = try connect(box, transport, nil)
            let error = try client.call("family.show")["error"]
            check(error, .unavailable, transport)
            #expect(error?["data"]?["outcome"] == "unknown" && error?["data"]?["retryAfter"] == 10)
        }
    }

    @Test func `after a commit of unknown fate the daemon says so and ends, and everybody comes back`() throws {
        let box = try Box.family()
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let ada = try box.line("ada")
        box.fault = { commit in
            commit.fate = .unknown(.fateUnknown(code: 10))
            commit.replies = commit.replies.map { reply in
                var rejection = Rejection(.unavailable, "The disk failed.")
                rejection.isOutcomeUnknown = true
                return Reply(ticket: reply.ticket, result: .failure(rejection), effect: .none)
            }
            commit.events = []
        }
        #expect(try ada.call("activity.announce", ["text": "perhaps"])["error"]?["data"]?["outcome"] == "unknown")
        let heard = try ben.heard()
        #expect(heard.last?["params"]?["code"] == 1012)
        #expect(!heard.contains { $0["method"] == "event" })
        box.fault = nil
        try box.advance(seconds: 6)
        #expect(box.server.isFinished)
        #expect(box.server.fatal?.hasSuffix(".") == true, "\(box.server.fatal ?? "no sentence")")
    }
}
