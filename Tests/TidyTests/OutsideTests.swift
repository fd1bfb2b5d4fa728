import Glibc
import Testing

/// The daemon speaks to the outside by KinFetch alone.
@Suite struct OutsideTests {
    /// Everything that is linked into the daemon.
    private static let linked: Set<String> = {
        let manifest = Manifest.ours
        var seen: Set<String> = []
        var open = ["kinwired"]
        while let name = open.popLast() {
            guard seen.insert(name).inserted else { continue }
            open += manifest.targets.first { $0.name == name }?.dependencies ?? []
        }
        return seen
    }()

    /// What opens a connection or sends to somebody, looks a name up, or starts a program that could.
    static let words = [
        "ClientSocket", "kin_connect(", "kin_send_to(", "kin_socket(", "NameLookup", "getaddrinfo(", "gethostbyname",
        "getnameinfo(", "Glibc.connect(", "sendto(", "sendmsg(", "SYS_connect", "res_query", "BIO_new_connect",
        "BIO_s_connect", "posix_spawn", "kin_spawn(", "execv", "popen(", "fork(", "socket(AF_INET",
    ]

    /// Where that is right, and why.
    static let places = [
        "Sources/KinLoop/ClientSocket.swift": "the socket itself; in the daemon nobody but KinFetch has one",
        "Sources/KinLoop/ClientSocket+Connecting.swift": "the same",
        "Sources/KinLoop/NameLookup.swift": "names for KinFetch",
        "Sources/KinLoop/Machine+Names.swift": "whether this machine's own name leads to it, once at the start",
        "Sources/KinLoop/Errand.swift": "starts the program in which pictures are opened, which has no network",
        "Sources/KinLoop/ServiceNotice.swift": "tells systemd, over a Unix socket of this machine",
        "Sources/KinLoop/UnixSocketFile.swift": "asks whether a Unix socket of this machine is in use",
        "Sources/KinLoop/Listener.swift": "sockets that others connect to",
    ]

    static func breaks(_ code: some StringProtocol) -> Bool {
        words.contains { word in
            String(code).split(separator: word, omittingEmptySubsequences: false).dropLast().contains { before in
                // `refork(` is not `fork(`.
                !(before.last.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
            }
        }
    }

    @Test func `nothing of the daemon asks outside but the fetcher`() {
        #expect(Self.linked.isSuperset(of: ["KinServer", "KinKeeper", "KinMembers", "KinLoop"]))
        #expect(!Self.linked.contains("KinClient"), "the other side's code is no part of the daemon")
        let targets = Manifest.ours.targets(.area, .library, .program).filter {
            Self.linked.contains($0.name) && $0.name != "KinFetch"
        }
        var used: Set<String> = []
        for target in targets {
            for file in SourceTree.files(below: target.folder) where file.hasSuffix(".swift") {
                // Most files are passed over without splitting them.
                let text = SourceTree.bytes(of: file).map { CChar(bitPattern: $0) } + [0]
                guard Self.words.contains(where: { strstr(text, $0) != nil }) else { continue }
                for line in SourceTree.lines(of: file) where Self.breaks(line.code) {
                    if Self.places[file] == nil {
                        Issue.record("\(file):\(line.number) opens a way out; ask by KinFetch: \(line.text.trimmed)")
                    }
                    used.insert(file)
                }
            }
        }
        #expect(used == Set(Self.places.keys), "the list names no file that has no need of it")
    }

    @Test func `each use that is made of it stands on its page`() {
        let page = SourceTree.text(of: "Sources/KinServer/KinServer.docc/Outside.md")
        var purposes: Set<String> = []
        for file in SourceTree.files(below: "Sources/Areas") where file.hasSuffix(".swift") {
            for match in SourceTree.text(of: file).matches(of: /\bpurpose: "([a-z ]+)"/) {
                purposes.insert(String(match.output.1))
            }
        }
        #expect(purposes.isSuperset(of: ["push services", "map tiles", "recipes"]))
        for purpose in purposes { #expect(page.contains("\n| \(purpose)"), "\(purpose)") }
    }

    @Test func `the fetcher knows nothing of the family`() {
        let fetch = Manifest.ours.targets.first { $0.name == "KinFetch" }
        #expect(Set(fetch?.dependencies ?? []) == ["KinCodec", "KinLoop", "KinTLS", "KinCrypto"])
    }

    @Test(arguments: [
        "let socket = try ClientSocket.connect(address, timeoutMilliseconds: 1)",
        "guard getaddrinfo(name, nil, &a, &b)",
        "let fd = kin_connect(fd, &storage, length)", "_ = Glibc.connect(fd, a, l)", "posix_spawnp(&pid, path)",
    ])
    func `a way out is recognised`(code: String) { #expect(Self.breaks(code)) }

    @Test(arguments: [
        "network.clientConnects(from: peer)", "LoopFailure.system(call: name, errno: 1)", "func reconnect() {}",
        "connect(world)",
    ])
    func `what only sounds like one is none`(code: String) { #expect(!Self.breaks(code)) }
}
