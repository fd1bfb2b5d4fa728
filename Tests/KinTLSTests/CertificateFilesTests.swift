import KinTLS
import Testing

@Suite struct `Certificate files` {
    let folder = TemporaryFolder()
    let first = TemporaryFolder()
    let second = TemporaryFolder()

    private func put(_ source: TemporaryFolder, _ name: String) { folder.write(name, source.read(name)) }

    @Test func `are loaded when they change, and kept while they don't fit`() throws {
        _ = try LocalAuthority.test(first, names: ["one.local"])
        _ = try LocalAuthority.test(second, names: ["two.local"])
        var files = CertificateFiles(certificate: folder.path + "/leaf.crt", key: folder.path + "/leaf.key")
        guard case .unfit(let absent) = files.reload() else {
            Issue.record("nothing there yet")
            return
        }
        #expect(absent.sentence.contains("does not exist"))
        guard case .unchanged = files.reload() else {
            Issue.record("still nothing there")
            return
        }
        put(first, "leaf.crt")
        put(first, "leaf.key")
        guard case .loaded(_, let summary) = files.reload() else {
            Issue.record("loads")
            return
        }
        #expect(summary.names.contains("one.local"))
        guard case .unchanged = files.reload() else {
            Issue.record("nothing changed")
            return
        }
        put(second, "leaf.crt")
        guard case .unfit(let failure) = files.reload() else {
            Issue.record("the new certificate and the old key")
            return
        }
        #expect(failure.sentence.contains("belong together"))
        put(second, "leaf.key")
        guard case .loaded(_, let renewed) = files.reload() else {
            Issue.record("the pair is whole")
            return
        }
        #expect(renewed.names.contains("two.local"))
    }

    @Test func `refuse what is no certificate, and a key with a passphrase, without asking for it`() throws {
        let authority = try LocalAuthority.test(first)
        let locked = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjGdRHJXvNLiQICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKYLFdDbEXCSl6N7hXrjdQ4EgZAZ
            -----END ENCRYPTED PRIVATE KEY-----
            """
        for (chain, key) in [
            (authority.chainPEM, Array(locked.utf8)), (authority.chainPEM, []), ([], authority.keyPEM),
            (authority.keyPEM, authority.keyPEM), (authority.chainPEM, authority.chainPEM),
            (authority.chainPEM.dropLast(100) + [], authority.keyPEM),
        ] as [([UInt8], [UInt8])] {
            #expect(throws: TLSFailure.self) { try TLSContext(serverChainPEM: chain, keyPEM: key) }
        }
        // One file that holds both.
        _ = try TLSContext(
            serverChainPEM: authority.keyPEM + authority.chainPEM, keyPEM: authority.chainPEM + authority.keyPEM)
    }

    @Test func `are summed up`() throws {
        let authority = try LocalAuthority.test(first)
        let summary = try certificateSummary(authority.chainPEM)
        #expect(summary.names == ["localhost", "kin.example", "kin.local", "192.168.1.7"])
        #expect(summary.subject == "CN=Kinwire,O=Kinwire")
        #expect(summary.notAfter == authority.notAfter)
        #expect(throws: TLSFailure.self) { try certificateSummary([]) }
    }
}
