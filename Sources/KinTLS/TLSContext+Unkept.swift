extension TLSContext {
    /// For a server that nobody has to trust, such as the one that conformance suites talk to: an authority and a leaf
    /// for this machine's loopback, made now and written nowhere. `now` in milliseconds since 1970.
    package static func unkept(now: Int64) throws(TLSFailure) -> TLSContext {
        let names = [ServedName.dns("localhost")] + ["127.0.0.1", "::1"].compactMap { ServedName(address: $0) }
        let signer = try LocalAuthority.Signer(founding: names, permitted: [])
        let leaf = try LocalAuthority.Leaf(for: names, signer: signer, now: now)
        return try TLSContext(serverChainPEM: leaf.chain(signer), keyPEM: leaf.key.pem())
    }
}
