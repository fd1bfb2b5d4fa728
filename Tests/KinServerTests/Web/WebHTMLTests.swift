import Testing

@testable import KinServer

@Suite struct WebHTMLTests {
    @Test func `what is put in is escaped, what stands in the source is markup`() {
        let name = "<script>alert('\"&\")</script>"
        let html: HTML = "<p title=\"\(name)\">\(name)</p>"
        let escaped = "&lt;script&gt;alert(&#39;&quot;&amp;&quot;)&lt;/script&gt;"
        #expect(html.markup == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func `markup put into markup is escaped no second time`() {
        let inner: HTML = "<b>\("a & b")</b>"
        #expect(("<p>\(inner)</p>" as HTML).markup == "<p><b>a &amp; b</b></p>")
        #expect(("\([inner, inner])" as HTML).markup == "<b>a &amp; b</b><b>a &amp; b</b>")
    }

    @Test func `a piece that is not there leaves nothing behind`() {
        let none: HTML? = nil
        #expect(("a\(none)b" as HTML).markup == "ab")
    }

    @Test func `combining marks and other scripts go through, NUL does not`() {
        #expect(("\("e\u{301} שלום \0")" as HTML).markup == "e\u{301} שלום \u{FFFD}")
        // A mark must not merge with the quote before it and take it out of sight of the escape.
        #expect(("\("\"\u{301}")" as HTML).markup == "&quot;\u{301}")
    }

    @Test func `names stand apart from the direction of the text around them`() {
        #expect(HTML.written("a<b").markup == "<bdi>a&lt;b</bdi>")
    }

    @Test func `fingerprints are four lines of eight pairs`() {
        let lines = Pages.fingerprint(String(repeating: "0af1", count: 16))
        #expect(lines == Array(repeating: "0A:F1:0A:F1:0A:F1:0A:F1", count: 4))
        #expect(Pages.fingerprint("0af") == ["0A:F"])
        #expect(Pages.fingerprint("") == [])
    }
}
