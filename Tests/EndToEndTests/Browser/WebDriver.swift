import Glibc
import KinCodec
import KinCrypto
import KinModel
import Testing

/// Debian's Chromium, driven by its `chromedriver` over WebDriver (W3C), spoken by the test itself.
final class Browser {
    /// Whether both are here; `deploy/test` installs them where it can.
    static let isThere = Chromium.program != nil && access("/usr/bin/chromedriver", X_OK) == 0

    /// What the driver answered instead of a value.
    struct Refusal: Error, CustomStringConvertible { let description: String }

    /// Whether the whole browser is here, which warns of certificates and shows notifications.
    static let isWholeThere = isThere && access(Chromium.whole, X_OK) == 0

    private let network: OwnNetwork?
    private let chromium: Chromium
    private var session: String { chromium.session }
    /// Where it was: what is stored there is taken away when it is given back.
    private var origins: Set<String> = []

    /// A browser of its own, with nothing in it: one that another test gave back, where there is one; `isNew`: one that was
    /// never used, with all that the whole browser has, as in a network of the test's own.
    init(
        _ stage: Stage, language: String = "en", width: Int = 390, height: Int = 844, in network: OwnNetwork? = nil,
        isNew: Bool = false
    ) throws {
        self.network = network
        if network == nil, !isNew, let given = Chromium.take(language) {
            chromium = given
        } else {
            chromium = try Chromium(stage, language, in: network, isWhole: isNew || network != nil)
        }
        try screen(width: width, height: height)
    }

    deinit {
        guard network == nil, (try? empty()) != nil else {
            _ = try? call("DELETE", "/session/\(session)")
            return
        }
        Chromium.give(chromium)
    }

    /// Takes away all that a test leaves behind. A new tab has none of what was set for the old ones: networks, clocks,
    /// scripts of the test's.
    private func empty() throws {
        let left = try call("GET", "/session/\(session)/window/handles").array ?? []
        try go(to: left.first ?? .null)
        let tab = try openTab()
        for old in left {
            try go(to: old)
            try closeTab()
        }
        try go(to: tab)
        for command in ["Network.clearBrowserCookies", "Network.clearBrowserCache", "Browser.resetPermissions"] {
            try tell(command)
        }
        for origin in origins {
            try tell("Storage.clearDataForOrigin", ["origin": .string(origin), "storageTypes": "all"])
        }
        try tell("Browser.setDownloadBehavior", ["behavior": "default"])
        // Else it has not the focus, as the first tab of a browser has.
        try tell("Page.bringToFront")
        _ = try log()
    }

    // MARK: What it does

    func open(_ url: String) throws {
        if url.hasPrefix("http") {
            let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            origins.insert(parts.prefix(3).joined(separator: "/"))
        }
        _ = try call("POST", "/session/\(session)/url", ["url": .string(url)])
    }

    var url: String { get throws { try call("GET", "/session/\(session)/url").string ?? "" } }

    /// Runs a function's body in the page; what it returns, or what its promise comes to.
    @discardableResult
    func run(_ script: String, _ arguments: JSON...) throws -> JSON {
        try call("POST", "/session/\(session)/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// A command of Chromium's own (DevTools).
    @discardableResult
    func tell(_ command: String, _ params: JSON = [:]) throws -> JSON {
        try call("POST", "/session/\(session)/goog/cdp/execute", ["cmd": .string(command), "params": params])
    }

    func screen(width: Int, height: Int, isDark: Bool = false) throws {
        try tell(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .int(Int64(width)), "height": .int(Int64(height)), "deviceScaleFactor": 1,
                "mobile": .bool(width < 600),
            ])
        try tell(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(isDark ? "dark" : "light")]]])
    }

    /// Where the browser believes to be.
    func stand(lat: Double, lon: Double, accuracy: Double = 10) throws {
        try tell(
            "Emulation.setGeolocationOverride",
            ["latitude": .double(lat), "longitude": .double(lon), "accuracy": .double(accuracy)])
    }

    /// A click as people do it: on the element's middle, which has to be in sight and on top.
    func click(_ selector: String, _ location: SourceLocation = #_sourceLocation) throws {
        // A screen that has no room in the bar of a small window stands behind its last button.
        if selector.hasPrefix("[data-tab=") {
            try wait("\(selector) to be in the bar", location) {
                try self.run(
                    """
                    const tab = document.querySelector(arguments[0])
                    if (tab?.closest('[hidden]')) document.querySelector('#more').click()
                    return !!tab
                    """, .string(selector)
                ).bool == true
            }
        }
        try wait("\(selector) to be there", location) { try self.sees(selector) }
        var complaint: Refusal?
        // What is on its way may be drawn anew between looking and clicking.
        for _ in 1...5 {
            do {
                let element = try element(selector)
                try run("arguments[0].scrollIntoView({ block: 'center' })", element)
                _ = try call("POST", "/session/\(session)/element/\(Self.id(element))/click", [:])
                return
            } catch let error as Refusal { complaint = error }
        }
        if let complaint { throw complaint }
    }

    /// Types into a field, in place of what is there.
    func type(_ text: String, into selector: String) throws {
        try wait("\(selector) to be there") { try self.sees(selector) }
        let id = Self.id(try element(selector))
        _ = try call("POST", "/session/\(session)/element/\(id)/clear", [:])
        _ = try call("POST", "/session/\(session)/element/\(id)/value", ["text": .string(text)])
    }

    /// The key that leaves a dialog.
    func pressEscape() throws { try press("Escape", 27) }

    /// A key that moves, by its name and its number.
    func press(_ key: String, _ number: Int64) throws {
        for type in ["rawKeyDown", "keyUp"] {
            try tell(
                "Input.dispatchKeyEvent",
                [
                    "type": .string(type), "key": .string(key), "code": .string(key),
                    "windowsVirtualKeyCode": .int(number),
                ])
        }
    }

    /// What is to be read in an element; nothing when it is not there.
    func text(_ selector: String) throws -> String {
        try run("return document.querySelector(arguments[0])?.innerText ?? ''", .string(selector)).string ?? ""
    }

    func sees(_ selector: String) throws -> Bool {
        try run("return !!document.querySelector(arguments[0])?.checkVisibility()", .string(selector)).bool ?? false
    }

    /// Waits until the page is so.
    func wait(_ what: String, _ location: SourceLocation = #_sourceLocation, until isSo: () throws -> Bool) throws {
        let end = Stage.seconds + Stage.patienceSeconds
        var milliseconds: CInt = 0
        repeat {
            if try isSo() { return }
            // Each question keeps the page and its driver from what is waited for: they have a while for that between two.
            poll(nil, 0, milliseconds)
            milliseconds = min(milliseconds + 2, 20)
        } while Stage.seconds < end
        // An open dialog is what one looks at.
        let page =
            try run("return ([...document.querySelectorAll('dialog[open]')].pop() ?? document.body).innerText").string
            ?? ""
        let log = try log()
        try #require(
            Bool(false), "waited in vain for \(what)\n\(page.prefix(2500))\n\(log)", sourceLocation: location)
    }

    /// Waits until an element says something.
    func wait(for text: String, in selector: String = "body", _ location: SourceLocation = #_sourceLocation) throws {
        try wait("“\(text)” in \(selector)", location) { try self.text(selector).contains(text) }
    }

    /// What the page complained of since it was asked last: errors, and what its security policy refused.
    func log() throws -> [String] {
        let entries = try call("POST", "/session/\(session)/se/log", ["type": "browser"]).array ?? []
        return entries.filter { $0["level"]?.string == "SEVERE" }.compactMap { $0["message"]?.string }
    }

    /// Where the page that is open breaks a rule of accessibility; `axe`: Deque's script that knows them.
    func violations(_ axe: String) throws -> JSON {
        try run(
            axe + """
                ;return axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
                  .then(found => found.violations.map(one => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`))
                """)
    }

    /// What is to be seen, as PNG.
    func picture() throws -> [UInt8] {
        let text = try call("GET", "/session/\(session)/screenshot").string ?? ""
        return try #require(Base64.decode(text))
    }

    /// What is to be seen of one element, as PNG.
    func picture(of selector: String) throws -> [UInt8] {
        let id = Self.id(try element(selector))
        let text = try call("GET", "/session/\(session)/element/\(id)/screenshot").string ?? ""
        return try #require(Base64.decode(text))
    }

    /// Where pictures are written to be looked at: `KINWIRE_SCREENSHOTS=DIR`.
    static let pictures = getenv("KINWIRE_SCREENSHOTS").map { String(cString: $0) }

    /// Writes down what is to be seen, where somebody wants to look at it.
    func draw(_ name: String) throws {
        guard let folder = Self.pictures else { return }
        let stream = try #require(fopen("\(folder)/\(name).png", "w"), "\(folder)/\(name).png")
        defer { fclose(stream) }
        let picture = try picture()
        #expect(fwrite(picture, 1, picture.count, stream) == picture.count)
    }

    /// Gives pages a way of sending as phones have it, which keeps in `window.sent` what it was given.
    func lendShare() throws {
        try tell(
            "Page.addScriptToEvaluateOnNewDocument",
            ["source": "navigator.share = what => { window.sent = what; return Promise.resolve() }"])
    }

    // MARK: Signing in

    func signIn(_ house: House, _ username: String, isShared: Bool = false) throws {
        try open(house.url + "/signin")
        try wait("the form") { try self.sees("input[name=password]") }
        // As a password manager fills it in: keys, one after the other, take as long as the page that follows.
        try run(
            """
            document.querySelector('input[name=username]').value = arguments[0]
            document.querySelector('input[name=password]').value = arguments[1]
            """, .string(username), .string(House.password))
        if isShared { try click("input[name=shared]") }
        try click("form button:not([type])")
        try wait("the family's page") { try self.sees(".tabs") }
    }

    // MARK: Tabs

    /// Opens another tab and goes there; its name.
    @discardableResult
    func openTab() throws -> JSON {
        let tab = try call("POST", "/session/\(session)/window/new", ["type": "tab"])["handle"] ?? .null
        try go(to: tab)
        return tab
    }

    /// The tab that is looked at.
    var tab: JSON { get throws { try call("GET", "/session/\(session)/window") } }

    func go(to tab: JSON) throws { _ = try call("POST", "/session/\(session)/window", ["handle": tab]) }

    func closeTab() throws { _ = try call("DELETE", "/session/\(session)/window") }

    // MARK: The wire

    private func element(_ selector: String) throws -> JSON {
        try call(
            "POST", "/session/\(session)/element", ["using": "css selector", "value": .string(selector)])
    }

    private static func id(_ element: JSON) -> String { element.object?.members.first?.value.string ?? "" }

    private func call(_ verb: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
        try Self.ask(chromium.port, verb, path, body, in: network)
    }

    /// One request of WebDriver, each over a connection of its own.
    static func ask(
        _ port: UInt16, _ verb: String, _ path: String, _ body: JSON? = nil, in network: OwnNetwork? = nil
    ) throws -> JSON {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = network.map { $0.within { socket(AF_INET, kind, 0) } } ?? socket(AF_INET, kind, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Refusal(description: "chromedriver is gone") }
        let content = body?.bytes ?? []
        let head =
            "\(verb) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(content.count)\r\n\r\n"
        var out = (Array(head.utf8) + content)[...]
        while !out.isEmpty {
            let count = out.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Refusal(description: "chromedriver takes nothing") }
            out = out.dropFirst(count)
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let content = Self.content(answer) { answer = content; break }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw Refusal(description: "chromedriver answered nothing to \(path)") }
            answer += chunk[..<count]
        }
        let value = try JSON.parse(answer, depthMax: 128)["value"] ?? .null
        if let error = value["error"]?.string {
            throw Refusal(description: "\(path): \(error): \(value["message"]?.string?.prefix(300) ?? "")")
        }
        return value
    }

    /// The content of an answer that is whole; the driver keeps its connections.
    private static func content(_ answer: [UInt8]) -> [UInt8]? {
        let gap = Array("\r\n\r\n".utf8)
        guard let end = answer.indices.first(where: { answer[$0...].starts(with: gap) }) else { return nil }
        let head = String(decoding: answer[..<end], as: UTF8.self).lowercased()
        let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        guard let length = field.flatMap({ Int($0.dropFirst(15).drop { $0 == " " }) }) else { return nil }
        let content = answer[(end + gap.count)...]
        return content.count >= length ? Array(content.prefix(length)) : nil
    }
}
