import KinLoop
import Testing

@testable import KinServer
@testable import KinServerBox

/// Where links lead: names only where they lead here, else the address of the default route, and loopback only where
/// nobody else reaches the daemon.
@Suite struct ReachTests {
    private static let everywhere = [
        SocketAddress(.anyV4, port: 5469), SocketAddress(.anyV6, port: 5469),
    ]

    private func reach(
        _ given: [String] = [], _ listening: [SocketAddress] = everywhere, name: String = "kin",
        announced: Bool = false,
        addresses: [String] = ["192.168.1.5"], routed: [String] = ["192.168.1.5"], names: [String: [String]] = [:]
    ) -> Reach {
        Reach(
            given: given, listening: listening,
            Reach.Surroundings(
                hostName: name, isAnnounced: announced, addresses: addresses.compactMap { IPAddress($0) },
                routed: routed.compactMap { IPAddress($0) },
                resolve: { (names[$0] ?? []).compactMap { IPAddress($0) } }))
    }

    @Test func `a name that leads to loopback is in no link`() {
        // Debian's /etc/hosts.
        let reach = reach(names: ["kin": ["127.0.1.1"]])
        #expect(reach.urls == ["https://192.168.1.5:5469"] && !reach.isOnlyHere)
    }

    @Test func `a name that leads here is in links, and one that leads elsewhere is not`() {
        #expect(
            reach(names: ["kin": ["127.0.1.1", "192.168.1.5"]]).urls
                == ["https://kin:5469", "https://192.168.1.5:5469"])
        #expect(reach(names: ["kin": ["192.168.1.77"]]).canonical == "https://192.168.1.5:5469")
    }

    @Test func `a local name counts where it is announced`() {
        #expect(reach(announced: true).urls == ["https://kin.local:5469", "https://192.168.1.5:5469"])
        #expect(reach(announced: false).canonical == "https://192.168.1.5:5469")
        #expect(reach(name: "localhost", announced: true).canonical == "https://192.168.1.5:5469")
        // The name in capitals is the same name.
        #expect(reach(name: "KIN", announced: true).canonical == "https://kin.local:5469")
    }

    @Test func `the address of the default route comes before others`() {
        let reach = reach(
            addresses: ["172.17.0.1", "10.0.0.2", "fd00::5", "2001:db8::5"], routed: ["10.0.0.2", "fd00::5"])
        // The family's own authority vouches for private addresses only.
        #expect(reach.urls == ["https://10.0.0.2:5469", "https://[fd00::5]:5469", "https://172.17.0.1:5469"])
    }

    @Test func `only what is listened on is in links`() throws {
        let one = try SocketAddress.parse("172.17.0.1:443")
        let addresses = ["172.17.0.1", "10.0.0.2"]
        #expect(
            reach([], one, announced: true, addresses: addresses, names: ["kin": ["10.0.0.2"]]).urls
                == ["https://kin.local", "https://172.17.0.1"])
        let v4 = [SocketAddress(.anyV4, port: 81)]
        #expect(reach([], v4, addresses: ["2001:db8::5", "10.0.0.2"]).urls == ["https://10.0.0.2:81"])
    }

    @Test func `where nobody else reaches it, links are plain and to loopback`() throws {
        let here = try SocketAddress.parse("localhost:8080")
        let reach = reach([], here, announced: true)
        #expect(reach.urls == ["http://127.0.0.1:8080"] && reach.isOnlyHere)
        let v6 = try self.reach([], SocketAddress.parse("[::1]:8080"))
        #expect(v6.urls == ["http://[::1]:8080"])
        // No network at all.
        #expect(self.reach(addresses: [], routed: []).urls == ["http://127.0.0.1:5469"])
    }

    @Test func `a certificate that others vouch for says the names`() {
        let around = Reach.Surroundings(
            hostName: "kin", isAnnounced: true, addresses: [IPAddress("192.168.1.5")].compactMap { $0 }, routed: [],
            resolve: { _ in [] })
        let port = [SocketAddress(.anyV4, port: 443)]
        #expect(
            Reach(given: [], certified: ["*.example.org", "kin.example.org"], listening: port, around).urls
                == ["https://kin.example.org"])
    }

    @Test func `what the administrator says comes first, but for loopback that others cannot open`() throws {
        let reach = reach(["https://localhost:1", "https://kin.example.org/"], announced: true)
        #expect(reach.urls.prefix(2) == ["https://kin.example.org", "https://kin.local:5469"])
        let here = try self.reach(["https://kin.example.org"], SocketAddress.parse("127.0.0.1:8080"))
        #expect(here.urls == ["https://kin.example.org"] && !here.isOnlyHere, "a proxy stands before it")
        let own = try self.reach(["https://localhost:1/"], SocketAddress.parse("127.0.0.1:8080"))
        #expect(own.urls == ["https://localhost:1", "http://127.0.0.1:8080"] && own.isOnlyHere)
    }

    @Test func `another machine of the same name is in no link, and the log says what to do`() {
        let twin = reach(announced: true, names: ["kin.local": ["192.168.1.9"]])
        #expect(twin.urls == ["https://192.168.1.5:5469"])
        #expect(
            twin.doubts == [
                "kin.local is another machine here (192.168.1.9), so no link carries that name. Give one of the two "
                    + "another name (hostnamectl), or start kinwired with --url."
            ])
        #expect(reach(names: ["kin": ["192.168.1.9"]]).doubts.count == 1)
        // Its own, one that nothing here resolves, Debian's entry for itself, and a provider's answer to every name are fine.
        for names in [["kin.local": ["192.168.1.5"]], [:], ["kin": ["127.0.1.1"]], ["kin": ["198.51.100.7"]]] {
            let reach = reach(announced: true, names: names)
            #expect(reach.canonical == "https://kin.local:5469" && reach.doubts == [], "\(names)")
        }
    }

    @Test func `a URL whose name leads nowhere is doubted, and one that leads elsewhere is not`() {
        let doubts = reach(["https://kin.invalid:5469"]).doubts
        #expect(doubts.count == 1 && doubts.first?.contains("no machine called kin.invalid") == true, "\(doubts)")
        // A router's own address, behind which this machine stands.
        #expect(reach(["https://kin.example.org"], names: ["kin.example.org": ["198.51.100.7"]]).doubts == [])
        #expect(reach(["https://198.51.100.7"]).doubts == [] && reach(["http://localhost:1"]).doubts == [])
    }
}
