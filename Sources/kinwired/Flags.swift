import Glibc
import KinLoop
import KinServer

/// The command line of `kinwired`. Every flag has an environment variable: `--allow-plain` is `KINWIRE_ALLOW_PLAIN`,
/// where several values are separated by commas. There is no configuration file; the family's settings are in the
/// database.
struct Flags {
    /// What is wrong with the command line.
    struct Wrong: Error { let sentence: String }

    private(set) var options: DaemonOptions
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false
    private(set) var restore: String?
    private(set) var verifiesOnly = false
    /// The order for the base map, instead of serving a family.
    private(set) var map: MapOrder?
    /// `text` or `json`; `nil` where nothing is said.
    private(set) var log: String?

    /// Orders for the regions of the base map.
    enum MapOrder {
        case add(String, name: String?)
        case remove(String)
        case list
    }

    static let help = """
        kinwired – a family's own live server

        usage: kinwired [flags]
          --data DIR            holds all that must be kept (default: $STATE_DIRECTORY, /var/lib/kinwire for root,
                                else ~/.local/share/kinwire)
          --listen ADDR:PORT    where to listen; may be repeated (default: all addresses, port 5469)
          --unix PATH           the Unix socket (default: kinwire.sock in the runtime directory)
          --url URL             a URL this family is reached by; may be repeated, the first goes into links
          --allow-plain CIDR    a network that may speak plain text; may be repeated
          --trust-proxy CIDR    a proxy whose word about its clients counts, that in X-Forwarded-For;
                                CIDR=forwarded: in Forwarded; CIDR=proxy: by the PROXY protocol; may be repeated
          --metrics ADDR:PORT   where /metrics is open to whoever reaches it; may be repeated (default: nowhere)
          --tls-cert FILE       a certificate chain (PEM), instead of the family's own authority
          --tls-key FILE        its key
          --connections-max N   connections in all (default: what the descriptor limit allows)
          --web DIR             the page's files from this folder, read at each request: for those who change it
          --log text|json       how lines are written (default: text with the time; for journald its priorities)
          --restore FILE        puts a backup's contents into an empty --data directory, verified first, and ends
          --verify-only         with --restore: only verifies
          --add-map FILE        puts a file of map tiles (MBTiles) beneath the family's map, and ends
          --map-name NAME       with --add-map: what the region is called (default: as the file is)
          --remove-map NAME     takes a region away, and ends
          --list-maps           lists the regions, and ends
          --version, --help
        Every flag has a twin in the environment: KINWIRE_LISTEN=127.0.0.1:5469, several with commas.
        Exit codes: 0 a good end, 1 could not start or go on, 2 wrong flags.
        """

    private static let known =
        [
            "data", "listen", "unix", "url", "allow-plain", "trust-proxy", "metrics", "tls-cert", "tls-key",
            "connections-max", "web", "log",
        ] + orders

    /// Flags that carry out one order: none of them has an environment variable.
    private static let orders = ["restore", "add-map", "map-name", "remove-map"]

    init(_ arguments: [String]) throws(Wrong) {
        var values: [String: [String]] = [:]
        for name in Self.known where !Self.orders.contains(name) {
            let twin = "KINWIRE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
            if let value = Machine.environment(twin), !value.isEmpty {
                values[name] = value.split(separator: ",").map { String($0) }
            }
        }
        var given: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--version": wantsVersion = true
            case "--verify-only": verifiesOnly = true
            case "--list-maps": map = .list
            default:
                guard argument.hasPrefix("--") else { throw Wrong(sentence: "\(argument) is no flag; see --help.") }
                let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1).map { String($0) }
                guard let name = parts.first, Self.known.contains(name) else {
                    throw Wrong(sentence: "There is no flag \(argument); see --help.")
                }
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw Wrong(sentence: "--\(name) needs a value; see --help.")
                }
                given[name, default: []].append(value)
            }
        }
        values.merge(given) { $1 }
        options = DaemonOptions(directory: values["data"]?.last ?? Self.defaultData)
        restore = values["restore"]?.last
        if let file = values["add-map"]?.last { map = .add(file, name: values["map-name"]?.last) }
        if let name = values["remove-map"]?.last { map = .remove(name) }
        try read(values)
    }

    private mutating func read(_ values: [String: [String]]) throws(Wrong) {
        for text in values["listen"] ?? [":5469"] {
            do throws(LoopFailure) { options.listen += try SocketAddress.parse(text) } catch {
                throw Wrong(sentence: error.sentence)
            }
        }
        for text in values["metrics"] ?? [] {
            do throws(LoopFailure) { options.metrics += try SocketAddress.parse(text) } catch {
                throw Wrong(sentence: "--metrics: \(error.sentence)")
            }
        }
        options.web = values["web"]?.last
        log = values["log"]?.last
        if let log, !["text", "json"].contains(log) { throw Wrong(sentence: "--log \(log) must be text or json.") }
        options.unixPath = values["unix"]?.last ?? Self.defaultSocket
        options.urls = values["url"] ?? []
        for url in options.urls where !url.hasPrefix("https://") && !url.hasPrefix("http://") {
            throw Wrong(sentence: "--url \(url) must begin with https:// (or http://).")
        }
        options.allowPlain = try Self.networks(values["allow-plain"] ?? [], "allow-plain")
        for text in values["trust-proxy"] ?? [] {
            guard let proxy = TrustedProxy(text) else {
                throw Wrong(
                    sentence: "--trust-proxy \(text) is no network such as 127.0.0.1/32, and none with "
                        + "=x-forwarded-for, =forwarded or =proxy behind it.")
            }
            options.trustProxy.append(proxy)
        }
        switch (values["tls-cert"]?.last, values["tls-key"]?.last) {
        case (let chain?, let key?): options.certificate = (chain, key)
        case (nil, nil): break
        default: throw Wrong(sentence: "--tls-cert and --tls-key go together.")
        }
        if let text = values["connections-max"]?.last {
            guard let count = Int(text), count > 0 else {
                throw Wrong(sentence: "--connections-max must be a whole number above 0.")
            }
            options.limits.connectionsMax = count
        }
    }

    private static func networks(_ texts: [String], _ flag: String) throws(Wrong) -> [CIDR] {
        var networks: [CIDR] = []
        for text in texts {
            guard let network = CIDR(text) else {
                throw Wrong(sentence: "--\(flag) \(text) is no network such as 192.168.1.0/24.")
            }
            networks.append(network)
        }
        return networks
    }

    private static var defaultData: String {
        if let directory = Machine.environment("STATE_DIRECTORY") { return directory }
        if geteuid() == 0 { return "/var/lib/kinwire" }
        let home = Machine.environment("HOME") ?? "."
        return (Machine.environment("XDG_DATA_HOME") ?? home + "/.local/share") + "/kinwire"
    }

    /// Where the Unix socket lies where nothing is said; `kin` looks in the same places.
    static var defaultSocket: String { defaultRuntime + "/kinwire.sock" }

    private static var defaultRuntime: String {
        if let directory = Machine.environment("RUNTIME_DIRECTORY") { return directory }
        if geteuid() == 0 { return "/run/kinwire" }
        return Machine.environment("XDG_RUNTIME_DIR").map { $0 + "/kinwire" } ?? "/tmp/kinwire-\(geteuid())"
    }
}
