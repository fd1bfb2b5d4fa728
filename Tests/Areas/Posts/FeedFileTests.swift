import KinModel
import Testing

@testable import KinKeeper
@testable import KinPosts

/// Feeds of strangers: what is read of Atom and RSS, in plain text and within bounds.
@Suite struct FeedFileTests {
    static let address = "https://feeds.example.org/private/s3cret/feed.xml?token=t0ken"

    private func read(_ text: String) throws -> FeedFile { try FeedFile(Array(text.utf8), at: Self.address) }

    private func trouble(_ bytes: [UInt8]) -> NewsSource.Trouble? {
        do throws(FeedFile.NoFeed) {
            _ = try FeedFile(bytes, at: Self.address)
            return nil
        } catch { return error.trouble }
    }

    static func rss(_ items: String, channel: String = "", before: String = "") -> String {
        """
        \(before)<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
        xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:atom="http://www.w3.org/2005/Atom">\
        <channel><title>Town News</title>\(channel)\(items)</channel></rss>
        """
    }

    private func item(_ inside: String) throws -> FeedItem {
        try #require(try read(Self.rss("<item>\(inside)</item>")).items.first)
    }

    // MARK: The three formats

    @Test func `Atom is read, with its links, authors, times and texts of three types`() throws {
        let file = try read(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://news.example.org/a/">
              <title type="html">Town &amp;amp; Country</title>
              <link rel="self" href="https://feeds.example.org/private/s3cret/feed.xml?token=t0ken"/>
              <link href="/"/>
              <author><name>Mia</name></author>
              <entry><id>urn:1</id><title>Bridge &lt;closed&gt;</title><link href="bridge.html"/>
                <published>2026-11-20T18:04:05+01:00</published><updated>2026-11-21T00:00:00Z</updated>
                <summary>Until 3 &lt; 4 o'clock</summary></entry>
              <entry><id>urn:2</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">New <b>pool</b> opens</div></title>
                <link rel="enclosure" href="film.mp4"/><link rel="alternate" type="text/html" href="//other.example.org/pool"/>
                <author><name>Ben</name></author><updated>2026-11-19T08:00:00Z</updated>
                <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <em>big</em> pool.</p><p>And a slide.</p></div></content></entry>
              <entry><id>urn:3</id><title>Fair</title><content type="html">&lt;p&gt;Come&lt;br/&gt;all&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src="https://t.example/p.gif"&gt;</content></entry>
              <entry><id>urn:4</id><title>Film</title><content type="video/mp4" src="film.mp4"/></entry>
            </feed>
            """)
        #expect(file.title == "Town & Country" && file.site == "https://news.example.org/")
        #expect(file.items.map(\.title) == ["Bridge <closed>", "New pool opens", "Fair", "Film"])
        #expect(
            file.items.map(\.link) == [
                "https://news.example.org/a/bridge.html", "https://other.example.org/pool", nil, nil,
            ])
        #expect(file.items.map(\.author) == ["Mia", "Ben", "Mia", "Mia"])
        #expect(file.items[0].text == "Until 3 < 4 o'clock")
        #expect(file.items[1].text == "One big pool.\nAnd a slide.")
        #expect(file.items[2].text == "Come\nall")
        #expect(file.items[0].published == Instant("2026-11-20T17:04:05Z"))
        #expect(file.items[1].published == Instant("2026-11-19T08:00:00Z") && file.items[2].published == nil)
        #expect(Set(file.items.map(\.key)).count == 4)
    }

    @Test func `RSS is read as it is written: CDATA, HTML, entities that nobody declared, and a bare ampersand`() throws
    {
        let file = try read(
            Self.rss(
                """
                <item><title>Caf&eacute; &amp; Bar &ndash; AT&T</title><guid isPermaLink="false">g1</guid>
                  <link>https://news.example.org/a?b=1&amp;c=2</link><pubDate>Sat, 07 Sep 2002 9:42:31 GMT</pubDate>
                  <description><![CDATA[<p>Soup&nbsp;&amp; <b>b</b>read,<br>5&#8239;&euro;</p>
                  <style>p{color:red}</style><p>Open <i>late]]></description></item>
                <item><title><![CDATA[Q&A <i>today</i>]]></title><guid>https://news.example.org/q</guid>
                  <dc:creator>Ben</dc:creator><dc:date>2026-11-20</dc:date>
                  <content:encoded>&lt;div&gt;All&amp;amp;more&lt;/div&gt;</content:encoded></item>
                <item><description>No title,
                but lines</description></item>
                <item><link>/only-a-link</link></item>
                <item></item>
                """,
                channel: "<link>https://news.example.org/</link><atom:link href=\"\(Self.address)\" rel=\"self\"/>"))
        #expect(file.title == "Town News" && file.site == "https://news.example.org/")
        #expect(
            file.items.map(\.title) == [
                "Café & Bar – AT&T", "Q&A today", "No title, but lines", "https://news.example.org/only-a-link",
            ])
        #expect(file.items[0].text == "Soup & bread,\n5 €\nOpen late")
        #expect(file.items[1].text == "All&more")
        #expect(file.items[0].link == "https://news.example.org/a?b=1&c=2")
        #expect(file.items[1].link == "https://news.example.org/q" && file.items[1].author == "Ben")
        #expect(file.items[0].published == Instant("2002-09-07T09:42:31Z"))
        #expect(file.items[1].published == Instant("2026-11-20T00:00:00Z"))
    }

    @Test func `RSS 1.0 has its news beside the channel`() throws {
        let file = try read(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
              xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
              <channel rdf:about="https://club.example.org/"><title>Club</title><link>https://club.example.org/</link>
                <sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency></channel>
              <item rdf:about="https://club.example.org/1"><title>Match</title><link>https://club.example.org/1</link>
                <dc:date>2026-11-20T18:04+01:00</dc:date></item>
            </rdf:RDF>
            """)
        #expect(file.title == "Club" && file.everySeconds == 21_600)
        #expect(file.items.map(\.title) == ["Match"] && file.items[0].link == "https://club.example.org/1")
        #expect(file.items[0].published == Instant("2026-11-20T17:04:00Z"))
    }

    // MARK: Encodings

    static let encodings: [(String, [UInt8], String)] = [
        ("iso-8859-1", [0xE4, 0x80, 0x41, 0x93], "ä€A“"), ("windows-1252", [0xE4, 0x80, 0x41, 0x93], "ä€A“"),
        ("ISO-8859-15", [0xE4, 0xA4, 0xA8], "ä€š"), ("utf-8", [0xC3, 0xA4, 0xE2, 0x82, 0xAC], "ä€"),
        // Declared as one thing and written as the other.
        ("utf-8", [0xE4], "ä"), ("iso-8859-1", [0xC3, 0xA4], "ä"),
    ]
    @Test(arguments: encodings)
    func `other encodings are read, also where they say another`(name: String, bytes: [UInt8], text: String) throws {
        let parts = Self.rss(
            "<item><title>@@@</title></item>", before: "<?xml version=\"1.0\" encoding='\(name)' ?>\n"
        ).split(separator: "@@@", omittingEmptySubsequences: false)
        let file = try FeedFile(Array(parts[0].utf8) + bytes + Array(parts[1].utf8), at: Self.address)
        #expect(file.items.map(\.title) == [text])
    }

    @Test func `UTF-16 and a mark at the beginning are read`() throws {
        let text = Self.rss(
            "<item><title>Grüße 🎅</title></item>", before: "<?xml version=\"1.0\" encoding=\"utf-16\"?>")
        var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
        for unit in text.utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            little += [low, high]
            big += [high, low]
        }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(Self.rss("<item><title>Grüße 🎅</title></item>").utf8)
        for bytes in [little, big, marked] {
            #expect(try FeedFile(bytes, at: Self.address).items.map(\.title) == ["Grüße 🎅"])
        }
    }

    // MARK: Times

    static let times: [(String, String?)] = [
        ("Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T13:00:00Z"), ("2 Oct 02 15:00 EST", "2002-10-02T20:00:00Z"),
        ("Wed, 2-Oct-2002 15:00:00 GMT", "2002-10-02T15:00:00Z"),
        ("02 October 2002 15:00:00 CEST", "2002-10-02T13:00:00Z"),
        ("2026-11-20T18:04:05.123Z", "2026-11-20T18:04:05.123Z"), ("2026-11-20 18:04:05", "2026-11-20T18:04:05Z"),
        ("2026-11-20T18:04:05+0100", "2026-11-20T17:04:05Z"), ("2026-11-20", "2026-11-20T00:00:00Z"),
        ("yesterday", nil), ("", nil), ("Wed, 32 Oct 2002 15:00:00 GMT", nil), ("31 Nov 2026 00:00 GMT", nil),
        ("99 ---- ::", nil), ("1 jan 99999 1:1:1 x", nil),
    ]
    @Test(arguments: times)
    func `times are read as mail and as the internet write them`(text: String, moment: String?) {
        #expect(FeedDate.read(text) == moment.flatMap { Instant($0) })
    }

    // MARK: Strangers

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "ftp://a.example/", "file:///etc/passwd", "https://",
        "https://user@bank.example/", "https://bank.example@evil.example/", "https:evil", "https://a b/",
        "https://a.example/\u{202E}fdp", "mailto:ada@example.org", "https://a.example\\b", "HTTPS://\n",
    ])
    func `a link that is no page's is left out, and its news stay`(link: String) throws {
        #expect(try item("<title>T</title><link><![CDATA[\(link)]]></link>").link == nil)
        #expect(FeedLink.read(link, at: nil) == nil)
    }

    @Test func `of the feed's own address no more than the host is told on`() throws {
        let file = try read(
            Self.rss("<item><title>T</title><link>x.html</link></item>", channel: "<link>\(Self.address)</link>"))
        #expect(file.site == nil)
        let bare = try read(Self.rss("<item><title>T</title><link>x.html</link></item>"))
        #expect(bare.items[0].link == "https://feeds.example.org/x.html")
    }

    @Test(arguments: [
        ("https://a.example/b/c?d#e", "f", "https://a.example/b/f"),
        ("https://a.example/b/c", "?x=/y", "https://a.example/b/c?x=/y"),
        ("https://a.example", "f", "https://a.example/f"),
        ("http://a.example:8080/b/", "//c.example/d", "http://c.example/d"),
        ("https://a.example/b", "#top", "https://a.example/b#top"),
        ("https://a.example/b", "/c", "https://a.example/c"),
    ])
    func `links begin where the feed says`(base: String, link: String, whole: String) {
        #expect(FeedLink.read(link, at: base) == whole)
    }

    @Test func `markup that is not well-formed leaves its words, and nothing that scripts and styles say`() throws {
        let words = try item(
            "<title>T</title><description><![CDATA[a <b>bold word</a> <!-- <p>no</p> --> c<SCRIPT type=x>if (a < b) { no }</ScRiPt > d <x <y e> f <script>no]]></description>"
        ).text
        #expect(words == "a bold word c\nd\nf")
        let hidden = try item(
            "<title>T</title><description>&lt;p&gt;1 &amp;lt;script&amp;gt; 2&lt;/p&gt;</description>")
        #expect(hidden.text == "1 <script> 2", "what an entity hides is text")
    }

    @Test func `controls, turned and unseen letters are gone, and length is bounded`() throws {
        let long = String(repeating: "ä", count: 5000)
        let found = try item("<title>\(long)</title><description>\(long)\(long)</description>")
        #expect(found.title.unicodeScalars.count == 200 && found.title.hasSuffix("…"))
        #expect(found.text?.unicodeScalars.count == 2000)
        let odd = try item("<title>a\u{202E}b\u{0B}\u{1F}&#8;&#x202e;c\u{200B}d</title>")
        #expect(odd.title == "abcd")
    }

    @Test func `of too many news the newest are taken, each once`() throws {
        var items = ""
        for number in 0..<300 {
            items +=
                "<item><guid>g\(number)</guid><title>N\(number)</title><pubDate>\(1 + number % 28) Jan \(2000 + number / 28) 10:00 GMT</pubDate></item>"
        }
        items += "<item><guid>g299</guid><title>Again</title></item>"
        let file = try read(Self.rss(items))
        #expect(file.items.count == 200 && file.items.first?.title == "N100" && file.items.last?.title == "N299")
    }

    static let periods: [(String, Int64?)] = [
        ("<ttl>90</ttl>", 5400), ("<ttl>soon</ttl>", nil), ("<ttl>-5</ttl>", 0),
        ("<ttl>99999999999999999999</ttl>", nil), ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600),
        ("<sy:updatePeriod>weekly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 604_800), ("", nil),
    ]
    @Test(arguments: periods)
    func `how often it wants to be read is read`(channel: String, seconds: Int64?) throws {
        #expect(try read(Self.rss("", channel: channel)).everySeconds == seconds)
    }

    static let troubles: [(String, NewsSource.Trouble)] = [
        ("<!DOCTYPE html><html><body>Sign in</body></html>", .notFeed),
        (" \n<HTML><head>", .notFeed), ("<opml><body/></opml>", .notFeed), ("<rss version='2.0'/>", .notFeed),
        ("{\"version\": \"https://jsonfeed.org/version/1\"}", .broken), ("", .broken),
        ("<rss><channel><item><title>Half", .broken), ("<rss><channel></item></channel></rss>", .broken),
        // A billion laughs, and a file of the machine.
        (
            "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]><rss><channel><title>&b;</title></channel></rss>",
            .broken
        ),
        (
            "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss><channel><title>&x;</title></channel></rss>",
            .broken
        ),
        ("<rss>" + String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40) + "</rss>", .broken),
        ("<rss>" + String(repeating: "<a/>", count: 41_000) + "</rss>", .tooLarge),
    ]
    @Test(arguments: troubles)
    func `what is no feed is told apart`(text: String, expected: NewsSource.Trouble) {
        #expect(trouble(Array(text.utf8)) == expected)
    }

    @Test func `a feed that is all brackets and ampersands takes no longer than its length`() throws {
        let bad = String(repeating: "<script><!--<&", count: 20_000)
        let clock = ContinuousClock()
        let took = try clock.measure {
            for _ in 0..<3 { _ = try item("<title>T</title><description><![CDATA[\(bad)]]></description>") }
            #expect(trouble(Array(String(repeating: "&<![CDATA[", count: 100_000).utf8)) == .broken)
        }
        #expect(took < .seconds(20), "\(took)")
    }

    @Test func `the whole of it is bounded, whatever comes`() {
        for text in [
            Self.rss("<item><title>planted</title></item>"), "<feed><entry><title>x</title></entry></feed>", "<",
        ] {
            FeedFile.judge(Array(text.utf8), false)
        }
    }
}
