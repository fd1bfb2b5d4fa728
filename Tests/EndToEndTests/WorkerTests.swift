import Glibc
import Testing

/// The worker of the page, run by Debian's Node.js in a browser that is made up: what it shows of a push, and what its
/// buttons do.
@Suite struct WorkerTests {
    /// A made-up browser around the worker. `story` has `push(notification)`, `click(action)`, `shown`, `asked`, `opened`,
    /// `pages` and `answer` to tell with.
    private static func run(_ story: String) throws -> [String] {
        let stage = try Stage()
        let code = """
            const { readFileSync } = require("node:fs"), { deepStrictEqual } = require("node:assert"), vm = require("node:vm")
            const heard = {}, kept = new Map(), shown = new Map(), asked = [], opened = [], pages = []
            let answer = () => { throw new Error("away") }
            const cache = { match: async key => kept.get(key)?.clone(), put: async (key, value) => { kept.set(key, value) }, addAll: async () => {} }
            const world = {
              URL, Response, JSON, Promise, console,
              location: { origin: "https://kin.local:5469" },
              addEventListener: (type, run) => { heard[type] = run },
              caches: { open: async () => cache, keys: async () => [], match: async () => undefined },
              registration: {
                getNotifications: async () => [...shown.values()],
                showNotification: async (title, rest) => { shown.set(rest.tag, { title, ...rest, close: () => shown.delete(rest.tag) }) },
              },
              clients: {
                matchAll: async () => pages, claim: async () => {},
                openWindow: async address => { opened.push(address) },
              },
              fetch: async (address, how) => { asked.push(`${how?.method ?? "GET"} ${address}`); return answer() },
            }
            world.self = world
            const text = readFileSync(process.argv[2], "utf8").replace("@app@", "/app/x").replace("@files@", "")
            vm.runInNewContext(text, world)
            async function fire(type, event) { let whole; heard[type]({ ...event, waitUntil: one => { whole = one } }); await whole }
            const push = said => fire("push", { data: { json: () => ({ web_push: 8030, notification: said }) } })
            const click = (action = "") => fire("notificationclick", { action, notification: [...shown.values()][0] })
            const said = { title: "Supper", body: "Sunday at six?", tag: "entry", lang: "en", navigate: "https://kin.local:5469/#/meetings/1",
              actions: [{ action: "yes", title: "Yes" }, { action: "no", title: "No" }],
              data: { id: "one", page: "https://kin.local:5469/#/meetings/1", answers: { yes: "/answer/YES", no: "/answer/NO" }, away: "Kinwire is not reached." } }
            ;(async () => { \(story); console.log("told") })()
            """
        let file = try #require(fopen(stage.folder + "/story.cjs", "w"))
        fputs(code, file)
        fclose(file)
        return try stage.run("node", stage.folder + "/story.cjs", Stage.root + "/Sources/KinWeb/App/sw.js").lines
    }

    @Test func `a button answers by its own address, and what came of it takes the notice's place`() throws {
        let told = try Self.run(
            """
            answer = () => new Response('{"done":true,"text":"Answered: Yes"}', { status: 200 })
            await push(said); deepStrictEqual(shown.get("entry").actions.map(one => one.title), ["Yes", "No"])
            await click("yes")
            deepStrictEqual(asked, ["POST /answer/YES"]); deepStrictEqual(opened, [])
            const now = shown.get("entry")
            deepStrictEqual([now.body, now.silent, now.actions], ["Answered: Yes", true, undefined])
            """)
        #expect(told.last == "told", "\(told)")
    }

    @Test func `an answer that nobody could take is asked again, and why not is said`() throws {
        let told = try Self.run(
            """
            await push(said); await click("no")
            let now = shown.get("entry")
            deepStrictEqual([now.body, now.actions.length], ["Kinwire is not reached.\\nSunday at six?", 2])
            answer = () => new Response('{"done":false,"text":"This is no longer asked"}', { status: 200 })
            await click("no")
            now = shown.get("entry")
            deepStrictEqual([now.body, now.actions], ["This is no longer asked", undefined])
            """)
        #expect(told.last == "told", "\(told)")
    }

    @Test func `a tap beside the buttons opens what is asked, in the page where it is open`() throws {
        let told = try Self.run(
            """
            await push(said); await click()
            deepStrictEqual(opened, ["https://kin.local:5469/#/meetings/1"]); deepStrictEqual(asked, [])
            const led = []
            pages.push({ focused: false, visibilityState: "hidden", focus: async () => {}, navigate: async address => { led.push(address) } })
            await push({ ...said, data: { ...said.data, id: "two" } }); await click()
            deepStrictEqual(led, ["https://kin.local:5469/#/meetings/1"]); deepStrictEqual(opened.length, 1)
            """)
        #expect(told.last == "told", "\(told)")
    }

    @Test func `whoever looks at the page gets nothing besides, but an alarm; nothing comes twice`() throws {
        let told = try Self.run(
            """
            pages.push({ focused: true, visibilityState: "visible" })
            await push(said); deepStrictEqual(shown.size, 0)
            await push({ ...said, requireInteraction: true, data: { ...said.data, id: "alarm" } }); deepStrictEqual(shown.size, 1)
            shown.clear(); pages.length = 0
            await push(said); deepStrictEqual(shown.size, 0)
            await push({ ...said, data: { ...said.data, id: "two" } }); deepStrictEqual(shown.size, 1)
            await push({ title: "Other", tag: "other", data: { id: "three", closed: ["entry"] } })
            deepStrictEqual([...shown.keys()], ["other"])
            """)
        #expect(told.last == "told", "\(told)")
    }
}
