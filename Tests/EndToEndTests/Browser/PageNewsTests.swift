import Glibc
import KinCodec
import KinModel
import Testing

/// News from outside on the family's page, in Debian's Chromium against the real daemon and a server of feeds.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageNewsTests {
    let news: NewsServer

    init() throws { news = try NewsServer() }

    @Test func `an admin names a source, everybody reads and likes its news, and what one saw is seen`() throws {
        let house = news.house
        let (ada, bob) = (try Browser(news.stage), try Browser(news.stage))
        try ada.screen(width: 320, height: 700, isDark: false)
        try ada.signIn(house, "ada")
        try ada.run("location.hash = '#/posts/news'")
        try ada.wait(for: "There is no source of news yet", in: "kin-news")
        try ada.click("#news-sources")
        try ada.wait(for: "only once an admin allows it", in: "#news-outside")
        #expect(try !ada.sees("#news-address"))
        try ada.click("#allow-news")
        try ada.wait("the form") { try ada.sees("#news-address") }
        // A machine of the house is not asked, and the page says why.
        try ada.type(news.address("/good.xml?key=s3cret"), into: "#news-address")
        try ada.click("#add-news")
        try ada.wait(for: "kin outside allow", in: "#news-source-list")
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.draw("news-sources")
        // An admin allows it, and it is read.
        let door = try house.door(as: "ada")
        _ = try door.call("outside.allow", ["place": .string("127.0.0.1:\(news.port)")])
        try news.stage.wait("ten seconds to pass") {
            try ada.click(".read-source")
            return try ada.text("#news-source-list").contains("Town News")
        }
        try ada.click("dialog > div .actions button:last-child")
        try ada.wait(for: "Bridge closed", in: "#news")
        try bob.signIn(house, "bob")
        try bob.click("[data-tab=posts]")
        try bob.wait(for: "2", in: "#to-news .badge")
        try bob.click("#to-news")
        try bob.wait(for: "Until Friday.", in: ".news .words")
        #expect(try bob.text(".news .badge") == "new")
        let link = try bob.run(
            "const a = document.querySelector('.news .actions a'); return [a.href, a.rel, a.target].join(' ')"
        ).string
        #expect(link == "https://town.example.org/bridge?from=feed&now=1 noopener noreferrer _blank")
        // Nothing of it is fetched: neither a picture nor a page of the source.
        #expect(try bob.run("return document.querySelectorAll('kin-news img').length").int == 0)
        try bob.click(".news .likes [data-word=love]")
        try bob.click(".star-news")
        try ada.wait(for: "1", in: ".news .likes [data-word=love] .n")
        try ada.wait(for: "Interested: 1", in: ".star-news")
        try bob.wait("the news to be seen") {
            try house.door(as: "bob").call("news.list", [:])["unread"]?.int == 0
        }
        try bob.wait("the number to go") { try bob.text("#to-news .badge").isEmpty }
        // What is another outside is another here, without a word.
        try news.write("Bridge open again")
        let source = try door.call("news.sources", [:])["sources"]?.array?.first?["id"] ?? .null
        try news.stage.wait("ten seconds to pass") { (try? door.call("news.refresh", ["source": source])) != nil }
        try bob.wait(for: "Bridge open again", in: ".news .headline")
        try bob.wait(for: "changed", in: ".news .person")
        try bob.click("#news-starred")
        try bob.wait("only what somebody is interested in") {
            try bob.run("return document.querySelectorAll('.news').length").int == 1
        }
        #expect(try !bob.sees("#news-sources"))
        if let axe = PageTests.axe { #expect(try bob.violations(axe) == []) }
        // A source that fails says so, and its news stay.
        _ = try door.call("news.update", ["source": source, "address": .string(news.address("/gone"))])
        try news.stage.wait("ten seconds to pass") { (try? door.call("news.refresh", ["source": source])) != nil }
        try bob.wait(for: "Nothing is at its address any more", in: "kin-news .note")
        #expect(try bob.text("#news").contains("Bridge open again"))
        _ = try door.call("news.remove", ["source": source])
        try bob.wait(for: "No source of news is shown to you", in: "kin-news")
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `news are found by their words, and a source is called otherwise and removed, with a way back`() throws {
        let door = try news.house.door(as: "ada")
        _ = try door.call("news.allowOutside", ["on": true])
        _ = try door.call("outside.allow", ["place": .string("127.0.0.1:\(news.port)")])
        let made = try door.call("news.subscribe", ["address": .string(news.address("/good.xml"))])
        _ = try door.call("news.refresh", ["source": made["source"]?["id"] ?? .null])
        let (ada, bob) = (try Browser(news.stage), try Browser(news.stage))
        for (browser, name) in [(ada, "ada"), (bob, "bob")] {
            try browser.signIn(news.house, name)
            try browser.run("location.hash = '#/posts/news'")
            try browser.wait(for: "Bridge closed", in: "#news")
        }
        try bob.type("pool", into: "#search-news")
        try bob.wait("the one") { try bob.text("#news").contains("Pool") && !bob.text("#news").contains("Bridge") }
        try bob.type("zeppelin", into: "#search-news")
        try bob.wait("none") { try !bob.sees(".news") }
        try bob.type("bridge", into: "#search-news")
        try bob.wait(for: "Bridge closed", in: "#news")
        func change(_ selector: String) throws {
            try ada.click(".change-source")
            try ada.wait("the form") { try ada.sees("#source-name") }
            if selector == "#remove-source" { return try ada.click(selector) }
            try ada.type("Village paper", into: "#source-name")
            try ada.run(
                "[...document.querySelectorAll('dialog')].at(-1).querySelector(arguments[0]).click()",
                .string(selector))
        }
        try ada.click("#news-sources")
        try change("button[type=submit]")
        try ada.wait(for: "Village paper", in: "#news-source-list")
        try bob.wait(for: "Village paper", in: "#news")
        try change("#remove-source")
        try ada.wait("it to be out of sight") { try !ada.text("#news-source-list").contains("Village paper") }
        try ada.click("#told button")
        try ada.wait(for: "Village paper", in: "#news-source-list")
        #expect(try bob.text("#news").contains("Bridge closed"))
        try change("#remove-source")
        try bob.wait(for: "No source of news is shown to you", in: "kin-news")
        #expect(try door.call("news.sources", [:])["sources"]?.array?.isEmpty == true)
        #expect(try ada.log() == [] && bob.log() == [])
    }

    @Test func `news stay within small phones, light and dark, in both languages`() throws {
        let door = try news.house.door(as: "ada")
        _ = try door.call("news.allowOutside", ["on": true])
        _ = try door.call("outside.allow", ["place": .string("127.0.0.1:\(news.port)")])
        let made = try door.call(
            "news.subscribe",
            ["address": .string(news.address("/good.xml")), "name": "Donaudampfschifffahrtsgesellschaftsblatt"])
        let source = made["source"]?["id"] ?? .null
        _ = try door.call("news.refresh", ["source": source])
        for (width, height, isDark, language) in [
            (320, 700, false, "en"), (390, 844, true, "de"), (1280, 900, false, "de"),
        ] {
            let browser = try Browser(news.stage, language: language)
            try browser.screen(width: width, height: height, isDark: isDark)
            try browser.signIn(news.house, "ada")
            try browser.run("location.hash = '#/posts/news'")
            try browser.wait(for: "Bridge closed", in: "#news")
            #expect(try browser.run("return document.documentElement.scrollWidth <= innerWidth").bool == true)
            try browser.draw("news-\(width)-\(language)")
            if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        }
    }
}
