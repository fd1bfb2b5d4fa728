import KinModel
import Testing

/// Screens while the daemon is away: none says that nothing is there where nobody was asked, and nothing that is typed is
/// lost.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageAwayTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    /// The page with all its screens loaded, at home.
    private func page(_ browser: Browser, in house: House) throws {
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.wait("its screens") {
            try browser.run(
                "return ['gallery', 'posts', 'lists', 'chat', 'calendar'].every(one => customElements.get(`kin-${one}`))"
            ).bool == true
        }
    }

    private func go(_ screen: String, _ browser: Browser) throws {
        try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
    }

    private static let nobody = "01980000-0000-7000-8000-0000000000ff"
    private static let unknown = "What there is here is shown as soon as Kinwire is reached again."

    @Test func `what was not asked for is not said to be nothing, and is asked for as soon as there is a line`() throws
    {
        let browser = try Browser(stage)
        try page(browser, in: house)
        house.kill()
        try browser.wait(for: "What you see is as of", in: ".line")
        // What each says instead of what it says when it knows.
        let screens = [
            ("pictures", "There are no pictures here yet"), ("posts", "Nobody has written anything yet"),
            ("posts/\(Self.nobody)", "not there any more"), ("lists/\(Self.nobody)", "not there any more"),
            ("chat/\(Self.nobody)", "not there any more"), ("lists", "There is no list yet"),
        ]
        for (screen, claim) in screens {
            try go(screen, browser)
            try browser.wait(for: Self.unknown, in: "main")
            #expect(try !browser.text("main").contains(claim), "\(screen)")
            // That Kinwire is away is said once.
            #expect(try browser.text("body").ranges(of: "not reached").count == 1, "\(screen)")
        }
        try go("posts", browser)
        try browser.type("soup", into: "#search-posts")
        try browser.wait(for: "The page searches as soon as Kinwire is reached", in: "kin-posts")
        #expect(try !browser.text("kin-posts").contains("No post has these words"))
        _ = try browser.run("location.hash = '#/pictures/\(Self.nobody)'")
        try browser.wait(for: "not reached", in: "dialog.viewer")
        #expect(try !browser.text("dialog.viewer").contains("gone"))
        try browser.pressEscape()
        // The same screens, as soon as somebody is there to ask.
        try go("posts", browser)
        try browser.type("soup", into: "#search-posts")
        try house.start()
        try browser.wait(for: "No post has these words", in: "kin-posts")
        for (screen, claim) in screens.dropLast() {
            try go(screen, browser)
            try browser.wait(for: claim, in: "main")
        }
        #expect(try !browser.text("main").contains(Self.unknown))
    }

    @Test func `home and map do not say that nobody and nothing is there while Kinwire is away`() throws {
        let (ada, bob) = (try house.door(as: "ada"), try house.door(as: "bob"))
        _ = try bob.call("sharing.set", ["state": "on"])
        _ = try bob.call("position.report", ["lat": 45.28, "lon": 13.72, "accuracy": 8, "at": .time(Instant.now)])
        let tomorrow = String(Instant.now.adding(seconds: 86_400).description.prefix(10))
        _ = try ada.call("entry.add", ["subject": "Fair", "start": .string(tomorrow), "end": .string(tomorrow)])
        _ = try ada.call("activity.say", ["text": "Soup is ready"])
        let browser = try Browser(stage)
        try page(browser, in: house)
        try browser.wait(for: "Bob", in: ".people")
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try browser.wait(for: "Fair", in: "[aria-labelledby=home-next]")
        try browser.wait("the page to be live") { try !browser.sees(".line") }
        let style = try #require(try browser.run("return document.querySelector('link[rel=stylesheet]').href").string)
        house.kill()
        // An hour later.
        try browser.open(style)
        try browser.run(
            """
            return new Promise((done, fail) => {
              const asked = indexedDB.open("kinwire")
              asked.onsuccess = () => {
                const work = asked.result.transaction("held", "readwrite"), store = work.objectStore("held")
                store.get("family").onsuccess = ({ target: { result } }) => {
                  for (const one of result.snapshot.positions) one.at = new Date(new Date(one.at) - 3_600_000).toISOString()
                  store.put(result, "family")
                }
                work.oncomplete = () => { asked.result.close(); done(true) }
                work.onabort = () => fail(work.error)
              }
            })
            """)
        try browser.open(house.url + "/")
        try browser.wait(for: "What you see is as of", in: ".line")
        for (screen, count) in [("home", 3), ("map", 1)] {
            try go(screen, browser)
            try browser.wait("what is not known to be said") {
                try browser.text("kin-\(screen)").ranges(of: Self.unknown).count >= count
            }
            let text = try browser.text("main")
            for claim in ["Nobody shows you", "Nothing is on", "Nothing new was said"] {
                #expect(!text.contains(claim), "\(screen): \(claim)")
            }
        }
        try go("home", browser)
        try house.start()
        try browser.wait(for: "Bob", in: ".people")
        try browser.wait(for: "Fair", in: "[aria-labelledby=home-next]")
        try browser.wait(for: "Soup is ready", in: "kin-said")
        #expect(try !browser.text("main").contains(Self.unknown))
    }

    @Test func `a meeting that is known says nothing of the rest of the calendar while Kinwire is away`() throws {
        let (ada, bob) = (try house.door(as: "ada"), try house.door(as: "bob"))
        let members = try ada.call("member.list", [:])["members"]?.array ?? []
        let made = try bob.call(
            "meeting.propose",
            [
                "title": "Sunday dinner", "kind": "group", "zone": "Europe/Berlin",
                "slots": [["start": "2036-11-23T17:00:00Z", "end": "2036-11-23T19:00:00Z"]],
                "invitees": .array(members.filter { $0["username"] == "ada" }.compactMap { $0["id"] }),
            ])["meeting"]
        _ = try bob.call(
            "meeting.confirm",
            ["meeting": made?["id"] ?? .null, "slot": made?["slots"]?.array?.first?["id"] ?? .null])
        let browser = try Browser(stage)
        try page(browser, in: house)
        let next = "[aria-labelledby=home-next]", rest = "What else is on is shown as soon as Kinwire is reached again."
        try browser.wait(for: "Sunday dinner", in: next)
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(house.url + "/")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        #expect(try !browser.text(next).contains(rest))
        let style = try #require(try browser.run("return document.querySelector('link[rel=stylesheet]').href").string)
        house.kill()
        try browser.open(style)
        try browser.open(house.url + "/")
        try browser.wait(for: "What you see is as of", in: ".line")
        try browser.wait(for: "Sunday dinner", in: next)
        try browser.wait(for: rest, in: next)
        try house.start()
        try browser.wait("all to be known") { try !browser.sees(".line") && !browser.text(next).contains(rest) }
        #expect(try browser.text(next).contains("Sunday dinner"))
    }

    @Test func `an open gallery says what it does not know while Kinwire is away, and then goes on where it was`()
        throws
    {
        let file = stage.folder + "/picture.png"
        try stage.run("sh", "-c", "printf %s '\(UpkeepTests.picture)' | base64 -d >\(file)")
        try stage.run("kin", "pictures", "add", file, "--for", "everyone", "--album", "Italy", "--as", "bob")
        let browser = try Browser(stage)
        try page(browser, in: house)
        try go("pictures", browser)
        let count = "return document.querySelectorAll('#pictures .picture').length"
        try browser.wait("the picture and its album") {
            try browser.run(count).int == 1
                && browser.run("return document.querySelector('kin-gallery').album.options.length").int == 2
        }
        house.kill()
        try browser.wait(for: "as of", in: ".line")
        #expect(try browser.run(count).int == 1)
        // Another choice cannot be asked for: it is not shown as empty.
        let choose = """
            const { album } = document.querySelector('kin-gallery')
            album.value = arguments[0]
            album.onchange()
            """
        try browser.run(choose, "Italy")
        try browser.wait(for: Self.unknown, in: "kin-gallery")
        #expect(try !browser.text("kin-gallery").contains("There are no pictures here yet"))
        #expect(try !browser.sees("#archive"))
        try house.start()
        try browser.wait("the picture") { try browser.run(count).int == 1 }
        #expect(try !browser.text("kin-gallery").contains(Self.unknown))
        #expect(try browser.sees("#archive"))
    }

    @Test func `a post and a comment that are written while Kinwire is away are shown as waiting, and sent once`()
        throws
    {
        let post = try house.door(as: "bob").call("post.add", ["text": "Soup is ready"])["post"]?["id"] ?? .null
        let browser = try Browser(stage)
        try page(browser, in: house)
        try go("posts", browser)
        try browser.wait(for: "Soup is ready", in: ".post")
        house.kill()
        try browser.wait(for: "as of", in: ".line")
        try browser.type("From the cellar", into: "#post-text")
        try browser.click("#send-post")
        try browser.wait(for: "From the cellar", in: "#unsent-posts")
        try browser.type("We come", into: ".comment-text")
        try browser.click(".send-comment")
        try browser.wait(for: "We come", in: "#unsent-posts")
        try browser.wait(for: "2 things you did wait", in: ".line")
        #expect(try browser.text("#unsent-posts").contains("waits to be sent"))
        #expect(try browser.run("return document.querySelector('#post-text').value") == "")
        try house.start()
        try browser.wait(for: "From the cellar", in: ".post:first-child")
        try browser.wait(for: "We come", in: ".comment")
        try browser.wait("nothing to wait") { try !browser.sees("#unsent-posts") && !browser.sees(".line") }
        let bob = try house.door(as: "bob")
        #expect(try bob.call("post.list", [:])["posts"]?.array?.count == 2)
        #expect(try bob.call("comment.list", ["post": post])["comments"]?.array?.count == 1)
    }

    @Test func `where nothing can be kept, what could not be sent stays typed, on another screen and back, too`() throws
    {
        _ = try house.door(as: "bob").call("post.add", ["text": "Soup is ready"])
        let browser = try Browser(stage)
        try browser.beforehand(
            """
            IDBFactory.prototype.open = () => { throw new DOMException("forbidden", "SecurityError") }
            for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError") } })
            """)
        try page(browser, in: house)
        try go("posts", browser)
        try browser.wait(for: "Soup is ready", in: ".post")
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        for (field, send) in [("#post-text", "#send-post"), (".comment-text", ".send-comment")] {
            try browser.run("document.querySelector('#told').replaceChildren()")
            try browser.type("From the cellar", into: field)
            try browser.click(send)
            try browser.wait(for: "cannot be done now", in: "#told")
            #expect(try browser.run("return document.querySelector('\(field)').value") == "From the cellar")
        }
        #expect(try !browser.sees("#unsent-posts"))
        for screen in ["lists", "posts"] {
            try go(screen, browser)
            try browser.wait("the screen") { try browser.sees("kin-\(screen)") }
        }
        for field in ["#post-text", ".comment-text"] {
            try browser.wait("what was typed in \(field)") {
                try browser.run("return document.querySelector('\(field)')?.value") == "From the cellar"
            }
        }
        try house.start()
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        try browser.click("#send-post")
        try browser.wait(for: "From the cellar", in: ".post:first-child .words")
    }

    @Test func `where Kinwire comes back with a newer page, what waited is sent once and what is typed stays`() throws {
        let web = stage.folder + "/web"
        try stage.run("cp", "-r", Stage.root + "/Sources/KinWeb/App", web)
        house.kill()
        let other = try Stage()
        let renewed = try House(other, flags: ["--web", web])
        try renewed.found()
        let browser = try Browser(other)
        try page(browser, in: renewed)
        try browser.wait("the service worker") {
            try browser.run("return !!navigator.serviceWorker.controller").bool == true
        }
        try browser.open(renewed.url + "/#/posts")
        try browser.run("location.reload()")
        try browser.wait(for: "Nobody has written anything yet", in: "kin-posts")
        try browser.run("window.isOld = true")
        renewed.kill()
        try browser.wait(for: "as of", in: ".line")
        try browser.type("From the cellar", into: "#post-text")
        try browser.click("#send-post")
        try browser.wait(for: "From the cellar", in: "#unsent-posts")
        try browser.type("half a sentence", into: "#post-text")
        // Left as it is, with a newer page at the daemon.
        try stage.run("sh", "-c", "echo '/* newer */' >> \(web)/app.css")
        try renewed.start()
        try browser.wait("it to say so") { try browser.sees(".newer") }
        try browser.click("#load-newer")
        try browser.wait("the newer page") { try browser.run("return !window.isOld").bool == true }
        try browser.wait(for: "From the cellar", in: ".post")
        #expect(try browser.run("return document.querySelector('#post-text').value") == "half a sentence")
        #expect(try renewed.door(as: "ada").call("post.list", [:])["posts"]?.array?.count == 1)
    }
}
