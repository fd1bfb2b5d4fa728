import KinCodec
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox

/// The profile that sets an iPhone, an iPad or a Mac up, as its device loads it.
@Suite struct SetUpProfileTests {
    private let dav: DavBox

    init() throws { dav = try DavBox() }

    private func address() throws -> String {
        let made = try dav.call("ada", "appPassword.offer", ["device": "iPad & <co>", "scope": "calendar"])
        return "/profile/\(try #require(made["secret"]?.string)).mobileconfig"
    }

    private func get(_ line: String, _ headers: String...) throws -> BoxResponse {
        let client = dav.box.connect()
        defer { client.leave() }
        return try client.ask(line, headers)
    }

    private func value(_ key: String, in text: String) throws -> String {
        let begin = try #require(text.firstRange(of: "<key>\(key)</key>")).upperBound
        let rest = text[begin...].drop { $0 == "\n" }
        return String(rest.prefix { $0 != "\n" })
    }

    @Test func `it comes once, and with the password from it the calendars are read until it is revoked`() throws {
        let address = try address()
        // Who only looks whether it is there uses nothing up.
        #expect(try get("HEAD \(address)").status == 405)
        #expect(try get("OPTIONS \(address)").status == 204)
        let profile = try get("GET \(address)")
        #expect(profile.status == 200 && profile["Content-Type"] == "application/x-apple-aspen-config")
        #expect(profile["Cache-Control"] == "no-store")
        #expect(profile["Content-Disposition"] == "attachment; filename=\"kinwire.mobileconfig\"")
        let again = try get("GET \(address)")
        #expect(again.status == 404 && again.text.contains("good once"))
        let password = try value("CalDAVPassword", in: profile.text).dropFirst("<string>".count).dropLast(
            "</string>".count)
        #expect(try value("CardDAVPassword", in: profile.text).contains(password))
        let credential = DavBox.basic("ada", String(password))
        let principal = try value("CalDAVPrincipalURL", in: profile.text)
        let id = try dav.box.person("ada").id
        #expect(principal == "<string>/dav/principals/\(id)/</string>")
        let found = try dav.ask(
            "PROPFIND /dav/principals/\(id)/", credential, ["Depth: 0"],
            "<propfind xmlns=\"DAV:\"><prop><current-user-principal/></prop></propfind>")
        #expect(found.status == 207)
        let listed = try dav.call("ada", "appPassword.list", [:])["appPasswords"]?.array
        let own = try #require(listed?.first { $0["device"] == "iPad & <co>" })
        _ = try dav.call("ada", "appPassword.revoke", ["appPassword": own["id"] ?? .null])
        #expect(try dav.ask("PROPFIND /dav/", credential, ["Depth: 0"]).status == 401)
    }

    @Test func `it speaks the member's language, and what people wrote is escaped`() throws {
        _ = try dav.call("ada", "settings.set", ["language": "de"])
        let text = try get("GET \(try address())", "Accept-Language: en").text
        #expect(text.contains("Kalender und Kontakte") && text.contains("iPad &amp; &lt;co&gt;"))
        #expect(!text.contains("com.apple.security.root"), "a public certificate needs no root")
    }

    @Test func `addresses that there are not are slowed`() throws {
        var last = 0
        for _ in 0..<40 {
            last = try get("GET /profile/profile-\(String(repeating: "A", count: 43)).mobileconfig").status
            if last == 429 { break }
            #expect(last == 404)
        }
        #expect(last == 429)
        #expect(try get("GET /profile/other.mobileconfig").status == 404)
    }
}
