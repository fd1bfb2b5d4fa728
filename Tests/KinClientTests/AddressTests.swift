import KinClient
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("https://kin.local:5469", "https://kin.local:5469"),
        ("http://127.0.0.1:5469/", "http://127.0.0.1:5469"),
        ("https://KIN.local:5469/join/x?y#z", "https://kin.local:5469"),
        ("kin.local", "https://kin.local:5469"),
        ("kin.local:80", "https://kin.local:80"),
        ("[fe80::1]:5469", "https://[fe80::1]:5469"),
        ("https://[::1]", "wss://[::1]"),
        ("https://kin.example", "wss://kin.example"),
        ("http://kin.example", "ws://kin.example"),
        ("wss://kin.example", "wss://kin.example"),
        ("wss://kin.example:5469/live", "wss://kin.example:5469"),
        ("https://kin.example:443", "https://kin.example:443"),
        ("unix:/run/kinwire/kinwire.sock", "unix:/run/kinwire/kinwire.sock"),
        ("unix:///run/k", "unix:/run/k"),
        ("/run/k", "unix:/run/k"),
    ])
    func `an address is read and written so that it is read again as the same`(text: String, written: String) throws {
        let address = try Address(text)
        #expect(address.description == written)
        #expect(try Address(written) == address)
    }

    @Test(arguments: [
        "", "ftp://x", "https://", "https://:5469", "https://host:0", "https://host:65536", "https://host:+1",
        "https://host:", "https://user@host", "host name", "https://a:b:c", "[::1", "[::1]x", "[zz::1]",
        "unix:relative",
        "unix:" + String(repeating: "/x", count: 60), "https://h\u{0}st", "https://hôst", "https://ho\\st",
    ])
    func `what is no address is refused`(text: String) {
        #expect(throws: ClientFailure.badAddress(text)) { try Address(text) }
    }

    @Test func `a host field has a port unless it is the scheme's own`() throws {
        #expect(try Address("https://a:5469").authority == "a:5469")
        #expect(try Address("https://a:443").authority == "a")
        #expect(try Address("http://[::1]:80").authority == "[::1]")
        #expect(try Address("/run/k").authority == "localhost")
    }

    @Test func `secrets travel in plain text on this machine only`() throws {
        #expect(try Address("http://127.0.0.1:5469").isConfidential)
        #expect(try Address("http://localhost:5469").isConfidential)
        #expect(try !Address("http://192.168.1.2:5469").isConfidential)
        #expect(try Address("https://192.168.1.2:5469").isConfidential)
        #expect(try Address("/run/k").isConfidential)
    }
}

@Suite struct LinkTests {
    let hex = String(repeating: "0a", count: 32)

    @Test func `an invite link gives the address, the code and the fingerprint`() throws {
        let link = try #require(Link("https://kin.local:5469/join/abcd-efgh#sha256=\(hex)"))
        #expect(link.purpose == .join)
        #expect(link.address == (try Address("https://kin.local:5469")))
        #expect(link.code == "abcd-efgh")
        #expect(link.fingerprint?.hex == hex)
    }

    @Test func `a set-up link and one without a fingerprint are links too`() throws {
        #expect(try #require(Link("http://127.0.0.1:5469/setup/x")).purpose == .setup)
        #expect(try #require(Link("https://h:1/join/x")).fingerprint == nil)
        #expect(try #require(Link("https://h:1/join/x#")).fingerprint == nil)
    }

    @Test(arguments: [
        "https://h:1/join/", "https://h:1/join", "https://h:1/leave/x", "https://h:1/join/x/y", "h:1/join/x",
        "https://h:1/join/x#sha256=12", "https://h:1/join/x#sha256=", "https://h:0/join/x", "https://h:1/join/%41",
        "abcd-efgh",
    ])
    func `what was cut or changed is no link`(text: String) { #expect(Link(text) == nil) }
}

@Suite struct FingerprintTests {
    @Test func `a fingerprint is read in every form people copy`() throws {
        let fingerprint = try #require(Fingerprint(bytes: (0..<32).map { UInt8($0 * 8 + 1) }))
        for text in [
            fingerprint.hex, fingerprint.description, "sha256=\(fingerprint.hex)", "SHA256:\(fingerprint.description)",
            fingerprint.lines.joined(separator: " "), fingerprint.hex.uppercased(),
        ] {
            #expect(Fingerprint(text) == fingerprint)
        }
        #expect(fingerprint.description.hasPrefix("01:09:11:"))
        #expect(fingerprint.lines.count == 4)
        for text in [
            "", "00", fingerprint.hex + "00", String(fingerprint.hex.dropLast()), "xx" + fingerprint.hex.dropFirst(2),
        ] {
            #expect(Fingerprint(text) == nil)
        }
        #expect(Fingerprint(bytes: []) == nil)
    }
}
