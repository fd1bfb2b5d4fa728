import Glibc
import Testing

@testable import KinTLS

private let day: Int64 = 86_400_000

@Suite struct `The local authority` {
    let folder = TemporaryFolder()

    @Test func `is founded once, and is the same after a restart`() throws {
        let first = try LocalAuthority.test(folder)
        #expect(first.change == .founded)
        #expect(first.outside == [])
        #expect(first.names == ["192.168.1.7", "kin.example", "kin.local", "localhost"])
        let second = try LocalAuthority.test(folder, now: LocalAuthority.testTime + day)
        #expect(second.change == .kept)
        #expect(second.rootSHA256 == first.rootSHA256 && second.chainPEM == first.chainPEM)
        #expect(second.keyPEM == first.keyPEM && second.rootDER == first.rootDER)
        #expect(first.rootSHA256.count == 64 && first.fingerprint.count == 95)
        #expect(first.fingerprint.replacing(":", with: "").lowercased() == first.rootSHA256)
        #expect(try certificateSummary(first.rootPEM).sha256 == first.rootSHA256)
    }

    @Test func `keeps keys to itself, and the root's key nowhere`() throws {
        _ = try LocalAuthority.test(folder)
        #expect(folder.names == ["intermediate.crt", "intermediate.key", "leaf.crt", "leaf.key", "root.crt"])
        for name in folder.names { #expect(folder.mode(name) == (name.hasSuffix(".key") ? 0o600 : 0o644), "\(name)") }
        #expect(folder.mode("") == 0o700)
        let root = try Certificate.all(pem: folder.read("root.crt"))[0]
        for name in ["intermediate.key", "leaf.key"] {
            #expect(!root.belongs(to: try PrivateKey(pem: folder.read(name))), "\(name)")
        }
        for name in folder.names where name.hasSuffix(".crt") {
            #expect(!String(decoding: folder.read(name), as: UTF8.self).contains("PRIVATE"))
        }
    }

    @Test func `makes a leaf of 397 days, and anew 30 days before its end`() throws {
        let first = try LocalAuthority.test(folder)
        let summary = try certificateSummary(first.chainPEM)
        #expect(summary.notBefore == LocalAuthority.testTime - 3_600_000)
        #expect(summary.notAfter - summary.notBefore == 397 * day - 1000)
        #expect(summary.notAfter == first.notAfter)
        #expect(summary.issuer.contains("Kinwire family intermediate"))
        #expect(try LocalAuthority.test(folder, now: first.notAfter - 30 * day).change == .kept)
        let second = try LocalAuthority.test(folder, now: first.notAfter - 30 * day + 1000)
        #expect(second.change == .leafMade)
        #expect(second.notAfter > first.notAfter + 300 * day)
        #expect(second.rootSHA256 == first.rootSHA256)
        #expect(second.keyPEM != first.keyPEM)
        // A clock that fell back: the leaf has not begun yet.
        #expect(try LocalAuthority.test(folder, now: LocalAuthority.testTime).change == .leafMade)
    }

    @Test func `makes a new leaf when names or addresses change, in any order`() throws {
        let first = try LocalAuthority.test(folder, names: ["kin.example"], addresses: ["192.168.1.7", "fd00::7"])
        #expect(
            try LocalAuthority.test(folder, names: ["KIN.example."], addresses: ["[FD00:0::7]", "192.168.1.7"]).change
                == .kept)
        let moved = try LocalAuthority.test(
            folder, names: ["kin.example", "box.local"], addresses: ["10.1.2.3", "fe80::1%eth0", "::ffff:192.168.9.9"])
        #expect(moved.change == .leafMade && moved.outside == [])
        #expect(moved.names == ["10.1.2.3", "192.168.9.9", "box.local", "fe80::1", "kin.example", "localhost"])
        #expect(moved.rootSHA256 == first.rootSHA256)
    }

    @Test func `says which names lie outside, and leaves them out`() throws {
        _ = try LocalAuthority.test(folder)
        let second = try LocalAuthority.test(
            folder, names: ["kin.example", "new.example", "a.kin.example", "bad name", "*.kin.example"],
            addresses: ["192.168.1.7", "203.0.113.5", "2001:db8::1", "nonsense"])
        #expect(
            Set(second.outside) == [
                "new.example", "203.0.113.5", "2001:db8::1", "bad name", "*.kin.example", "nonsense",
            ])
        #expect(second.names == ["192.168.1.7", "a.kin.example", "kin.example", "localhost"])
        // The same wish again is no change.
        let third = try LocalAuthority.test(folder, names: ["kin.example", "a.kin.example", "new.example"])
        #expect(third.change == .kept)
    }

    @Test func `permits a public address of the founding`() throws {
        let first = try LocalAuthority.open(
            directory: folder.path, names: [], addresses: ["203.0.113.6"],
            permittedAddresses: ["203.0.113.5", "2001:db8::1"], now: LocalAuthority.testTime)
        #expect(first.names == ["2001:db8::1", "203.0.113.5", "localhost"])
        #expect(first.outside == ["203.0.113.6"])
    }

    @Test func `permits no more than its names`() throws {
        _ = try LocalAuthority.test(folder, names: ["kin.example", "dev", "box.local"])
        let intermediate = try Certificate.all(pem: folder.read("intermediate.crt"))[0]
        let good: [ServedName] = [
            .dns("kin.example"), .dns("a.b.kin.example"), .dns("dev"), .dns("any.local"), .dns("localhost"),
            .address([10, 0, 0, 1]), .address([172, 31, 255, 255]), .address([192, 168, 0, 1]),
            .address([127, 9, 9, 9]),
            .address([169, 254, 1, 1]), .address([0xFC] + [UInt8](repeating: 0, count: 15)),
            .address([0xFE, 0xBF] + [UInt8](repeating: 1, count: 14)), .address([UInt8](repeating: 0, count: 15) + [1]),
        ]
        for name in good { #expect(intermediate.permits(name), "\(name.text)") }
        let bad: [ServedName] = [
            .dns("example"), .dns("xkin.example"), .dns("bank.dev"), .dns("example.com"), .dns("com"),
            .address([11, 0, 0, 1]), .address([172, 32, 0, 1]), .address([172, 15, 0, 1]), .address([8, 8, 8, 8]),
            .address([0xFE, 0xC0] + [UInt8](repeating: 0, count: 14)), .address([UInt8](repeating: 0, count: 15) + [2]),
            .address([0x20, 1] + [UInt8](repeating: 0, count: 14)),
        ]
        for name in bad { #expect(!intermediate.permits(name), "\(name.text)") }
    }

    @Test func `cannot be abused for an outside name: the handshake fails`() throws {
        // Whoever steals the intermediate's key makes a leaf for a bank.
        let now = Int64(time(nil)) * 1000
        _ = try LocalAuthority.test(folder, now: now)
        let signer = try #require(try LocalAuthority.Signer(in: Folder(folder.path)))
        for name in [ServedName.dns("bank.example.com"), .address([8, 8, 8, 8])] {
            let leaf = try LocalAuthority.Leaf(for: [name], signer: signer, now: now)
            let server = try TLSContext(serverChainPEM: leaf.chain(signer), keyPEM: leaf.key.pem())
            let trusting = try TLSContext(clientTrusting: .file(folder.path + "/root.crt"))
            var talk = Conversation(try TLSSession(client: trusting, host: name.text), try TLSSession(server: server))
            talk.settle()
            #expect(!talk.client.isHandshakeComplete)
            guard case .failed(let sentence) = talk.clientEnd else {
                Issue.record("it fails")
                return
            }
            #expect(sentence.contains("permitted subtree violation"), "\(sentence)")
        }
        // And an intermediate of its own, below this one.
        let key = try PrivateKey()
        let draft = Certificate.Draft(
            commonName: "Evil", notBefore: now - day, notAfter: now + day,
            extensions: [(87, "critical,CA:TRUE"), (83, "critical,keyCertSign")])
        let evil = try Certificate.issue(draft, for: key, issuer: signer.intermediate, issuerKey: signer.key)
        let below = LocalAuthority.Signer(root: signer.root, intermediate: evil, key: key)
        let leaf = try LocalAuthority.Leaf(for: [.dns("kin.example")], signer: below, now: now)
        let server = try TLSContext(
            serverChainPEM: leaf.chain(below) + signer.intermediate.pem(), keyPEM: leaf.key.pem())
        let trusting = try TLSContext(clientTrusting: .file(folder.path + "/root.crt"))
        var talk = Conversation(try TLSSession(client: trusting, host: "kin.example"), try TLSSession(server: server))
        talk.settle()
        #expect(!talk.client.isHandshakeComplete)
    }

    @Test func `takes a clock that was never set for the time it was built`() throws {
        let first = try LocalAuthority.test(folder, now: 1000)
        let summary = try certificateSummary(first.chainPEM)
        #expect(summary.notBefore == LocalAuthority.clockMin)
        #expect(try LocalAuthority.test(folder, now: 5000).change == .kept)
        // When the clock is right, a year later, the leaf is made anew under the same root.
        let second = try LocalAuthority.test(folder, now: LocalAuthority.testTime + 365 * day)
        #expect(second.change == .leafMade && second.rootSHA256 == first.rootSHA256)
        #expect(try certificateSummary(second.rootPEM).notBefore == LocalAuthority.clockMin)
        for now in [Int64.min, .max] { #expect(try LocalAuthority.test(folder, now: now).change != .founded) }
    }

    @Test func `mends a torn leaf, and says so when more is torn`() throws {
        let first = try LocalAuthority.test(folder)
        for name in ["leaf.crt", "leaf.key"] {
            for bytes in [[], Array("garbage".utf8), folder.read("intermediate.key"), folder.read("root.crt")] {
                folder.write(name, bytes)
                let mended = try LocalAuthority.test(folder)
                #expect(mended.change == .leafMade && mended.rootSHA256 == first.rootSHA256)
            }
        }
        // Founding was cut off before the root was written: nobody trusts it yet, so it is founded again.
        unlink(folder.path + "/root.crt")
        let again = try LocalAuthority.test(folder)
        #expect(again.change == .founded && again.rootSHA256 != first.rootSHA256)
        for name in ["intermediate.key", "intermediate.crt", "root.crt"] {
            let kept = folder.read(name)
            for bytes in [[], Array(kept.prefix(100)), folder.read("leaf.key"), folder.read("leaf.crt")] {
                folder.write(name, bytes)
                let failure = #expect(throws: TLSFailure.self) { try LocalAuthority.test(folder) }
                #expect(failure?.sentence.contains("backup") == true)
            }
            folder.write(name, kept)
        }
        #expect(try LocalAuthority.test(folder).rootSHA256 == again.rootSHA256)
    }

    @Test func `says why a folder cannot be used`() throws {
        folder.write("file", [])
        let failure = #expect(throws: TLSFailure.self) {
            try LocalAuthority.open(directory: folder.path + "/file", names: [], addresses: [], now: 0)
        }
        #expect(failure?.sentence.contains("Not a directory") == true)
        #expect(throws: TLSFailure.self) {
            try LocalAuthority.open(directory: "/nonexistent/deep", names: [], addresses: [], now: 0)
        }
    }
}
