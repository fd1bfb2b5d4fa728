import KinLoop
import Testing

@Suite struct `A name lookup` {
    @Test func `gives an address back as it is, and finds this machine`() throws {
        let lookup = NameLookup()
        #expect(try lookup.addresses(of: "192.0.2.7", timeoutMilliseconds: 0) == [IPAddress(v4: 0xC000_0207)])
        let own = try lookup.addresses(of: "localhost", timeoutMilliseconds: 60_000)
        #expect(!own.isEmpty && own.allSatisfy { $0.isLoopback })
    }

    @Test func `fails for what is no name`() {
        let lookup = NameLookup()
        for name in ["", "a\u{0}b", String(repeating: "a", count: 254)] {
            #expect(throws: LoopFailure.unknownHost(name)) {
                try lookup.addresses(of: name, timeoutMilliseconds: 60_000)
            }
        }
    }

    @Test func `does not outlast its time, and the next one still works`() throws {
        let lookup = NameLookup()
        for _ in 0..<20 { _ = try? lookup.addresses(of: "localhost", timeoutMilliseconds: 0) }
        // Threads that nobody waited for end by themselves and make room.
        var found: [IPAddress] = []
        while found.isEmpty { found = (try? lookup.addresses(of: "localhost", timeoutMilliseconds: 60_000)) ?? [] }
        #expect(found.allSatisfy { $0.isLoopback })
    }
}

@Suite struct `This machine's networks` {
    @Test func `hold loopback`() throws {
        let networks = try Machine.localNetworks()
        #expect(networks.contains { $0.contains(.loopbackV4) })
        #expect(Machine.localAddresses().allSatisfy { address in networks.contains { $0.contains(address) } })
    }

    @Test(arguments: [("10.1.2.3", 8, "10.0.0.0/8"), ("10.1.2.3", 0, "0.0.0.0/0"), ("fd00::1:2", 64, "fd00::/64")])
    func `are ranges around an address`(text: String, bits: Int, expected: String) throws {
        #expect("\(CIDR(around: try #require(IPAddress(text)), bits: bits))" == expected)
    }
}
