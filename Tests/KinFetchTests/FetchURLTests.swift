import KinFetch
import KinLoop
import Testing

@Suite struct `An address of the outside` {
    @Test(arguments: [
        ("https://example.org", "https://example.org/"),
        ("HTTPS://Example.ORG./a/../b?c=/../d#e", "https://example.org/b?c=/../d"),
        ("https://example.org:443/", "https://example.org/"), ("http://example.org:80", "http://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"), ("https://example.org:/x", "https://example.org/x"),
        ("https://[2001:4860:0::8888]:8443/?q", "https://[2001:4860::8888]:8443/?q"),
        ("https://[::ffff:8.8.8.8]/", "https://8.8.8.8/"), ("https://9.9.9.9/a//b/", "https://9.9.9.9/a//b/"),
        ("https://xn--mnchen-3ya.example/ü ö", "https://xn--mnchen-3ya.example/%C3%BC%20%C3%B6"),
        ("https://a_b.example?x", "https://a_b.example/?x"),
    ])
    func `is read`(text: String, expected: String) throws {
        let url = try FetchURL(text)
        #expect(url.text == expected)
        #expect(try FetchURL(url.text) == url)
    }

    @Test(arguments: [
        "", "example.org", "/path", "ftp://example.org/", "file:///etc/passwd", "https:/example.org", "https:///x",
        "https://ada@example.org/", "https://ada:secret@example.org/", "https://@example.org/",
        "https://exa mple.org/", "https://example.org\\@127.0.0.1/", "https://example.org\r\nX: y/", "https://a\u{0}b/",
        "https://münchen.example/", "https://exa%6Dple.org/", "https://-a.example/", "https://a..b/", "https://.a/",
        "https://example.org:0/", "https://example.org:65536/", "https://example.org:+80/", "https://a:1:2/",
        "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/",
        "https://1.2.3.4.5/", "https://a.0x1/", "https://[::1/", "https://[127.0.0.1]/", "https://[fe80::1%25eth0]/",
        "https://[::1]x/", "https://::1/", "javascript://example.org/", "unix:///run/x",
        "https://example.org/" + String(repeating: "a", count: 5000),
    ])
    func `is refused with a sentence`(text: String) {
        let failure = #expect(throws: FetchFailure.self) { try FetchURL(text) }
        guard case .badRequest(let sentence) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(sentence.hasSuffix(".") && !sentence.contains("secret"))
    }

    /// RFC 3986 §5.4, with the base's scheme in ours and no fragments.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("https://b:8443/x", "https://b:8443/x"), ("HTTP://B", "http://b/"), ("g:1/x", nil), ("mailto:a@b", nil),
        ("//a@b/", nil), ("/x\ny", nil), ("http:g", nil),
    ])
    func `leads on as RFC 3986 says`(reference: String, expected: String?) throws {
        let base = try FetchURL("http://a/b/c/d;p?q")
        #expect((try? base.following(reference))?.text == expected)
    }

    @Test func `tells logs its origin alone`() throws {
        let url = try FetchURL("https://calendar.example/private-abc123/basic.ics?key=secret")
        #expect("\(url)" == "https://calendar.example")
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!dumped.contains("abc123") && !dumped.contains("secret"))
    }
}
