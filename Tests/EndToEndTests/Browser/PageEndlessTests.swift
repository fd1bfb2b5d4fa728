import KinModel
import Testing

/// A feed that one scrolls through without end: what stands in the page, what stays where it is, and what the keyboard does.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageEndlessTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["carol"])
    }

    /// More posts than a snapshot has, each as high as its number wants it.
    private static let count = 260

    private func write() throws {
        let door = try house.door(as: "ada")
        for number in 1...Self.count {
            let words = String(repeating: " soup", count: number % 7 * 20)
            _ = try door.call("post.add", ["text": .string("Day \(number) of the year.\(words)")])
        }
    }

    private func count(_ browser: Browser) throws -> Int64 {
        try browser.run("return document.querySelectorAll('#posts > *').length").int ?? .max
    }

    /// After the frames in which a page draws what a scroll wants.
    private static let settled =
        "const settled = async () => { for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame) }\n"

    /// The feed of whoever reads it, drawn.
    private func feed(_ who: String = "carol") throws -> Browser {
        let browser = try Browser(stage)
        try browser.signIn(house, who)
        try browser.click("[data-tab=posts]")
        try browser.wait(for: "Day \(Self.count) of", in: "#posts")
        return browser
    }

    /// To the oldest; how many cards and gaps stood in the page at most.
    private func toEnd(_ browser: Browser) throws -> Int64 {
        var most: Int64 = 0
        try browser.wait("the oldest") {
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            most = max(most, try count(browser))
            return try browser.text("#posts").contains("Day 1 of")
        }
        return most
    }

    @Test func `thousands of posts are read to the oldest, and few stand in the page at once`() throws {
        try write()
        let browser = try feed()
        let most = max(try toEnd(browser), try count(browser))
        #expect(most <= 60, "\(most) stood in the page at once")
        // Each says which of how many it is.
        let places = try browser.run(
            "const { ariaPosInSet, ariaSetSize } = document.querySelector('#posts .post:last-child'); return [ariaPosInSet, ariaSetSize]"
        )
        #expect(places == [.string("\(Self.count)"), .string("\(Self.count)")])
        #expect(try browser.run("return document.querySelector('#posts').role") == "feed")
        #expect(try !browser.sees("#older-posts"))
        if let axe = PageTests.axe {
            let found = try browser.violations(axe)
            #expect(found == [], "\(found)")
        }
        // A jump by the bar into what was never seen shows posts, and no hole.
        let isFilled = try browser.run(
            Self.settled + """
                const { cards } = document.querySelector('kin-posts')
                cards.heights.clear()
                scrollTo(0, document.documentElement.scrollHeight / 2)
                await settled()
                const boxes = [...document.querySelectorAll('#posts .post')].map(one => one.getBoundingClientRect())
                return [80, innerHeight / 2, innerHeight - 80].every(y => boxes.some(box => box.top - 20 <= y && box.bottom + 20 >= y))
                """)
        #expect(isFilled == true)
        #expect(try browser.log() == [])
    }

    @Test func `what one looks at stays where it is, whatever comes above it`() throws {
        try write()
        let browser = try feed()
        _ = try toEnd(browser)
        // Up through posts whose heights nobody knows: each step is as far as one scrolled, and not farther.
        let jumps = try browser.run(
            Self.settled + """
                const { cards } = document.querySelector('kin-posts'), far = []
                for (let step = 0; step < 60; step += 1) {
                  if (step % 20 === 0) cards.heights.clear()
                  const card = [...document.querySelectorAll('#posts .post')].find(one => one.getBoundingClientRect().bottom > 400)
                  scrollBy({ top: -250, behavior: 'instant' })
                  const before = card.getBoundingClientRect().top
                  await settled()
                  const moved = card.isConnected ? Math.abs(card.getBoundingClientRect().top - before) : 9999
                  far.push({ step, at: scrollY, far: moved, above: document.querySelector('#posts').offsetTop })
                }
                return far.filter(one => one.far > 2)
                """)
        #expect(jumps == .array([]), "\(jumps)")
        // Somebody writes meanwhile, and answers a post far above.
        try browser.run(
            """
            window.card = [...document.querySelectorAll('#posts .post')].find(one => one.getBoundingClientRect().bottom > 400)
            window.before = card.getBoundingClientRect().top
            """)
        _ = try house.door(as: "ada").call("post.add", ["text": "The newest of all"])
        try browser.wait("it to be there") {
            try browser.look(
                "return import(folder + 'state.js').then(one => one.state.snapshot.posts.some(post => post.text === 'The newest of all'))"
            ).bool == true
        }
        let moved = try browser.run(
            Self.settled
                + "await settled(); return card.isConnected ? Math.abs(card.getBoundingClientRect().top - before) : 9999"
        )
        #expect(try #require(moved.double) <= 2, "\(moved)")
        #expect(try !browser.text("#posts").contains("The newest of all"))
        try browser.run("scrollTo(0, 0)")
        try browser.wait(for: "The newest of all", in: "#posts .post:first-child")
        #expect(try browser.log() == [])
    }

    @Test func `the keyboard goes from post to post, the focus stays, and what is typed is not lost`() throws {
        try write()
        let browser = try feed()
        func place() throws -> String? {
            try browser.run("return document.activeElement.closest('.post')?.ariaPosInSet ?? null").string
        }
        try browser.run("document.querySelector('#posts .post').focus()")
        #expect(try place() == "1")
        for _ in 1...50 { try browser.press("PageDown", code: 34) }
        try browser.wait("the fifty-first") { try place() == "51" }
        #expect(try browser.run("return document.activeElement.getBoundingClientRect().top < innerHeight").bool == true)
        #expect(try count(browser) <= 60)
        for _ in 1...20 { try browser.press("PageUp", code: 33) }
        try browser.wait("the thirty-first") { try place() == "31" }
        // A text that is begun stays with its post, in the page or not.
        try browser.run("document.activeElement.querySelector('.comment-text').focus()")
        try browser.run(
            """
            const input = document.activeElement
            input.value = 'half a sentence'
            input.dispatchEvent(new Event('input', { bubbles: true }))
            """)
        try browser.run(Self.settled + "scrollTo(0, 0); await settled()")
        #expect(try place() == "31", "whoever writes is not thrown out")
        try browser.run(
            Self.settled
                + "document.activeElement.blur(); scrollTo(0, 1); await settled(); scrollTo(0, 0); await settled()")
        try browser.wait("it to be out of the page") {
            try browser.run("return ![...document.querySelectorAll('.comment-text')].some(one => one.value)").bool
                == true
        }
        try browser.wait("it to be there again") {
            try browser.run(
                "scrollBy(0, 300); return [...document.querySelectorAll('.comment-text')].some(one => one.value === 'half a sentence')"
            ).bool == true
        }
        #expect(try browser.log() == [])
    }

    @Test func `without the daemon the feed says that there is more, and goes on by itself when it is back`() throws {
        try write()
        let browser = try feed()
        // The line that says so comes above all, and moves nothing that one looks at.
        let rests = try browser.run(
            Self.settled + """
                scrollTo(0, 3000)
                await settled()
                window.card = [...document.querySelectorAll('#posts .post')].find(one => one.getBoundingClientRect().bottom > 400)
                window.before = card.getBoundingClientRect().top
                return true
                """)
        #expect(rests == true)
        house.kill()
        try browser.wait(for: "not reached", in: ".line")
        let moved = try browser.run(
            Self.settled
                + "await settled(); return card.isConnected ? Math.abs(card.getBoundingClientRect().top - before) : 9999"
        )
        #expect(try #require(moved.double) <= 2, "\(moved)")
        try browser.wait("the end of what is here") {
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            return try browser.text("kin-posts").contains("What is older is shown as soon as Kinwire is reached again.")
        }
        #expect(try !browser.sees("#older-posts"))
        // That it is away stays in sight, however far down one is.
        let top = try browser.run("return document.querySelector('.line').getBoundingClientRect().top").double
        #expect((0..<200).contains(top ?? -1))
        try house.start()
        try browser.wait("the line to be live") { try !browser.sees(".line") }
        _ = try toEnd(browser)
    }

    @Test func `a question that the daemon refused once is asked again by itself, on the same line`() throws {
        try write()
        let browser = try feed()
        try browser.run(
            """
            const screen = document.querySelector('kin-posts')
            window.asked = 0
            screen.askOlder = async () => {
              window.asked += 1
              delete screen.askOlder
              throw { code: 1429, message: "Too many requests." }
            }
            """)
        _ = try toEnd(browser)
        #expect(try browser.run("return window.asked").int == 1)
        #expect(try !browser.sees(".line"), "the line was there all the time")
        #expect(try browser.log() == [])
    }
}
