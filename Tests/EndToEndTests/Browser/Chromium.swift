import Glibc
import KinModel
import Synchronization
import Testing

/// A Chromium that runs, with its driver. Tests give it back empty, and the next test of the same language has it: to start
/// and to end one takes two thirds of a second of processor, as long as a page needs that is opened for the first time.
struct Chromium {
    /// The same engine without a window takes half the processor of one whose window is only hidden. It has no page that
    /// warns of a certificate, and shows no notification.
    static let program = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].first { (path: String) in
        access(path, X_OK) == 0
    }

    static let whole = "/usr/bin/chromium"

    private let language: String
    /// The driver's, on loopback.
    let port: UInt16
    let session: String

    /// Those that no test has, by language.
    private static let idle = Mutex<[String: [Chromium]]>([:])
    /// All that were started for more than one test, to be ended: the driver and its folder.
    private static let started = Mutex<[(chromium: Chromium, driver: pid_t, folder: String)]>([])
    private static let end = atexit { Chromium.endAll() }

    /// One that no test has, and that still answers.
    static func take(_ language: String) -> Chromium? {
        while let one = idle.withLock({ $0[language]?.popLast() }) {
            // Something may have been on its way when it was given back.
            let isEmpty =
                try? Browser.ask(
                    one.port, "POST", "/session/\(one.session)/goog/cdp/execute",
                    ["cmd": "Network.clearBrowserCookies", "params": [:]])
            _ = try? Browser.ask(one.port, "POST", "/session/\(one.session)/se/log", ["type": "browser"])
            if isEmpty != nil { return one }
        }
        return nil
    }

    static func give(_ chromium: Chromium) { idle.withLock { $0[chromium.language, default: []].append(chromium) } }

    /// Starts one. In a network of the test's own it is the test's; anywhere else it lives until all tests have ended.
    init(_ stage: Stage, _ language: String, in network: OwnNetwork?, isWhole: Bool) throws {
        let stage = try network == nil ? Stage() : stage
        let driver = stage.start((network?.prefix ?? []) + ["chromedriver", "--port=0", "--allowed-ips=127.0.0.1"])
        let lead = "was started successfully on port "
        try stage.wait("chromedriver") { driver.lines.contains { $0.contains(lead) } }
        let line = try #require(driver.lines.first { $0.contains(lead) })
        let number = line.split(separator: " ").last.map { $0.prefix { $0.isNumber } } ?? ""
        port = try #require(UInt16(number), "\(line)")
        let program = try #require(isWhole ? Self.whole : Self.program)
        let arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server",
            "--disable-background-networking", "--disable-component-update", .string("--lang=\(language)"),
            .string("--accept-lang=\(language)"),
            // The pages that hang below the address bar are loaded at the start, which costs as much as all the rest of it.
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI",
        ]
        let opened = try Browser.ask(
            port, "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "goog:loggingPrefs": ["browser": "ALL"],
                        "goog:chromeOptions": [
                            "binary": .string(program), "args": .array(arguments),
                            "prefs": ["intl.accept_languages": .string(language)],
                        ],
                    ]
                ]
            ], in: network)
        session = try #require(opened["sessionId"]?.string)
        self.language = language
        guard network == nil else { return }
        _ = Self.end
        // The stage would end it with the test.
        _ = Unmanaged.passRetained(stage)
        let one = (chromium: self, driver: driver.process, folder: stage.folder)
        Self.started.withLock { $0.append(one) }
    }

    /// Before the process of the tests ends.
    private static func endAll() {
        for one in started.withLock({ $0 }) {
            _ = try? Browser.ask(one.chromium.port, "DELETE", "/session/\(one.chromium.session)")
            kill(one.driver, SIGKILL)
            waitpid(one.driver, nil, 0)
            _ = Program(["rm", "-rf", one.folder], environment: ["PATH": "/usr/bin:/bin"]).waited()
        }
    }
}
