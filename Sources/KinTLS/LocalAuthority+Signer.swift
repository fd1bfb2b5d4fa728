import COpenSSL

extension LocalAuthority {
    /// Root and intermediate, and the only key of the two that still exists.
    struct Signer {
        let root: Certificate
        let intermediate: Certificate
        let key: PrivateKey
    }
}

extension LocalAuthority.Signer {
    /// Reads what was founded; `nil` when there is no root yet (it is written last). Anything that does not fit
    /// together is an error: a new root in silence would lock all phones out.
    init?(in folder: Folder) throws(TLSFailure) {
        guard let rootPEM = try folder.read("root.crt") else { return nil }
        guard let intermediatePEM = try folder.read("intermediate.crt"),
            let keyPEM = try folder.read("intermediate.key"),
            let root = try? Certificate.all(pem: rootPEM)[0],
            let intermediate = try? Certificate.all(pem: intermediatePEM)[0],
            let key = try? PrivateKey(pem: keyPEM),
            root.isSigned(by: root), intermediate.isSigned(by: root), intermediate.belongs(to: key)
        else {
            throw .authority(
                "The family's certificates in \(folder.path) are damaged or incomplete: put the folder back from a "
                    + "backup, or remove it; then every phone has to trust the new one.")
        }
        self.root = root
        self.intermediate = intermediate
        self.key = key
    }

    /// First start. The root's key lives in this function only.
    init(founding names: [ServedName], permitted: [ServedName]) throws(TLSFailure) {
        let rootKey = try PrivateKey()
        key = try PrivateKey()
        // People with two families tell their roots apart by this.
        var label = [UInt8](repeating: 0, count: 4)
        guard unsafe RAND_bytes(&label, 4) == 1 else { throw .library("No random bytes: \(libraryReason()).") }
        var draft = Certificate.Draft(
            commonName: "Kinwire family root " + hexadecimal(label),
            notBefore: LocalAuthority.clockMin,
            notAfter: LocalAuthority.clockMin + LocalAuthority.authorityDays * LocalAuthority.day - 1000,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:1"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
            ])
        root = try Certificate.issue(draft, for: rootKey, issuer: nil, issuerKey: rootKey)
        draft.commonName = "Kinwire family intermediate " + hexadecimal(label)
        draft.extensions = [
            (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
            // Servers only: no mail, no code.
            (NID_ext_key_usage, "serverAuth"),
            (NID_name_constraints, "critical," + Self.constraints(names, permitted).joined(separator: ",")),
        ]
        intermediate = try Certificate.issue(draft, for: key, issuer: root, issuerKey: rootKey)
    }

    /// The root last: it says that the rest is there.
    func write(to folder: Folder) throws(TLSFailure) {
        try folder.write("intermediate.key", key.pem(), mode: 0o600)
        try folder.write("intermediate.crt", intermediate.pem(), mode: 0o644)
        try folder.write("root.crt", root.pem(), mode: 0o644)
    }

    /// RFC 5280 §4.2.1.10: a DNS constraint permits the name and all below it, an address constraint a range.
    static func constraints(_ names: [ServedName], _ addresses: [ServedName]) -> [String] {
        var list = ["permitted;DNS:local"]
        for case .dns(let name) in names where name != "local" && !name.hasSuffix(".local") {
            list.append("permitted;DNS:" + name)
            // A machine called "dev" is no reason to be trusted for everything below the top-level domain of that
            // name. (Verifiers that don't know the leading dot exclude nothing.)
            if !name.contains(".") { list.append("excluded;DNS:." + name) }
        }
        list += [
            "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "127.0.0.0/255.0.0.0",
            "169.254.0.0/255.255.0.0", "fc00::/fe00::", "fe80::/ffc0::",
            "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ].map { "permitted;IP:" + $0 }
        for case .address(let bytes) in addresses {
            let mask = bytes.count == 4 ? "255.255.255.255" : "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
            list.append("permitted;IP:" + ServedName.address(bytes).text + "/" + mask)
        }
        return list
    }
}
