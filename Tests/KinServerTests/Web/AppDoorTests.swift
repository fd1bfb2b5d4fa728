import KinCodec
import KinModel
import KinWeb
import KinWords
import Testing

@testable import KinServer
@testable import KinServerBox

/// The family's page as browsers get it: addresses, validators, compression, what it may do.
@Suite struct AppDoorTests {
    private let box: Box
    private let cookie: String

    init() throws {
        box = try Box.family()
        cookie = "Cookie: kinwire=\(try box.person("ada").token)"
    }

    private func get(_ path: String, _ headers: String...) throws -> BoxResponse {
        try box.connect().ask("GET \(path)", headers)
    }

    @Test func `the bare address is the page for who has a session's cookie, and the forms for others`() throws {
        let shown = try get("/", cookie)
        #expect(shown.status == 200)
        #expect(shown["Content-Type"] == "text/html; charset=utf-8")
        #expect(shown["Cache-Control"] == "no-cache")
        #expect(shown["Vary"] == "Accept-Language, Cookie, Accept-Encoding")
        #expect(
            shown.head.headers.values("Content-Security-Policy") == [
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                    + "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
                    + "form-action 'self'; "
                    + "frame-ancestors 'none'; base-uri 'none'"
            ])
        #expect(shown.text.contains("/app/\(WebApp.shared.version)/main.js"))
        #expect(!shown.text.contains("@"), "every place is filled in")
        let nobody = try get("/")
        #expect(nobody.status == 303 && nobody["Location"] == "/phone")
        #expect(try get("/", "Cookie: kinwire=").status == 303)
    }

    @Test func `the page is told its sign-in anew where the cookie that names it is gone or another's`() throws {
        let told = try #require(try get("/", cookie)["Set-Cookie"])
        #expect(told.hasPrefix("kinwire-page=") && !told.contains("HttpOnly") && !told.contains("Max-Age"))
        // Whether others use the computer is not known here: it is named as one that they use.
        let named = told.prefix { $0 != ";" }
        #expect(named.hasSuffix(".shared"))
        let own = named.dropLast(".shared".count)
        #expect(try get("/", "\(cookie); kinwire-page=0123456789abcdef")["Set-Cookie"] == told)
        #expect(try get("/", "\(cookie); \(own)")["Set-Cookie"] == nil)
        #expect(try get("/", "\(cookie); \(own).shared")["Set-Cookie"] == nil)
        // What the browser has already is told of as well.
        let etag = try #require(try get("/", cookie)["ETag"])
        #expect(try get("/", cookie, "If-None-Match: \(etag)")["Set-Cookie"] == told)
    }

    @Test func `the page is in the browser's language before any script runs`() throws {
        let shown = try get("/", cookie, "Accept-Language: de-AT,de;q=0.9,en;q=0.1")
        #expect(shown["Content-Language"] == "de")
        #expect(shown.text.contains("<html lang=\"de\">"))
    }

    @Test func `what one has is not sent again`() throws {
        for path in ["/", "/sw.js", "/manifest.webmanifest", "/app/\(WebApp.shared.version)/main.js"] {
            let etag = try #require(try get(path, cookie)["ETag"])
            let again = try get(path, cookie, "If-None-Match: \(etag)")
            #expect(again.status == 304 && again.body.isEmpty, "\(path)")
            #expect(again["ETag"] == etag)
            #expect(try get(path, cookie, "If-None-Match: W/\(etag), \"other\"").status == 304, "\(path)")
            #expect(try get(path, cookie, "If-None-Match: \"other\"").status == 200, "\(path)")
        }
    }

    /// RFC 9110 §8.8.3.3: a strong validator names bytes, and the compressed form has others.
    @Test func `the compressed form has a validator of its own, and either one is known again`() throws {
        for path in ["/", "/sw.js", "/manifest.webmanifest", "/app/\(WebApp.shared.version)/main.js"] {
            let plain = try #require(try get(path, cookie)["ETag"])
            let compressed = "\(plain.dropLast())-gzip\""
            let shown = try get(path, cookie, "Accept-Encoding: gzip")
            #expect(shown["Content-Encoding"] == "gzip" && shown["ETag"] == compressed, "\(path)")
            for (coding, sent) in [("gzip", compressed), ("identity", plain)] {
                for known in [plain, compressed] {
                    let accepts = "Accept-Encoding: \(coding)"
                    let again = try get(path, cookie, accepts, "If-None-Match: \(known)")
                    #expect(again.status == 304 && again["ETag"] == sent, "\(path), \(coding), \(known)")
                    #expect(again["Vary"] == shown["Vary"])
                    #expect(try get(path, cookie, accepts, "If-Match: \(known)").status == 200)
                }
            }
            #expect(try get(path, cookie, "If-None-Match: \"other-gzip\"").status == 200)
            #expect(try get(path, cookie, "If-Match: \"other-gzip\"").status == 412)
        }
        // What is never compressed has one form.
        let icon = "/app/\(WebApp.shared.version)/icon-192.png"
        let drawn = try get(icon)["ETag"]
        #expect(try get(icon, "Accept-Encoding: gzip")["ETag"] == drawn)
    }

    @Test func `a file is kept for ever, and an address of another version has none`() throws {
        let version = WebApp.shared.version
        for name in WebApp.shared.names {
            let shown = try get("/app/\(version)/\(name)")
            #expect(shown.status == 200, "\(name)")
            #expect(shown["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(shown["X-Content-Type-Options"] == "nosniff")
            #expect(shown["Content-Type"] != "application/octet-stream", "\(name)")
        }
        for path in ["/app/0000000000000000/main.js", "/app/\(version)/nothing.js", "/app/\(version)/..%2Fmain.js"] {
            #expect(try get(path).status == 404, "\(path)")
        }
        #expect(try box.connect().ask("POST /app/\(version)/main.js").status == 405)
    }

    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("gzip;q=0", false), ("gzip;q=0.000", false),
        ("br", false), ("", false),
    ])
    func `text comes compressed to who takes that`(field: String, isCompressed: Bool) throws {
        let path = "/app/\(WebApp.shared.version)/main.js"
        let plain = try get(path)
        let shown = try get(path, "Accept-Encoding: \(field)")
        #expect((shown["Content-Encoding"] == "gzip") == isCompressed)
        #expect(shown["Vary"] == "Accept-Encoding")
        if isCompressed {
            #expect(shown.body.count * 2 < plain.body.count)
            #expect(Array(shown.body.prefix(2)) == [0x1F, 0x8B], "RFC 1952 §2.3.1")
        } else {
            #expect(shown.body == plain.body)
        }
        #expect(
            try get("/app/\(WebApp.shared.version)/icon-192.png", "Accept-Encoding: gzip")["Content-Encoding"] == nil)
    }

    @Test func `modules come without comments, each line under its number`() throws {
        let version = WebApp.shared.version
        let sent = try get("/app/\(version)/voice.js").text.split(separator: "\n", omittingEmptySubsequences: false)
        let source = try Documentation.text("\(Documentation.tree)/Sources/KinWeb/App/voice.js").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(sent.count == source.count)
        #expect(sent.first == "// SPDX-License-Identifier: Apache-2.0")
        for (line, written) in zip(sent, source).dropFirst() {
            let text = written.drop { $0 == " " }
            let isComment = text.hasPrefix("//") || text.hasPrefix("/*") || text.hasPrefix("* ") || text.hasPrefix("*/")
            #expect(line == text || isComment && line.isEmpty, "\(written)")
        }
    }

    @Test func `a first visit is small`() throws {
        // All that the page and its worker load in one language, without the map.
        let needless = [
            "map.js", "map.css", "map-cards.js", "map-names.js", "basemap.js", "tile.js", "placing.js", "words.de.js",
        ]
        let names = WebApp.shared.workerNames.filter { !needless.contains($0) }
        #expect(needless.allSatisfy(WebApp.shared.workerNames.contains))
        let bytes = try names.reduce(0) {
            $0 + (try get("/app/\(WebApp.shared.version)/\($1)", "Accept-Encoding: gzip").body.count)
        }
        #expect(bytes <= 150_000, "\(bytes) bytes")
    }

    @Test func `what takes long is begun first, and the first look needs few modules`() throws {
        let text = try get("/", cookie, "Accept-Language: de").text
        let (app, lines) = ("/app/\(WebApp.shared.version)", text.split(separator: "\n").map { String($0) })
        let modules = lines.compactMap { $0.wholeMatch(of: /<link rel="modulepreload" href="[^"]*\/([^"\/]+)">/) }
            .map { String($0.output.1) }
        #expect(modules.prefix(2) == ["early.js", "words.de.js"])
        // It waits for no other module, and for no style.
        #expect(lines.contains("<script type=\"module\" async src=\"\(app)/early.js\"></script>"))
        let early = String(decoding: WebApp.shared.file("early.js")?.content ?? [], as: UTF8.self)
        #expect(!early.isEmpty && !early.contains("import"))
        let sizes = modules.dropFirst(2).map { WebApp.shared.file($0)?.content.count ?? 0 }
        #expect(sizes == sizes.sorted(by: >))
        // Browsers ask for six at a time: with the style that makes three turns.
        #expect(modules.count <= 17, "\(modules)")
        for name in ["family.js", "ringing.js", "browser.js", "about.js"] {
            #expect(!modules.contains(name), "\(name)")
        }
    }

    @Test func `what few ask for is in no first visit, and nothing that is kept needs it`() throws {
        let kept = Set(WebApp.shared.workerNames)
        for name in [
            "calendar-files.js", "calendar-form.js", "calendar-settings.js", "chat-rooms.js", "propose.js", "rules.js",
        ] {
            #expect(!kept.contains(name) && WebApp.shared.names.contains(name), "\(name)")
        }
        for name in kept.sorted() where name.hasSuffix(".js") {
            let text = String(decoding: WebApp.shared.file(name)?.content ?? [], as: UTF8.self)
            for line in text.split(separator: "\n") where line.hasPrefix("import ") {
                guard let other = line.split(separator: "\"").last, other.hasPrefix("./") else { continue }
                #expect(kept.contains(String(other.dropFirst(2))), "\(name) needs \(other)")
            }
        }
    }

    @Test func `what the daemon keeps of the page takes no more room than it has bytes`() throws {
        let app = WebApp.shared
        for name in app.names where name.hasSuffix(".js") && !name.hasPrefix("words.") {
            let content = try #require(app.file(name)).content
            let small = app.gzip(content, key: "\(app.version)/\(name)")
            // The allocator rounds up.
            for bytes in [content, small] { #expect(bytes.capacity <= bytes.count + 64, "\(name)") }
        }
    }

    @Test func `words are what kin says, in both languages`() throws {
        for language in Language.allCases {
            let shown = try get("/app/\(WebApp.shared.version)/words.\(language.rawValue).js")
            for key in ["span.days", "inbox.voted", "web.home.where"] {
                #expect(shown.text.contains("\"\(key)\": "), "\(key)")
            }
            #expect(!shown.text.contains("\"page."), "the other pages' are not sent")
        }
        #expect(try get("/app/\(WebApp.shared.version)/words.fr.js").status == 404)
    }

    @Test func `a text goes back as a code, and only to our own page`() throws {
        let shown = try box.connect().ask("POST /app/qr", ["Content-Type: text/plain"], "https://kin.local/join/abc")
        #expect(shown.status == 200)
        #expect(shown["Content-Type"] == "image/svg+xml")
        #expect(shown["Cache-Control"] == "no-store")
        #expect(shown.head.headers.values("Content-Security-Policy") == ["sandbox; default-src 'none'"])
        #expect(shown.text.hasPrefix("<svg") || shown.text.hasPrefix("<?xml"))
        let long = String(repeating: "x", count: 1_025)
        #expect(try box.connect().ask("POST /app/qr", ["Content-Type: text/plain"], long).status == 413)
        let foreign = try box.connect().ask("POST /app/qr", ["Origin: https://elsewhere.example"], "x")
        #expect(foreign.status == 403)
        #expect(try get("/app/qr").status == 405)
    }

    /// A module that is kept and one of whose imports is not would be of no use without the daemon.
    @Test func `what the service worker keeps imports nothing that it does not keep, and dialogs keep their drafts`() {
        let kept = WebApp.shared.workerNames
        var imports = 0
        for name in kept where name.hasSuffix(".js") {
            let text = String(decoding: WebApp.shared.file(name)?.content ?? [], as: UTF8.self)
            for line in text.split(separator: "\n") where line.hasPrefix("import ") {
                guard let module = line.split(separator: "\"").last, module.hasPrefix("./") else { continue }
                imports += 1
                #expect(kept.contains(String(module.dropFirst(2))), "\(name): \(line)")
            }
        }
        #expect(imports > 100)
        #expect(kept.contains("drafts.js"))
    }

    @Test func `who changes the page sees it at the next request`() throws {
        let changed = WebApp(folder: "/folder") { $0 == "/folder/main.js" ? Array("// changed".utf8) : nil }
        #expect(changed.file("main.js").map { String(decoding: $0.content, as: UTF8.self) } == "// changed")
        #expect(changed.file("dom.js")?.content == WebApp.shared.file("dom.js")?.content)
        #expect(changed.version != WebApp.shared.version, "no browser keeps the old one")
    }
}
