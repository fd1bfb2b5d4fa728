import Glibc
import KinCodec
import KinModel
import Testing

/// The fold in JavaScript that browsers are to run, run by Debian's Node.js.
@Suite struct JavaScriptTests {
    static let vectors = Stage.root + "/Tests/KinSimulationTests/Vectors"

    /// The vectors that lie there, by their names. An area that is new is named nowhere here.
    static let names: [String] = {
        guard let folder = opendir(vectors) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".json") { names.append(String(name.dropLast(".json".count))) }
        }
        return names.sorted()
    }()

    @Test func `the vectors are found`() {
        #expect(Self.names.contains("meetings") && Self.names.contains("unknown"), "\(Self.names)")
    }

    /// Holds a fold against a file of vectors, and says how many snapshots were compared.
    private static let judge = """
        import { fold, shown } from "./fold.mjs"
        import { deepStrictEqual } from "node:assert"
        import { readFileSync } from "node:fs"
        let held, compared = 0
        for (const step of JSON.parse(readFileSync(process.argv[2])).steps) {
          const begun = (step.answer ?? step.reset)?.snapshot
          if (begun) held = begun
          if (step.event) held = fold(held, step.event)
          if (!step.snapshot) continue
          deepStrictEqual(shown(held), step.snapshot)
          compared += 1
        }
        console.log("compared", compared)
        """

    static func text(_ path: String) throws -> String {
        let file = try #require(fopen(path, "r"), "there is no \(path)")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    static func write(_ text: String, _ path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    /// The module itself.
    static func fold() throws -> String { try text(Stage.root + "/Sources/KinWeb/App/fold.js") }

    /// The page about folding.
    private static let foldPage = Stage.root + "/Sources/KinModel/KinModel.docc/Fold.md"

    /// The page with a module in its block of JavaScript.
    private static func page(showing module: Substring) throws -> String {
        let page = try text(foldPage)
        let start = try #require(page.firstRange(of: "\n```js\n")).upperBound
        let end = try #require(page[start...].firstRange(of: "\n```\n")).lowerBound
        return "\(page[..<start])\(module.dropLast())\(page[end...])"
    }

    @Test(arguments: names)
    func `the fold for browsers makes of each stream what a fresh snapshot says`(name: String) throws {
        let stage = try Stage()
        try Self.write(try Self.fold(), stage.folder + "/fold.mjs")
        try Self.write(Self.judge, stage.folder + "/judge.mjs")
        let told = try stage.run("node", stage.folder + "/judge.mjs", "\(Self.vectors)/\(name).json")
        let line = try #require(told.lines.last)
        #expect(line.hasPrefix("compared ") && line != "compared 0", "\(told.said)")
    }

    @Test func `the page about folding shows the fold for browsers, line by line`() throws {
        let license = "// SPDX-License-Identifier: Apache-2.0\n"
        let module = try Self.fold()
        #expect(module.hasPrefix(license) && module.hasSuffix("}\n"))
        let wanted = try Self.page(showing: module.dropFirst(license.count))
        if getenv("KINWIRE_WRITE_DOCS") != nil { try Self.write(wanted, Self.foldPage) }
        let isSame = try Self.text(Self.foldPage) == wanted
        #expect(isSame, "Fold.md and fold.js differ; KINWIRE_WRITE_DOCS=1 writes the page")
    }

    @Test func `a spot is read from two numbers, with points or with commas, and from nothing else`() throws {
        let stage = try Stage()
        let module = try Self.text(Stage.root + "/Sources/KinWeb/App/chat-things.js")
        let parts = module.split(separator: "export const spotOf = ", maxSplits: 1)
        let block = try #require(parts.last?.split(separator: "\n}\n", maxSplits: 1).first)
        let script = """
            const spotOf = \(block)
            }
            const read = [" 48.13743, 11.57549", "-33.8;151.2", "48 11", "48.1,11.5", "48,13 11,57", "48,13, 11,57"], refused =
              ["48,13", "48,13,11,57", "48.1", "", "91, 0", "0, 181", "48.1, 11.5, 3", "48.1° 11.5°", "48,1 11.5"]
            console.log(JSON.stringify([read.map(spotOf), refused.filter(spotOf)]))
            """
        try Self.write(script, stage.folder + "/spot.mjs")
        let told = try stage.run("node", stage.folder + "/spot.mjs")
        #expect(
            told.lines.last
                == #"[[{"lat":48.13743,"lon":11.57549},{"lat":-33.8,"lon":151.2},{"lat":48,"lon":11},{"lat":48.1,"lon":11.5},{"lat":48.13,"lon":11.57},{"lat":48.13,"lon":11.57}],[]]"#
        )
    }

    @Test(arguments: [
        ("en", "en-US", "", "4:04 PM · Mon 30 Nov 8:04 AM · Sat 2 Jan 2027 6:04 PM"),
        ("en", "en-US", "kinwire-clock=hours24", "16:04 · Mon 30 Nov 08:04 · Sat 2 Jan 2027 18:04"),
        ("de", "de-DE", "", "16:04 · Mo 30. Nov. 08:04 · Sa 2. Jan. 2027 18:04"),
        (
            "de", "en-US", "kinwire-clock=hours12; kinwire-zone=Asia%2FKathmandu",
            "9:49 PM · Mo 30. Nov. 1:49 PM · Sa 2. Jan. 2027 11:49 PM"
        ),
    ])
    func `the daemon's own pages say times as the settings have them, in the form of the family's page`(
        language: String, browser: String, cookie: String, said: String
    ) throws {
        let stage = try Stage()
        let module = try Self.text(Stage.root + "/Sources/KinServer/Web/pages.js")
        // What comes before the page is equipped.
        let parts = try #require(module.split(separator: "const steps = ", maxSplits: 1).first)
        let script = """
            const document = { documentElement: { lang: "\(language)" }, cookie: "\(cookie)" }, navigator = { languages: ["\(browser)"] }
            \(parts)
            const now = Date.parse("2026-11-28T14:00:00Z"), times = ["2026-11-28T16:04:00Z", "2026-11-30T08:04:00Z", "2027-01-02T18:04:00Z"]
            console.log(times.map(one => moment(new Date(one), now)).join(" · ").replace(/\\s/g, " "))
            """
        try Self.write(script, stage.folder + "/times.mjs")
        let told = try stage.run("node", stage.folder + "/times.mjs")
        #expect(told.lines.last == said, "\(told.said)")
    }

    @Test func `a line that was begun before the modules came waits for them, however long they take`() throws {
        let module = try Self.text(Stage.root + "/Sources/KinWeb/App/early.js").replacing("\nexport ", with: "\n")
        let script = """
            const document = { cookie: "kinwire-page=ab" }, location = { pathname: "/", protocol: "https:", host: "kin" }
            class WebSocket { readyState = 0; send(text) { this.sent = text }; close() { this.readyState = 3 } }
            // An hour passes at once.
            const setTimeout = work => work()
            const store = () => ({ get: () => ({ result: undefined }), getAll: () => ({ result: [] }) })
            const indexedDB = { open() {
              const asked = { result: { transaction() {
                const work = { objectStore: store }
                queueMicrotask(() => work.oncomplete())
                return work
              } } }
              queueMicrotask(() => asked.onsuccess())
              return asked
            } }
            \(module)
            await kept
            await null
            const one = takeFirst()
            one.socket.onopen()
            console.log(one.socket.readyState, JSON.parse(one.socket.sent).method, takeFirst())
            """
        let stage = try Stage()
        try Self.write(script, stage.folder + "/early.mjs")
        let told = try stage.run("node", stage.folder + "/early.mjs")
        #expect(told.lines.last == "0 live.follow null", "\(told.said)")
    }

    @Test(arguments: [
        ("kinwire-page=ab", "", "/", "false ab"), ("kinwire-page=ab.shared", "", "/", "true ab"),
        // Named anew by the daemon, which does not know: what was kept here under this sign-in tells it.
        ("kinwire-page=ab.shared", "ab", "/", "false ab"), ("kinwire-page=ab.shared", "cd", "/", "true ab"),
        // With no name at all.
        ("", "ab", "/", "false ab"), ("", "", "/", "true null"), ("", "", "/wall", "false null"),
    ])
    func `a page keeps something where its sign-in says so, or kept something before, and nowhere else`(
        cookie: String, keeper: String, path: String, says: String
    ) throws {
        let module = try Self.text(Stage.root + "/Sources/KinWeb/App/early.js").replacing("\nexport ", with: "\n")
        let script = """
            const document = { cookie: "\(cookie)" }, location = { pathname: "\(path)", protocol: "http:", host: "kin" }
            const localStorage = { getItem: name => name === "kinwire.own" ? "\(keeper)" || null : null }
            const indexedDB = { open: () => ({}) }
            \(module)
            console.log(`${isShared} ${signIn}`)
            """
        let stage = try Stage()
        try Self.write(script, stage.folder + "/shared.mjs")
        let told = try stage.run("node", stage.folder + "/shared.mjs")
        #expect(told.lines.last == says, "\(told.said)")
    }

    @Test func `the lines of a contact are read as typed, and those that stood there as what they were`() throws {
        let module = try Self.text(Stage.root + "/Sources/KinWeb/App/contacts.js")
        let parts = module.split(separator: "const asLine = ", maxSplits: 1)
        let block = try #require(parts.last?.split(separator: "\n}\n", maxSplits: 1).first)
        let script = """
            const asLine = \(block)
            }
            const before = [{ label: "Office 2", value: "+49 30 1" }, { value: "Farm: Mill Lane 1" }]
            const read = ways(lines(before) + "\\nwork: +49 30 2\\n +49 30 3 ", before)
            console.log(read.map(one => [one.label ?? "-", one.value].join("|")).join(" "))
            """
        let stage = try Stage()
        try Self.write(script, stage.folder + "/ways.mjs")
        let told = try stage.run("node", stage.folder + "/ways.mjs")
        #expect(
            told.lines.last == "Office 2|+49 30 1 -|Farm: Mill Lane 1 work|+49 30 2 -|+49 30 3", "\(told.said)")
    }

    /// What only Node.js has, a browser must not need.
    @Test func `the fold for browsers needs nothing of Node.js`() throws {
        let module = try Self.fold()
        for name in ["Buffer", "process.", "require(", "import "] {
            #expect(!module.contains(name), "fold.js uses \(name)")
        }
    }

    @Test func `a fold that forgets a type of event is found`() throws {
        let stage = try Stage()
        let without = try Self.fold().replacing("\"meeting.voted\":", with: "\"meeting.unheard\":")
        try Self.write(without, stage.folder + "/fold.mjs")
        try Self.write(Self.judge, stage.folder + "/judge.mjs")
        let told = try stage.run("node", stage.folder + "/judge.mjs", Self.vectors + "/meetings.json", exits: 1)
        #expect(told.said.contains("AssertionError"))
    }
}
