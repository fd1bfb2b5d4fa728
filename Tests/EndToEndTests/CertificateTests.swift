import Glibc
import KinCodec
import KinModel
import Testing

/// Certificates that somebody else renews, and the family's own root.
@Suite struct CertificateTests {
    /// A certificate of its own for `localhost`, as `NAME.pem` and `NAME.key`.
    private func make(_ stage: Stage, _ name: String) throws {
        try stage.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "90", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost", "-keyout",
            "\(stage.folder)/\(name).key", "-out", "\(stage.folder)/\(name).pem")
    }

    private func serves(_ stage: Stage, _ house: House, _ name: String) throws -> Bool {
        try stage.run(
            "curl", "-s", "-o", "/dev/null", "--cacert", "\(stage.folder)/\(name).pem",
            "https://localhost:\(house.port)/healthz", exits: nil
        ).status == 0
    }

    @Test func `SIGHUP takes a new pair when it fits together, and keeps the old one until then`() throws {
        let stage = try Stage()
        for name in ["old", "new"] { try make(stage, name) }
        let (chain, key) = (stage.folder + "/chain", stage.folder + "/key")
        try stage.run("cp", stage.folder + "/old.pem", chain)
        try stage.run("cp", stage.folder + "/old.key", key)
        let house = try House(stage, flags: ["--tls-cert", chain, "--tls-key", key])
        #expect(try serves(stage, house, "old"))
        let status = try house.door().call("daemon.status", [:])
        #expect(status["certificate"]?["isOwn"] == false)

        try stage.run("cp", stage.folder + "/new.key", key)
        house.daemon.signal(SIGHUP)
        try stage.wait("a word about it") { house.daemon.said.contains("certificate-unfit: ") }
        #expect(try serves(stage, house, "old") && !serves(stage, house, "new"))

        // A connection that is open goes on under the old one.
        let door = try house.door()
        try stage.run("cp", stage.folder + "/new.pem", chain)
        house.daemon.signal(SIGHUP)
        try stage.wait("the new one") { house.daemon.said.contains("certificate: ") }
        #expect(try serves(stage, house, "new") && !serves(stage, house, "old"))
        #expect(try door.call("daemon.status", [:])["certificate"]?["isOwn"] == false)
    }

    @Test func `the root that the daemon shows is the one in its links, and vouches for it`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let root = stage.folder + "/root.crt"
        try stage.run("curl", "-skf", "-o", root, "https://localhost:\(house.port)/ca.crt")
        let shown = try stage.run("openssl", "x509", "-in", root, "-noout", "-fingerprint", "-sha256").lines.joined()
        let digits = try #require(shown.split(separator: "=").last).lowercased().filter { $0 != ":" }
        #expect(try digits == house.fingerprint)
        try stage.run("curl", "-sf", "--cacert", root, "https://localhost:\(house.port)/healthz")
    }
}
