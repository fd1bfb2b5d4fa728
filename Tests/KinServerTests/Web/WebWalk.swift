import KinActivity
import KinCalendar
import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// A walk through the pages without sockets or keeper: requests are parsed from bytes, what the pages ask is answered
/// by a script, and what was asked is kept.
struct WebWalk {
    /// What a page asked of the keeper.
    struct Asked: Equatable {
        let method: String
        let params: JSON
        let credential: Credential
    }

    /// What came of a request.
    struct Shown {
        let answer: HTTPAnswer
        let cookie: Pages.CookieChange
        let asked: [Asked]
        var text: String { String(decoding: answer.body, as: UTF8.self) }
        var location: String? { answer.headers["Location"] }
    }

    var rootSHA256: String? = String(repeating: "0f", count: 32)
    var rootPEM: [UInt8]?
    /// The address that links begin with.
    var url = "https://kin.local:5469"
    /// The files with `kin` for other machines.
    var client: [String] = []
    /// The machine's zone.
    var zone = "UTC"
    /// Answers by method, in the order they are given out; the last one stays.
    var answers: [String: [Result<JSON, Rejection>]] = [:]

    /// Signed in: who, and what they share.
    static func ada(_ role: String = "admin", sharing: JSON = ["state": "off", "seenBy": []]) -> WebWalk {
        var walk = WebWalk()
        let member: JSON = .object(leavingOut: [
            "username": role == "guest" ? nil : "ada", "displayName": "Ada", "role": .string(role),
        ])
        walk.answers["session.resume"] = [.success(["member": member])]
        walk.answers["session.waiting"] = [.success(["sessions": []])]
        walk.answers["family.show"] = [.success(["family": ["name": "Lovelace"]])]
        walk.answers["member.list"] = [.success(["members": []])]
        walk.answers["appPassword.list"] = [.success(["appPasswords": []])]
        walk.answers["calendar.feeds"] = [.success(["feeds": []])]
        walk.answers["notice.list"] = [.success(["devices": []])]
        walk.answers["sharing.show"] = [.success(["sharing": sharing])]
        return walk
    }

    func get(_ target: String, _ headers: String...) throws -> Shown {
        try send("GET \(target) HTTP/1.1", headers, body: "")
    }

    /// A form sent as a browser does, from a page of ours.
    func post(_ target: String, _ form: String, _ headers: String...) throws -> Shown {
        let type = "Content-Type: application/x-www-form-urlencoded"
        return try send("POST \(target) HTTP/1.1", [type, "Origin: https://kin.local:5469"] + headers, body: form)
    }

    func send(_ line: String, _ headers: [String], body: String) throws -> Shown {
        var bytes = line + "\r\nHost: kin.local:5469\r\n"
        for header in headers { bytes += header + "\r\n" }
        bytes += body.isEmpty ? "\r\n" : "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        var parser = HTTPRequestParser()
        guard case .head(let head) = parser.consume(Array(bytes.utf8).span).step else { throw NoRequest(text: bytes) }
        let place = try #require(Pages.place(head), "\(line) is for a page")
        let site = Site(
            canonicalURL: url, names: ["kin.local"], addresses: { [] }, rootSHA256: rootSHA256,
            rootPEM: rootPEM, zone: try #require(Zone(zone)))
        var asked: [Asked] = []
        var left = answers
        var visit = Visit(
            head: head, body: Array(body.utf8), site: site, cookieName: "__Host-kinwire",
            deviceCookieName: "__Host-kinwire-device", now: Self.now)
        visit.client = client
        var step = Pages.step(place, visit)
        while true {
            switch step {
            case .show(let answer, let cookie): return Shown(answer: answer, cookie: cookie, asked: asked)
            case .ask(let method, let params, let credential, let then):
                // Unless the script says otherwise there is a family.
                if method == "setUp.show", left[method] == nil {
                    step = then(.success(["state": "founded"]))
                    continue
                }
                asked.append(Asked(method: method, params: .object(params), credential: credential))
                let answer = try #require(left[method]?.first, "nothing is scripted for \(method)")
                if left[method]?.count ?? 0 > 1 { left[method]?.removeFirst() }
                step = then(answer)
            }
        }
    }

    static let now = Instant("2026-11-20T18:00:00Z") ?? .earliest

    struct NoRequest: Error { let text: String }
}

extension String {
    /// How often a text stands in it.
    func count(of text: String) -> Int { ranges(of: text).count }
}
