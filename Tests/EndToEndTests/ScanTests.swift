import Glibc
import Testing

/// What a stranger's scanner finds in the daemon's TLS.
@Suite struct ScanTests {
    private static var isInstalled: Bool { access("/usr/bin/sslscan", X_OK) == 0 }

    @Test(arguments: ["-tls1_3", "-tls1_2"]) func `openssl's client comes back with its ticket`(version: String) throws
    {
        let stage = try Stage()
        let house = try House(stage)
        let ticket = stage.folder + "/ticket"
        let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        func connect(_ option: String) throws -> String {
            let words = [
                "openssl", "s_client", version, "-connect", "127.0.0.1:\(house.port)", "-ign_eof", option, ticket,
            ]
            let client = stage.start(words, input: request)
            client.closeInput()
            try stage.wait("openssl's client") { client.status != nil }
            client.take()
            return client.lines.joined(separator: "\n")
        }
        let first = try connect("-sess_out")
        #expect(first.contains("\nNew, TLSv1") && first.contains("HTTP/1.1 200 OK"))
        let second = try connect("-sess_in")
        #expect(second.contains("\nReused, TLSv1") && second.contains("HTTP/1.1 200 OK"), "\(second)")
    }

    @Test(.enabled(if: isInstalled)) func `sslscan finds TLS 1.2 and 1.3, forward secrecy, and nothing weak`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let scan = try stage.run("sslscan", "--no-colour", "127.0.0.1:\(house.port)")
        let lines = scan.lines
        let protocols = lines.filter { $0.hasPrefix("SSLv") || $0.hasPrefix("TLSv1.") && $0.hasSuffix("abled") }
        let offered = protocols.filter { $0.hasSuffix("enabled") }.map { String($0.prefix { $0 != " " }) }
        #expect(offered == ["TLSv1.2", "TLSv1.3"], "\(protocols)")
        #expect(protocols.count == 6)

        // `Preferred TLSv1.2  256 bits  ECDHE-ECDSA-AES256-GCM-SHA384 Curve 25519 DHE 253`
        let ciphers = lines.filter { $0.hasPrefix("Preferred") || $0.hasPrefix("Accepted") }
            .map { $0.split(separator: " ").map { String($0) } }
        #expect(ciphers.count >= 4)
        for words in ciphers {
            try #require(words.count > 4)
            let (bits, name) = (Int(words[2]) ?? 0, words[4])
            #expect(bits >= 128, "\(name)")
            #expect(name.contains("GCM") || name.contains("POLY1305"), "\(name) is authenticated")
            #expect(name.hasPrefix("TLS_") || name.hasPrefix("ECDHE-"), "\(name) has forward secrecy")
        }
        let groups = lines.filter { $0.hasPrefix("TLSv1.") && $0.contains(" bits  ") }
        #expect(!groups.isEmpty)
        for group in groups {
            #expect(["x25519", "secp256r1", "secp384r1"].contains { group.contains($0) }, "\(group)")
        }

        let all = lines.joined(separator: "\n")
        #expect(all.contains("Server supports TLS Fallback SCSV"))
        #expect(all.contains("Session renegotiation not supported"))
        for version in offered { #expect(all.contains("\(version) not vulnerable to heartbleed")) }
        #expect(all.contains("Signature Algorithm: ecdsa-with-SHA256"))
        for bad in ["enabled compression", "Compression enabled", "md5With", "sha1With", "Anonymous"] {
            #expect(!all.contains(bad))
        }
        // The daemon outlived it.
        #expect(try stage.run("curl", "-sf", "\(house.url)/healthz").lines == ["ok"])
    }
}
