import KinModel
import Testing

/// A page that is older than the daemon: it is told of what it does not know.
@Suite(.serialized, .enabled(if: Browser.isThere, "Chromium and its driver are not installed"))
struct PageOlderTests {
    let stage: Stage
    let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, family: ["bob"])
    }

    /// Lets a test say something on the page's own line, as a daemon of a later day does: `hear(type, data)`.
    private static let later = """
        const Socket = window.WebSocket
        window.WebSocket = class extends Socket {
          constructor(...how) {
            super(...how)
            window.line = this
            this.addEventListener("message", ({ data }) => {
              const { params, result } = JSON.parse(data)
              window.cursor = params?.cursor ?? result?.cursor ?? window.cursor
            })
          }
        }
        window.hear = (type, data) => line.onmessage({
          data: JSON.stringify({ jsonrpc: "2.0", method: "event", params: { cursor, type, data, at: new Date().toISOString() } }),
        })
        """

    @Test func `it goes on where a newer daemon tells what it does not know, and says so in words`() throws {
        let browser = try Browser(stage)
        try browser.beforehand(Self.later)
        try browser.signIn(house, "ada")
        try browser.wait("the page to be live") { try browser.sees("#show-me") && !browser.sees(".line") }
        try browser.wait("a cursor") { try browser.run("return !!window.cursor").bool == true }
        try browser.run(
            """
            const id = "01980000-0000-7000-8000-0000000000aa", at = new Date().toISOString()
            hear("gift.given", { gift: { id, title: "Scarf" } })
            hear("position", { future: true })
            hear("activity.added", { unread: 1, entry: {
              id, about: `gift/${id}`, official: false, unread: true, at, lines: [{ kind: "giftGiven", at, wrapped: true }], more: 0 } })
            hear("place.added", { place: { id, name: "Letter box", kind: "letterbox", lat: 45.28, lon: 13.72, owner: id } })
            """)
        try browser.run("location.hash = '#/inbox'")
        try browser.wait(for: "A newer version of this page is there", in: "kin-inbox .row")
        #expect(try !browser.text("kin-inbox").contains("giftGiven"))
        try browser.run("location.hash = '#/map'")
        try browser.wait(for: "Letter box", in: "kin-map")
        #expect(try !browser.text("kin-map").contains("letterbox"))
        for screen in ["meetings", "calendar", "lists", "chat", "family", "home"] {
            try browser.run("location.hash = arguments[0]", .string("#/\(screen)"))
            try browser.wait("the screen \(screen)") { try browser.sees("kin-\(screen)") }
        }
        // It hears what it knows, and does what it can.
        _ = try house.door(as: "bob").call("activity.say", ["text": "Soup is ready"])
        try browser.wait(for: "Soup is ready", in: "kin-home")
        try browser.type("We come", into: "#say")
        try browser.click(".say button")
        try browser.wait(for: "You: We come", in: "kin-said")
        #expect(try browser.log() == [])
    }
}
