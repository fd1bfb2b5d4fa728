import Glibc
import Testing

@testable import KinTLS

/// What others say to the authority's certificates and to the sessions.
@Suite(.serialized) struct `The certificates and sessions` {
    let folder = TemporaryFolder()
    let now = Int64(time(nil)) * 1000

    @Test(.enabled(if: Program.isInstalled("openssl")))
    func `verify with openssl by the strict rules`() throws {
        let authority = try LocalAuthority.test(folder, now: now)
        #expect(authority.outside == [])
        let (root, between, leaf) = (
            folder.path + "/root.crt", folder.path + "/intermediate.crt", folder.path + "/leaf.crt"
        )
        for name in ["kin.example", "kin.local", "localhost"] {
            let good = Program.run(
                "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-CAfile", root,
                "-untrusted", between, leaf)
            #expect(good.code == 0 && good.output.hasSuffix(": OK\n"), "\(good.output)")
        }
        #expect(Program.run("openssl", "verify", "-x509_strict", "-CAfile", root, between).code == 0)
        // A leaf for a name outside, signed with the stolen key.
        let signer = try #require(try LocalAuthority.Signer(in: Folder(folder.path)))
        let outside = try LocalAuthority.Leaf(for: [.dns("bank.example.com")], signer: signer, now: now)
        folder.write("outside.crt", try outside.certificate.pem())
        let bad = Program.run(
            "openssl", "verify", "-x509_strict", "-CAfile", root, "-untrusted", between, folder.path + "/outside.crt")
        #expect(bad.code != 0 && bad.output.contains("permitted subtree violation"), "\(bad.output)")
    }

    @Test(.enabled(if: Program.isInstalled("openssl")))
    func `say in the intermediate what it may be used for`() throws {
        _ = try LocalAuthority.test(folder, names: ["kin.example", "box"], now: now)
        let text = Program.run("openssl", "x509", "-in", folder.path + "/intermediate.crt", "-noout", "-text").output
        for line in [
            "X509v3 Name Constraints: critical", "DNS:local\n", "DNS:kin.example\n", "IP:10.0.0.0/255.0.0.0",
            "IP:172.16.0.0/255.240.0.0", "IP:192.168.0.0/255.255.0.0", "IP:127.0.0.0/255.0.0.0",
            "IP:169.254.0.0/255.255.0.0", "IP:FC00:", "IP:FE80:", "CA:TRUE, pathlen:0", "TLS Web Server Authentication",
        ] { #expect(text.contains(line), "\(line)") }
        #expect(text.split(separator: "Excluded:").last?.contains("DNS:.box\n") == true)
    }

    @Test(.enabled(if: Program.isInstalled("openssl")), arguments: ["-tls1_3", "-tls1_2"])
    func `are accepted by openssl's client`(version: String) throws {
        let server = LoopbackServer(try LocalAuthority.test(folder, now: now).context)
        defer { server.end() }
        let good = Program.run(
            "openssl", "s_client", version, "-connect", "127.0.0.1:\(server.port)", "-servername", "kin.example",
            "-verify_hostname", "kin.example", "-CAfile", folder.path + "/root.crt", "-verify_return_error",
            "-x509_strict",
            "-alpn", "h2,http/1.1")
        #expect(good.code == 0 && good.output.contains("Verify return code: 0 (ok)"), "\(good.output)")
        #expect(good.output.contains("ALPN protocol: http/1.1"))
        let old = Program.run(
            "openssl", "s_client", "-tls1_1", "-cipher", "ALL@SECLEVEL=0", "-connect", "127.0.0.1:\(server.port)")
        #expect(old.code != 0)
        let other = Program.run("openssl", "s_client", "-alpn", "h2", "-connect", "127.0.0.1:\(server.port)")
        #expect(other.code != 0 && other.output.contains("no application protocol"), "\(other.output)")
    }

    @Test(.enabled(if: Program.isInstalled("curl")))
    func `are accepted by curl`() throws {
        let server = LoopbackServer(try LocalAuthority.test(folder, now: now).context)
        defer { server.end() }
        func fetch(_ host: String) -> (code: Int32, output: String) {
            Program.run(
                "curl", "--silent", "--show-error", "--noproxy", "*", "--cacert", folder.path + "/root.crt",
                "--resolve",
                "*:\(server.port):127.0.0.1", "https://\(host):\(server.port)/")
        }
        #expect(fetch("kin.example") == (0, "family"))
        #expect(fetch("kin.local") == (0, "family"))
        #expect(fetch("other.example").code == 60)
    }

    @Test(.enabled(if: Program.isInstalled("python3")))
    func `are accepted by Python`() throws {
        let server = LoopbackServer(
            try LocalAuthority.test(folder, addresses: ["127.0.0.1"], now: now).context)
        defer { server.end() }
        let program = """
            import socket, ssl, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            for host in ["kin.example", "127.0.0.1"]:
                with context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[2]))), server_hostname=host) as s:
                    s.sendall(b"GET / HTTP/1.1\\r\\n\\r\\n")
                    print(s.version(), s.recv(1000)[-6:].decode())
            """
        let run = Program.run("python3", "-c", program, folder.path + "/root.crt", "\(server.port)")
        #expect(run == (0, "TLSv1.3 family\nTLSv1.3 family\n"))
    }
}
