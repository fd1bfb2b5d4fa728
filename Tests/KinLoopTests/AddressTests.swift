import Testing

@testable import KinLoop

@Suite struct `Addresses` {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("0.0.0.0", "0.0.0.0"),
        ("::1", "::1"), ("::", "::"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("fe80::1", "fe80::1"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::FFFF:c000:0207", "192.0.2.7"),
        ("2001:db8::192.0.2.33", "2001:db8::c000:221"),
    ])
    func `are read, made one per machine and written short`(text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
    }

    @Test(arguments: [
        "", " ", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "0x7f.0.0.1",
        "127.1", "1.2.3.4\0", "::1\0junk", ":::", "1::2::3", "[::1]", "fe80::1%eth0", "::1/128", "12345::", "g::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "١.٢.٣.٤", String(repeating: "1", count: 5_000),
    ])
    func `that are junk are none`(text: String) { #expect(IPAddress(text) == nil) }

    @Test func `know whose they are`() throws {
        func all(_ texts: [String]) throws -> [IPAddress] { try texts.map { try #require(IPAddress($0)) } }
        let loopback = try all(["127.0.0.1", "127.255.0.3", "::1", "::ffff:127.0.0.1"])
        let privates = try all([
            "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.9.9", "fe80::1", "febf::1", "fc00::1",
            "fdff::1", "::ffff:10.1.1.1",
        ])
        let others = try all([
            "128.0.0.1", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "169.253.0.1", "fec0::1", "fe00::1",
            "2001:db8::1", "::2", "::", "0.0.0.0", "::127.0.0.1",
        ])
        for address in loopback { #expect(address.isLoopback && !address.isPrivate, "\(address)") }
        for address in privates { #expect(address.isPrivate && !address.isLoopback, "\(address)") }
        for address in others { #expect(!address.isPrivate && !address.isLoopback, "\(address)") }
    }

    @Test func `of one IPv6 household are slowed down together`() throws {
        let one = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        let same = try #require(IPAddress("2001:db8:1:2:ffff::9"))
        let next = try #require(IPAddress("2001:db8:1:3::6"))
        #expect(one.slowdownKey == same.slowdownKey)
        #expect(one.slowdownKey != next.slowdownKey)
        let four = try #require(IPAddress("192.0.2.1"))
        #expect(four.slowdownKey == four)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "10.0.0.1", false), ("::/0", "ff02::1", true),
        ("192.168.1.77/24", "192.168.1.2", true), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.0/31", "192.0.2.1", true), ("192.0.2.0/31", "192.0.2.2", false), ("fd00::/8", "fdab::1", true),
        ("fd00::/8", "fc00::1", false), ("2001:db8::/64", "2001:db8::ffff:1", true),
        ("2001:db8::/64", "2001:db8:0:1::", false), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("2001:db8::8000:0:0:0/65", "2001:db8::ffff:0:0:1", true), ("::1/128", "::1", true), ("::1", "::2", false),
        ("::ffff:10.0.0.0/104", "10.9.9.9", true), ("10.0.0.0/8", "::ffff:10.9.9.9", true),
    ])
    func `lie in ranges or do not`(range: String, address: String, isInside: Bool) throws {
        let range = try #require(CIDR(range))
        #expect(range.contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8",
        "10.0.0.0/8 ", "::/129", "::/999999999999999999999", "::ffff:10.0.0.0/95", "10/8", "x/8", "10.0.0.0/٨",
    ])
    func `make no range out of junk`(text: String) { #expect(CIDR(text) == nil) }

    @Test(arguments: [
        ("127.0.0.1:5469", ["127.0.0.1:5469"]), ("[::]:5469", ["[::]:5469"]), (":5469", ["0.0.0.0:5469", "[::]:5469"]),
        ("[::1]:0", ["[::1]:0"]), ("0.0.0.0:65535", ["0.0.0.0:65535"]),
        ("localhost:80", ["127.0.0.1:80", "[::1]:80"]), ("[::ffff:127.0.0.1]:1", ["127.0.0.1:1"]),
    ])
    func `with ports are read`(text: String, places: [String]) throws {
        #expect(try SocketAddress.parse(text).map(\.description) == places)
    }

    @Test(arguments: [
        "", ":", "5469", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1",
        "::1:5469", "[::1]", "[127.0.0.1]:1", "[]:1", "[:1", "example:1", "1.2.3.4:1:2", ":000001", ":٨",
    ])
    func `with ports that are junk are named in the failure`(text: String) {
        #expect(throws: LoopFailure.badAddress(text)) { try SocketAddress.parse(text) }
    }
}
