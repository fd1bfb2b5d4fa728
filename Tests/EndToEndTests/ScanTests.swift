import Glibc
import Testing

/// What a stranger's scanner finds in the daemon's TLS.
@Suite struct ScanTests {
    private static var isInstalled: Bool { access("/usr/bin/sslscan", X_OK) == 0 }

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
