import COpenSSL

extension LocalAuthority {
    /// The certificate the daemon shows, and its key.
    struct Leaf {
        let certificate: Certificate
        let key: PrivateKey

        /// Reads the certificate on disk; `nil` when there is none or it does not fit. It is then made anew.
        init?(in folder: Folder, of signer: Signer) throws(TLSFailure) {
            guard let chain = try folder.read("leaf.crt"), let keyPEM = try folder.read("leaf.key"),
                let certificate = try? Certificate.all(pem: chain)[0], let key = try? PrivateKey(pem: keyPEM),
                certificate.belongs(to: key), certificate.isSigned(by: signer.intermediate)
            else { return nil }
            self.certificate = certificate
            self.key = key
        }

        /// A new one from an hour ago (clocks of phones differ) for 397 days. Names are not checked here.
        init(for names: [ServedName], signer: Signer, now: Int64) throws(TLSFailure) {
            key = try PrivateKey()
            let notBefore = max(now - 3_600_000, clockMin) / 1000 * 1000
            let draft = Certificate.Draft(
                commonName: "Kinwire", notBefore: notBefore,
                // The last second counts as within.
                notAfter: min(notBefore + leafDays * day - 1000, signer.intermediate.notAfter),
                extensions: [
                    (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "serverAuth"),
                    (NID_subject_alt_name, names.map(\.entry).joined(separator: ",")),
                ])
            certificate = try Certificate.issue(draft, for: key, issuer: signer.intermediate, issuerKey: signer.key)
        }

        /// Whether it holds exactly these names and has begun and does not end soon.
        func isGood(for names: [ServedName], now: Int64) -> Bool {
            Set(certificate.names) == Set(names) && certificate.notBefore <= now
                && certificate.notAfter >= now + renewalDays * day
        }

        /// Leaf, intermediate and root as PEM.
        func chain(_ signer: Signer) throws(TLSFailure) -> [UInt8] {
            try certificate.pem() + signer.intermediate.pem() + signer.root.pem()
        }

        /// A crash between the two leaves a pair that does not match, which is made anew.
        func write(to folder: Folder, signer: Signer) throws(TLSFailure) {
            try folder.write("leaf.key", key.pem(), mode: 0o600)
            try folder.write("leaf.crt", chain(signer), mode: 0o644)
        }
    }
}
