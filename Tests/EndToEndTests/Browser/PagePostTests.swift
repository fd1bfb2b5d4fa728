import Glibc
import KinCodec
import KinModel
import Testing

/// The feed on the family's page, in Debian's Chromium against the real daemon.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PagePostTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    @Test func `a post is written by one, answered and liked by another, and each sees it at once`() throws {
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=posts]")
        }
        try ada.wait(for: "Nobody has written anything yet", in: "kin-posts")
        try ada.type("Soup is ready", into: "#post-text")
        try ada.click("#send-post")
        try carol.wait(for: "Soup is ready", in: ".post")
        try carol.type("On my way", into: ".comment-text")
        try carol.click(".send-comment")
        try carol.click(".post > .likes [data-word=love]")
        try ada.wait(for: "On my way", in: ".comment")
        try ada.wait(for: "1", in: ".post > .likes [data-word=love] .n")
        try ada.click(".answer-comment")
        try ada.wait(for: "Answer to", in: ".answering")
        try ada.type("Bring bread", into: ".comment-text")
        try ada.click(".send-comment")
        try carol.wait(for: "Bring bread", in: ".comment.answer")
        try carol.wait("the own word to be marked") {
            try carol.run("return document.querySelector('[data-word=love]').ariaPressed").string == "true"
        }
        try ada.click(".edit-post")
        try ada.wait("the form") { try ada.sees("#edit-text") }
        try ada.type("Soup is ready now", into: "#edit-text")
        try ada.click("dialog button[type=submit]")
        try carol.wait(for: "edited", in: ".post")
        try carol.wait(for: "Soup is ready now", in: ".post .words")
        // Only what one may do is offered.
        let offered = "return document.querySelectorAll('.edit-post, .remove-post, .pin-post').length"
        #expect(try carol.run(offered).int == 0)
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        _ = try house.door(as: "ada").call(
            "post.remove", ["post": .id(try #require(house.snapshot("ada").posts.keys.first))])
        try carol.wait(for: "Nobody has written anything yet", in: "kin-posts")
        #expect(try ada.log() == [] && carol.log() == [])
    }

    @Test func `a post is for some by its form, is narrowed, pinned and removed, and a comment is changed and removed`()
        throws
    {
        try house.join("dan")
        let (ada, carol, dan) = (try Browser(stage), try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol"), (dan, "dan")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=posts]")
        }
        /// Ticks somebody among those who are to see it, or unticks them.
        func toggle(_ name: String, in part: String) throws {
            let wasThere = try ada.run(
                """
                const [part, name] = arguments, choice = document.querySelector(`${part} select`)
                choice.value = "some"
                choice.dispatchEvent(new Event("change"))
                const box = [...document.querySelectorAll(`${part} fieldset label`)].find(one => one.textContent === name)
                box?.querySelector("input").click()
                return !!box
                """, .string(part), .string(name))
            #expect(wasThere.bool == true, "\(name) cannot be chosen")
        }
        func kite(_ browser: Browser) throws -> Bool { try browser.text("kin-posts").contains("A kite for Dan?") }
        try ada.type("A kite for Dan?", into: "#post-text")
        try toggle("Carol", in: "kin-posts details")
        try ada.click("#send-post")
        try carol.wait(for: "A kite for Dan?", in: ".post .words")
        #expect(try !kite(dan))
        try carol.type("On my wya", into: ".comment-text")
        try carol.click(".send-comment")
        try ada.wait(for: "On my wya", in: ".comment")
        #expect(try !ada.sees(".edit-comment"), "words are their author's")
        try carol.click(".edit-comment")
        try carol.type("On my way", into: "dialog textarea")
        try carol.click("dialog button[type=submit]")
        try ada.wait(for: "On my way", in: ".comment .words")
        try ada.wait(for: "edited", in: ".comment")
        // The author of the post takes away what stands under it.
        try ada.click(".remove-comment")
        try carol.wait("the comment to go") { try !carol.sees(".comment") }
        // Who saw it sees it no more.
        try ada.click(".edit-post")
        try ada.wait("the form") { try ada.sees("#edit-text") }
        for name in ["Carol", "Dan"] { try toggle(name, in: "dialog") }
        try ada.click("dialog button[type=submit]")
        try dan.wait("the post") { try kite(dan) }
        try carol.wait("the post to go") { try !kite(carol) }
        try ada.click(".pin-post")
        try dan.wait(for: "pinned", in: ".post")
        // What is removed can be had back for a moment, and nobody else saw it go.
        try ada.click(".remove-post")
        try ada.wait("it to be out of sight") { try !kite(ada) }
        try ada.click("#told button")
        try ada.wait("it to be there again") { try kite(ada) }
        #expect(try kite(dan))
        try ada.click(".remove-post")
        try dan.wait("the post to go") { try !kite(dan) }
        #expect(try house.snapshot("ada").posts.isEmpty)
        #expect(try ada.log() == [] && carol.log() == [] && dan.log() == [])
    }

    @Test func `the feed is of one member where one wants, and what that member writes then comes`() throws {
        let (ada, carol) = (try house.door(as: "ada"), try house.door(as: "carol"))
        _ = try ada.call("post.add", ["text": "Soup is ready", "audience": "everyone"])
        _ = try carol.call("post.add", ["text": "Bread is baked", "audience": "everyone"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=posts]")
        try browser.wait(for: "Bread is baked", in: "#posts")
        func choose(_ member: JSON) throws {
            try browser.run(
                """
                const choice = document.querySelector("#posts-by")
                choice.value = arguments[0]
                choice.dispatchEvent(new Event("change"))
                """, member)
        }
        try choose(.id(try #require(try house.snapshot("carol").me)))
        try browser.wait("the others to go") { try !browser.text("#posts").contains("Soup") }
        #expect(try browser.text("#posts").contains("Bread is baked"))
        if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
        _ = try ada.call("post.add", ["text": "Soup is gone", "audience": "everyone"])
        _ = try carol.call("post.add", ["text": "Bread is cut", "audience": "everyone"])
        try browser.wait(for: "Bread is cut", in: "#posts")
        #expect(try !browser.text("#posts").contains("Soup"))
        // Words and a member together.
        try browser.type("baked", into: "#search-posts")
        try browser.wait("those with the word") { try !browser.text("#posts").contains("Bread is cut") }
        #expect(try browser.text("#posts").contains("Bread is baked"))
        try browser.type("soup", into: "#search-posts")
        try browser.wait(for: "No post has these words", in: "kin-posts")
        #expect(try browser.log() == [])
    }

    @Test func `older posts and earlier comments are asked for, and an address leads to one post`() throws {
        let door = try house.door(as: "ada")
        // Each takes about 4 kB, so that no snapshot holds all of them.
        let long = String(repeating: "ä", count: 3900)
        for number in 1...20 { _ = try door.call("post.add", ["text": .string("Day \(number) \(long)")]) }
        let first = try #require(
            try door.call("post.list", ["words": "day 1 ", "limit": 50])["posts"]?.array?.last?["id"]?.identifier)
        let browser = try Browser(stage)
        try browser.signIn(house, "carol")
        try browser.click("[data-tab=posts]")
        try browser.wait(for: "Day 20", in: ".post")
        #expect(try house.snapshot("carol").posts[first] == nil)
        // They come by themselves, and only some of them stand in the page.
        try browser.wait("the oldest") {
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            return try browser.text("#posts").contains("Day 1 ")
        }
        #expect(try browser.run("return document.querySelector('.post:last-child').ariaSetSize") == "20")
        _ = try browser.run("location.hash = '#/posts/\(first)'")
        try browser.wait("the one") { try browser.run("return document.querySelectorAll('.post').length").int == 1 }
        _ = try browser.run("location.hash = '#/posts/01980000-0000-7000-8000-0000000000ff'")
        try browser.wait(for: "not there any more", in: "kin-posts")
    }

    @Test func `the feed stays within small phones, light and dark, in both languages`() throws {
        let door = try house.door(as: "ada")
        let post =
            try door.call(
                "post.add",
                [
                    "text": "Soup is ready, @carol\n\nThere is bread, too.",
                    "link": "https://example.org/a/very/long/address/of/soup?with=everything&and=more",
                ]
            )["post"]?["id"] ?? .null
        let comment = try house.door(as: "carol").call("comment.add", ["post": post, "text": "On my way"])
        _ = try door.call("post.update", ["post": post, "pinned": true])
        _ = try door.call(
            "like.set", ["post": post, "comment": comment["comment"]?["id"] ?? .null, "reaction": "thanks"])
        _ = try house.door(as: "carol").call("like.set", ["post": post, "reaction": "love"])
        _ = try house.door(as: "carol").call("post.add", ["text": "Who has the keys?"])
        for (language, width, isDark) in [("en", 390, false), ("de", 320, true)] {
            let browser = try Browser(stage, language: language)
            try browser.screen(width: width, height: 844, isDark: isDark)
            try browser.signIn(house, "ada")
            try browser.click("[data-tab=posts]")
            try browser.wait(for: "On my way", in: ".comment")
            #expect(try browser.run("return document.documentElement.scrollWidth").int == Int64(width))
            if let axe = PageTests.axe { #expect(try browser.violations(axe) == []) }
            #expect(try browser.log() == [])
            try browser.draw("feed-\(language)")
        }
    }

    @Test(arguments: ["en", "de"])
    func `a link shows a post to a stranger, with times of the stranger's zone, and ends where it was made`(
        language: String
    ) throws {
        let door = try house.door(as: "ada")
        _ = try door.call("post.add", ["text": "Soup is ready"])
        let ada = try Browser(stage, language: language)
        try ada.screen(width: 390, height: 844, isDark: language == "de")
        try ada.signIn(house, "ada")
        _ = try ada.run("location.hash = '#/posts'")
        try ada.wait(for: "Soup is ready", in: ".post")
        try ada.click(".post-links")
        try ada.wait("the dialog") { try ada.sees("#link-days") }
        #expect(try !ada.sees("#post-links"), "there is none yet")
        if let axe = PageTests.axe { #expect(try ada.violations(axe) == []) }
        try ada.draw("post-links-\(language)")
        try ada.click("#make-link")
        try ada.wait("the link") { try ada.run("return document.body.innerText.includes('/shared/')").bool == true }
        try ada.draw("post-link-\(language)")
        let text = try ada.text("dialog")
        let secret = try #require(
            text.ranges(of: "/shared/").first.map { text[$0.upperBound...].prefix { !$0.isWhitespace } })
        // A stranger, on the other side of the world.
        let guest = try Browser(stage, language: language)
        try guest.screen(width: 390, height: 844, isDark: language == "de")
        try guest.tell("Emulation.setTimezoneOverride", ["timezoneId": "Pacific/Auckland"])
        try guest.open("\(house.url)/shared/\(secret)")
        try guest.click("button[name=look]")
        try guest.wait(for: "Soup is ready", in: "article")
        try guest.wait(for: "Pacific/Auckland", in: "[data-zone]")
        let there = try guest.run(
            """
            const time = document.querySelector("article time")
            return new Date(time.dateTime).getHours() === +time.textContent.match(/(\\d+):\\d\\d/)[1] % 24
                || /[ap]\\.?m/i.test(time.textContent)
            """)
        #expect(there.bool == true)
        try guest.draw("post-shared-\(language)")
        // Without script they are the family's, and say so.
        let plain = try Browser(stage, language: language)
        try plain.tell("Emulation.setScriptExecutionDisabled", ["value": true])
        try plain.open("\(house.url)/shared/\(secret)")
        try plain.click("button[name=look]")
        try plain.wait(for: "(UTC)", in: "[data-zone]")
        #expect(try plain.text("article").contains("UTC"))
        try ada.pressEscape()
        try ada.click(".post-links")
        try ada.click("#post-links button")
        try ada.wait("no link to be left") { try !ada.sees("#post-links") }
        try guest.open("\(house.url)/shared/\(secret)")
        try guest.click("button[name=look]")
        try guest.wait(for: language == "de" ? "gilt nicht mehr" : "This link is over")
        #expect(try ada.log() == [])
    }

    @Test func `a post shows a list of the family's, and leads to it`() throws {
        _ = try house.door(as: "ada").call("list.add", ["name": "Groceries", "audience": "everyone"])
        let (ada, carol) = (try Browser(stage), try Browser(stage))
        for (browser, name) in [(ada, "ada"), (carol, "carol")] {
            try browser.signIn(house, name)
            try browser.click("[data-tab=posts]")
        }
        try ada.type("Who shops?", into: "#post-text")
        try ada.click("#post-about")
        try ada.click("#about-choice button")
        try ada.wait(for: "Groceries", in: "kin-posts")
        for width in [320, 390, 1280] {
            try ada.screen(width: width, height: 844)
            try ada.draw("post-about-\(width)")
        }
        if let axe = PageTests.axe {
            let found = try ada.violations(axe)
            #expect(found == [], "\(found)")
        }
        try ada.click("#send-post")
        try carol.wait(for: "Groceries", in: ".post .post-about")
        // What was shown is not shown again with the next one.
        try ada.wait(for: "Groceries", in: ".post .post-about")
        try ada.wait("it to be let go") { try ada.run("return document.querySelector('kin-posts').tied") == .null }
        try carol.click(".post .post-about")
        try carol.wait("the list") { try carol.sees("kin-lists") }
        #expect(try carol.log() == [])
    }

    @Test func `a post and a message show an entry of the calendar, and lead to it`() throws {
        let start = Instant(milliseconds: Int64(time(nil)) * 1000).adding(days: 2)
        let door = try house.door(as: "ada")
        _ = try door.call(
            "entry.add",
            [
                "subject": "Fair", "start": .string(String(start.description.prefix(10))),
                "end": .string(String(start.description.prefix(10))), "zone": "UTC",
            ])
        let ada = try Browser(stage)
        try ada.signIn(house, "ada")
        try ada.click("[data-tab=posts]")
        try ada.type("Who comes?", into: "#post-text")
        try ada.click("#post-about")
        try ada.wait(for: "Fair", in: "#about-choice")
        try ada.click("#about-choice button")
        try ada.wait(for: "Entry: Fair", in: "kin-posts")
        try ada.click("#send-post")
        try ada.wait(for: "Entry: Fair", in: ".post .post-about")
        let href = "return document.querySelector(arguments[0]).getAttribute('href')"
        let address = try ada.run(href, ".post .post-about").string
        #expect(address?.hasPrefix("#/calendar/") == true)
        let room = try #require(try house.snapshot("ada").rooms.values.first { $0.room.kind == .family }).room.id
        let entry = try #require(address?.split(separator: "/").last)
        _ = try door.call("message.send", ["room": .id(room), "about": .string("entry/\(entry)")])
        try ada.click("[data-tab=chat]")
        try ada.click("#rooms a[href='#/chat/\(room)']")
        try ada.wait(for: "Entry: Fair", in: ".message .about")
        #expect(try ada.run(href, ".message .about").string == address)
        // A meal is named, too: a message that shows nothing would be empty.
        let meal = try door.call(
            "meal.put", ["title": "Soup", "date": .string(String(start.description.prefix(10))), "slot": "dinner"])
        let dinner = try #require(meal["meal"]?["id"]?.string)
        _ = try door.call("message.send", ["room": .id(room), "about": .string("meal/\(dinner)")])
        try ada.wait(for: "Meal: Soup", in: "kin-chat")
        #expect(try ada.log() == [])
    }

    @Test func `a post shows what its meal is called now, of whatever day, and says when it is gone`() throws {
        let door = try house.door(as: "ada")
        for (day, text) in [(-30 as Int64, "As then"), (2, "Who comes?")] {
            let date = Instant(milliseconds: Int64(time(nil)) * 1000).adding(days: day).description.prefix(10)
            let meal = try #require(
                try door.call("meal.put", ["title": "Soup", "date": .string(String(date))])["meal"]?["id"])
            let post = try door.call(
                "post.add", ["text": .string(text), "about": .string("meal/\(meal.string ?? "")")])["post"]
            let carol = try Browser(stage)
            try carol.signIn(house, "carol")
            try carol.click("[data-tab=posts]")
            try carol.wait(for: "Meal: Soup", in: ".post .post-about")
            _ = try door.call("meal.put", ["meal": meal, "title": "Stew"])
            try carol.wait(for: "Meal: Stew", in: ".post .post-about")
            // A page that comes later holds nothing of what it was called before.
            try carol.run("location.reload()")
            try carol.wait(for: "Meal: Stew", in: ".post .post-about")
            _ = try door.call("meal.remove", ["meal": meal])
            try carol.wait(for: "or that is gone", in: ".post .post-about")
            #expect(try carol.log() == [])
            _ = try door.call("post.remove", ["post": post?["id"] ?? .null])
        }
    }

    @Test func `a post is quoted with who said it, leads there, and is not said to whoever does not see it`() throws {
        try house.join("dan")
        let door = try house.door(as: "ada")
        let carolsID = try house.snapshot("carol").me
        let said = try door.call(
            "post.add", ["text": "Soup is ready", "audience": [.id(try #require(carolsID))]])
        let soup = try #require(said["post"]?["id"]?.identifier)
        // It is older than what the page holds.
        let long = String(repeating: "ä", count: 3900)
        for number in 1...20 { _ = try door.call("post.add", ["text": .string("Day \(number) \(long)")]) }
        #expect(try house.snapshot("carol").posts[soup] == nil)
        let (carol, dan) = (try Browser(stage), try Browser(stage))
        try carol.screen(width: 390, height: 844)
        for (browser, name) in [(carol, "carol"), (dan, "dan")] { try browser.signIn(house, name) }
        _ = try carol.run("location.hash = '#/posts/\(soup)'")
        try carol.wait(for: "Soup is ready", in: ".post .words")
        try carol.click(".quote-post")
        try carol.wait(for: "Soup is ready", in: ".card > .slot")
        try carol.type("On my way", into: "#post-text")
        try carol.click("#send-post")
        try carol.wait(for: "Soup is ready", in: ".post a.quote")
        try carol.wait(for: "On my way", in: ".post .words")
        #expect(try carol.run("return document.documentElement.scrollWidth").int == 390)
        if let axe = PageTests.axe { #expect(try carol.violations(axe) == []) }
        try carol.draw("post-quote")
        // Dan sees the post that quotes, and not the quoted one.
        try dan.click("[data-tab=posts]")
        try dan.wait(for: "On my way", in: ".post .words")
        try dan.wait(for: "Something that you do not see", in: ".post .post-about")
        #expect(try !dan.text("kin-posts").contains("Soup is ready"))
        try carol.click(".post a.quote")
        try carol.wait("the quoted one alone") {
            try carol.run("return location.hash").string == "#/posts/\(soup)"
                && carol.text("#posts").contains("Soup is ready")
        }
        // Where it is gone, so are the words in what quotes it.
        _ = try door.call("post.remove", ["post": .id(soup)])
        _ = try carol.run("location.hash = '#/posts'")
        try carol.wait(for: "Something that you do not see", in: ".post .post-about")
        #expect(try !carol.text("kin-posts").contains("Soup is ready"))
        // That a page may not see something is told by the browser, too.
        _ = try (carol.log(), dan.log())
    }

    @Test func `a picture that is in the gallery is posted from there, and stays there where it is not`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        func count(_ selector: String) throws -> Int64? {
            try browser.run("return document.querySelectorAll(arguments[0]).length", .string(selector)).int
        }
        try browser.click("[data-tab=pictures]")
        try browser.drop(pictures: 1, into: "kin-gallery")
        try browser.wait("it to be there") { try count("#pictures img") == 1 }
        let picture = try #require(try house.snapshot("ada").pictures.keys.first)
        func bring() throws {
            try browser.click("#pictures .picture")
            try browser.wait("what may be done with it") { try browser.sees("dialog.viewer .edit-picture") }
            try browser.click("dialog.viewer .post-picture")
            try browser.wait("the post that is begun") { try count(".hung img") == 1 }
            #expect(try browser.run("return location.hash").string == "#/posts")
        }
        try bring()
        try browser.click(".hung button")
        try browser.wait("it to be taken out") { try count(".hung img") == 0 }
        #expect(try house.snapshot("ada").pictures[picture]?.binned == nil)
        // Whoever looks for something there sees what was brought all the same.
        try browser.type("nothing like that", into: "#search-posts")
        try browser.wait("what is looked for") { try !browser.sees("#post-text") }
        try browser.look(
            "return import(folder + 'posts.js').then(all => all.bring({ id: arguments[0][0] }))",
            .id(picture))
        try browser.wait("what was brought") { try browser.sees("#post-text") && count(".hung img") == 1 }
        #expect(try browser.run("return document.querySelector('#search-posts').value").string == "")
        #expect(try browser.run("return document.activeElement.id").string == "post-text")
        try browser.click(".hung button")
        try browser.wait("it to be taken out") { try count(".hung img") == 0 }
        try browser.click("[data-tab=pictures]")
        try browser.wait("the gallery") { try count("#pictures img") == 1 }
        try bring()
        try browser.type("Look", into: "#post-text")
        try browser.click("#send-post")
        try browser.wait("the post") { try count(".post .shots img") == 1 }
        #expect(try house.snapshot("carol").posts.values.first?.pictures.map(\.picture) == [picture])
        // It stands in one post, and is offered for no other.
        try browser.click("[data-tab=pictures]")
        try browser.wait("the gallery") { try count("#pictures img") == 1 }
        try browser.click("#pictures .picture")
        try browser.wait("what may be done with it") { try browser.sees("dialog.viewer .edit-picture") }
        #expect(try !browser.sees("dialog.viewer .post-picture"))
        #expect(try browser.log() == [])
    }

    @Test func `a post is sent on to another program with its link, or says that it has none`() throws {
        let door = try house.door(as: "ada")
        _ = try door.call("post.add", ["text": "Soup", "link": "https://example.org/soup", "audience": "everyone"])
        let carol = try Browser(stage)
        try carol.lendShare()
        try carol.signIn(house, "carol")
        try carol.click("[data-tab=posts]")
        for link in ["https://example.org/soup", "not available"] {
            if link == "not available" {
                _ = try door.call(
                    "post.update", ["post": .id(try #require(house.snapshot("ada").posts.keys.first)), "link": .null])
                try carol.wait("the link to be gone") { try !carol.sees(".post a[href^='https://example.org']") }
            }
            try carol.wait("the post") { try carol.sees(".post") }
            try carol.run(
                "[...document.querySelectorAll('.post button')].find(one => one.textContent === 'Send on').click()")
            try carol.wait("it to be sent on") {
                try carol.run("return window.sent?.text").string == "Check out this article.\n\(link)"
            }
        }
        #expect(try carol.log() == [])
    }
}
