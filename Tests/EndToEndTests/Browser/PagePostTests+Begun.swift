import KinCodec
import KinModel
import Testing

/// Posts that are begun, and not sent yet.
extension PagePostTests {
    @Test func `what comes and is typed while a post is on its way is of the next one`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=posts]")
        func hung() throws -> Int64? { try browser.run("return document.querySelectorAll('.hung img').length").int }
        try browser.wait("the form") { try browser.sees("#post-text") }
        try browser.drop(pictures: 1, into: "#post-text")
        try browser.wait("the first") { try hung() == 1 }
        try browser.run(
            """
            const real = WebSocket.prototype.send
            WebSocket.prototype.send = function (text) {
              if (window.goOn || !String(text).includes("post.add")) return real.call(this, text)
              window.goOn = () => real.call(this, text)
            }
            """)
        try browser.type("At the lake", into: "#post-text")
        try browser.click("#send-post")
        try browser.wait("it to be on its way") { try browser.run("return !!window.goOn").bool == true }
        try browser.drop(pictures: 1, from: 2, into: "#post-text")
        try browser.wait("the second") { try hung() == 2 }
        try browser.type("In the woods", into: "#post-text")
        try browser.run("window.goOn()")
        try browser.wait(for: "At the lake", in: ".post .words")
        try browser.wait("the second to be left") { try hung() == 1 }
        #expect(try browser.run("return document.querySelector('#post-text').value") == "In the woods")
        try browser.click("#send-post")
        try browser.wait("both") { try house.snapshot("carol").posts.count == 2 }
        let posts = try house.snapshot("carol").posts.values.sorted { $0.id < $1.id }
        #expect(posts.map(\.text) == ["At the lake", "In the woods"] && posts.map(\.pictures.count) == [1, 1])
        #expect(Set(posts.flatMap(\.pictures).map(\.picture)).count == 2)
    }

    @Test func `a post waits for the pictures that are on their way, and goes with them`() throws {
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=posts]")
        try browser.wait("the form") { try browser.sees("#post-text") }
        // The picture waits on its way.
        try browser.run(
            """
            const real = window.fetch
            window.fetch = async (address, how) => {
              if (how?.method === "PATCH" && !window.mayGo) await new Promise(resolve => { window.goOn = resolve })
              return real(address, how)
            }
            """)
        try browser.type("At the lake", into: "#post-text")
        try browser.drop(pictures: 1, into: "#post-text")
        try browser.wait("it to be on its way") { try browser.run("return !!window.goOn").bool == true }
        try browser.click("#send-post")
        try browser.wait("the button to wait") { try browser.sees("#send-post[aria-busy=true]") }
        #expect(try house.snapshot("carol").posts.isEmpty)
        try browser.run("window.mayGo = true; window.goOn()")
        try browser.wait("the post") { try house.snapshot("carol").posts.count == 1 }
        #expect(try house.snapshot("carol").posts.values.map(\.pictures.count) == [1])
        try browser.wait("nothing to be left of it") { try !browser.sees(".hung") && !browser.sees(".tray li") }
        #expect(try browser.log() == [])
    }

    @Test func `pictures that hang on a begun post and what it is tied to are there again, as far as they are there`()
        throws
    {
        _ = try house.door(as: "ada").call("list.add", ["name": "Groceries", "audience": "everyone"])
        let browser = try Browser(stage)
        try browser.signIn(house, "ada")
        try browser.click("[data-tab=posts]")
        func hung() throws -> Int64? { try browser.run("return document.querySelectorAll('.hung img').length").int }
        /// The page anew, in the same tab.
        func load() throws {
            try browser.open(house.url + "/healthz")
            try browser.open(house.url + "/#/posts")
            try browser.wait("the page to be live") { try browser.sees("#post-text") && !browser.sees(".line") }
        }
        try browser.wait("the form") { try browser.sees("#post-text") }
        try browser.drop(pictures: 3, into: "#post-text")
        try browser.wait("the pictures") { try hung() == 3 }
        try browser.type("At the lake", into: ".hung:first-child input")
        try browser.click("#post-about")
        try browser.click("#about-choice button")
        try browser.wait(for: "Groceries", in: "kin-posts")
        // One goes before the page is there again: the daemon keeps none for long.
        let ids = try browser.run("return document.querySelector('kin-posts').hung.map(one => one.picture)").array ?? []
        let (first, last) = (try #require(ids.first), try #require(ids.last))
        _ = try house.door(as: "ada").call("picture.remove", ["picture": last, "atOnce": true])
        try load()
        try browser.wait("those that wait") { try hung() == 2 }
        #expect(try browser.run("return document.querySelector('.hung input').value") == "At the lake")
        try browser.wait(for: "Groceries", in: "kin-posts")
        // What is taken out stays out.
        try browser.click(".hung:last-child button")
        try browser.wait("it to be out") { try hung() == 1 }
        try load()
        try browser.wait("the one that is left") { try hung() == 1 }
        try browser.click("#send-post")
        try browser.wait("the post") { try house.snapshot("carol").posts.count == 1 }
        let post = try #require(try house.snapshot("carol").posts.values.first)
        #expect(post.pictures.map { JSON.id($0.picture) } == [first])
        #expect(post.pictures.first?.caption == "At the lake")
        #expect(post.about?.hasPrefix("list/") == true)
        try browser.wait(for: "Groceries", in: ".post .post-about")
        try browser.wait("nothing to be left of it") { try hung() == 0 }
        // What was sent comes with no other, and a list that is gone is tied to none.
        let list = try #require(try house.door(as: "ada").call("list.list", [:])["lists"]?.array?.first?["id"])
        try browser.click("#post-about")
        try browser.click("#about-choice button")
        let tied = "return document.querySelector('kin-posts').tied"
        try browser.wait("the tie") { try browser.run(tied).string != nil }
        _ = try house.door(as: "ada").call("list.remove", ["list": list])
        try load()
        try browser.wait("the tie to go") { try browser.run(tied) == .null }
        #expect(try hung() == 0)
    }
}
