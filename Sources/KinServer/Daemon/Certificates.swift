import KinCalendar
import KinKeeper
import KinLoop
import KinModel
import KinTLS

/// The source of the daemon's certificate: files that somebody else renews, or the local authority. On the loop's
/// thread.
final class Certificates: CertificateSource {
    private let options: DaemonOptions
    private let listening: [SocketAddress]
    private var files: CertificateFiles?
    private var now: Int64
    private var leaf: [UInt8] = []
    /// The end of the certificate in use (milliseconds since 1970).
    private(set) var notAfter: Int64?
    /// Whether the family's own authority issued it.
    var isOwn: Bool { files == nil }
    /// The context for new connections.
    private(set) var context: TLSContext?
    /// The faults of names that links would have, found when the certificate was opened.
    private(set) var doubts: [String] = []

    init(_ options: DaemonOptions, listening: [SocketAddress], now: Int64) {
        self.options = options
        self.listening = listening
        self.now = now
    }

    /// Seconds between two looks. Somebody else renews the files; names and addresses of the machine change rarely.
    var lookSeconds: Int { files == nil ? 3600 : 60 }

    /// Opens it the first time, and says by which names the family is reached.
    func open() throws(TLSFailure) -> Site {
        let name = Machine.hostName.lowercased().split(separator: ".").first.map { String($0) } ?? "localhost"
        let hosts = options.urls.compactMap(Self.host)
        let names = Set(hosts + [name, name + ".local"])
        var authority: LocalAuthority?
        var certified: [String]?
        if let certificate = options.certificate {
            var files = CertificateFiles(certificate: certificate.chain, key: certificate.key)
            switch try look(&files) {
            case .unfit(let failure): throw failure
            case .loaded(_, let summary): certified = summary.names
            case .unchanged: break
            }
            self.files = files
        } else {
            authority = try openAuthority(hosts: hosts, name: name)
        }
        let reach = Reach(given: options.urls, certified: certified, listening: listening, .now())
        doubts = reach.doubts
        return Site(
            canonicalURL: reach.canonical, urls: reach.urls + options.urls.filter { Reach.isLoopback($0) },
            names: names, addresses: { Machine.localAddresses() },
            rootSHA256: authority?.rootSHA256, rootPEM: authority?.rootPEM, zone: Zone.system ?? .utc)
    }

    /// Looks again; a sentence when something changed or is wrong.
    func reload(now: Int64) -> Note? {
        self.now = now
        if var files {
            defer { self.files = files }
            switch try? look(&files) {
            case .loaded(_, let summary)?:
                return Note(.certificate, "A new certificate is in use, for \(summary.names.joined(separator: ", ")).")
            case .unfit(let failure)?:
                return Note(
                    .certificateUnfit, "The new certificate is not in use, the old one stays: \(failure.sentence)")
            case .unchanged?, nil: return nil
            }
        }
        let name = Machine.hostName.lowercased().split(separator: ".").first.map { String($0) } ?? "localhost"
        let before = leaf
        do throws(TLSFailure) {
            _ = try openAuthority(hosts: options.urls.compactMap(Self.host), name: name)
            return leaf == before ? nil : Note(.certificate, "The certificate was made anew.")
        } catch { return Note(.certificateUnfit, "The certificate could not be made anew: \(error.sentence)") }
    }

    private func look(_ files: inout CertificateFiles) throws(TLSFailure) -> CertificateFiles.Reload {
        let reload = files.reload()
        if case .loaded(let context, let summary) = reload {
            self.context = context
            notAfter = summary.notAfter
        }
        return reload
    }

    private func openAuthority(hosts: [String], name: String) throws(TLSFailure) -> LocalAuthority {
        let isAddress = { (host: String) in IPAddress(host) != nil }
        let authority = try LocalAuthority.open(
            directory: options.directory + "/authority",
            names: hosts.filter { !isAddress($0) } + [name, name + ".local"],
            addresses: ["127.0.0.1", "::1"]
                + Machine.localAddresses().filter { !$0.isLinkLocal }.map(\.description),
            permittedAddresses: hosts.filter(isAddress), now: now)
        if authority.chainPEM != leaf {
            context = try TLSContext(serverChainPEM: authority.chainPEM, keyPEM: authority.keyPEM)
            leaf = authority.chainPEM
            notAfter = authority.notAfter
        }
        return authority
    }

    private static func host(_ url: String) -> String? {
        let host = Site.host(ofURL: url)
        return host.isEmpty ? nil : Site.name(ofHost: host)
    }
}

extension Server {
    /// Plans the next look at the certificate.
    func planCertificate() {
        guard let certificates = handshakes.certificates else { return }
        timers.set(
            .certificate, at: time.monotonicNanoseconds() &+ UInt64(certificates.lookSeconds) &* 1_000_000_000)
    }

    /// Plans the next key for session tickets. (A new certificate comes with keys of its own.)
    func planTicketKeys() {
        timers.set(
            .ticketKeys, at: time.monotonicNanoseconds() &+ UInt64(limits.ticketKeySeconds) &* 1_000_000_000)
    }

    /// Takes a new certificate if there is one; connections keep the one they have.
    func reloadCertificate() {
        guard let certificates = handshakes.certificates else { return }
        if let note = certificates.reload(now: now.milliseconds) { tell(note.notable, note.sentence) }
        handshakes.context = certificates.context
        planCertificate()
    }
}
