import KinCodec
import KinLoop
public import KinModel

/// A saved sign-in: where, as whom, and with what.
public struct Login: Sendable, Hashable {
    /// The daemon's address.
    public var address: Address
    /// Its root certificate; `nil` when this machine's own certificates vouch for it, or nothing is enciphered.
    public var pin: Fingerprint?
    /// The session's token.
    public var token: String
    /// The member's username.
    public var username: String

    /// A sign-in.
    public init(address: Address, pin: Fingerprint?, token: String, username: String) {
        self.address = address
        self.pin = pin
        self.token = token
        self.username = username
    }

    /// The peers that a connection may have.
    public var trust: Trust { pin.map { .pinned($0) } ?? .system }

    /// `${XDG_CONFIG_HOME:-~/.config}/kinwire/login.json`; `nil` when there is no home.
    public static var path: String? { folder("XDG_CONFIG_HOME", under: ".config").map { "\($0)/login.json" } }

    /// Kinwire's folder in one of the XDG base directories; `nil` when there is no home.
    public static func folder(_ variable: String, under fallback: String) -> String? {
        if let base = Machine.environment(variable), base.hasPrefix("/") { return "\(base)/kinwire" }
        guard let home = Machine.environment("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/\(fallback)/kinwire"
    }

    /// Reads the saved sign-in; `nil` when there is none.
    ///
    /// - Throws: ``ClientFailure/file(_:)`` when the file cannot be read, is damaged, or others may read it.
    public static func saved(at path: String?) throws(ClientFailure) -> Login? {
        guard let path, let mode = Files.mode(of: path) else { return nil }
        guard mode & 0o077 == 0 else {
            throw .file(
                "Others may read \(path), which holds a token; run: chmod 600 \(path), then kin logout and login.")
        }
        do throws(LoopFailure) {
            let bytes = try Files.read(path)
            if let json = try? JSON.parse(bytes), let login = Login(json) { return login }
        } catch { throw .file("\(path) cannot be read: \(error.sentence)") }
        throw .file("\(path) is damaged; run kin login again.")
    }

    /// Saves it, readable by this user only.
    public func save(at path: String) throws(ClientFailure) {
        try Self.makeFolder(of: path)
        do throws(LoopFailure) {
            try Files.write(json.bytes + [UInt8(ascii: "\n")], to: path, mode: 0o600)
        } catch { throw .file("\(path) cannot be written: \(error.sentence)") }
    }

    /// Makes the folder that a file lies in, and those above it.
    public static func makeFolder(of path: String) throws(ClientFailure) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        if Files.mode(of: folder) != nil { return }
        try makeFolder(of: folder)
        do throws(LoopFailure) { try Files.makeDirectory(folder, mode: 0o700) } catch {
            throw .file("The folder \(folder) cannot be made: \(error.sentence)")
        }
    }

    /// Forgets it.
    public static func forget(at path: String) throws(ClientFailure) {
        do throws(LoopFailure) { try Files.remove(path) } catch { throw .file("\(path) stays: \(error.sentence)") }
    }

    /// Reads the form that ``json`` writes.
    public init?(_ json: JSON) {
        guard let url = json["url"]?.string, let address = try? Address(url), let token = json["token"]?.string,
            let username = json["username"]?.string
        else { return nil }
        var pin: Fingerprint?
        if let text = json["rootSHA256"]?.string {
            guard let read = Fingerprint(text) else { return nil }
            pin = read
        }
        self.init(address: address, pin: pin, token: token, username: username)
    }

    /// `{"url","rootSHA256"?,"token","username"}`.
    public var json: JSON {
        .object(leavingOut: [
            "url": .string(address.description), "rootSHA256": pin.map { .string($0.hex) },
            "token": .string(token), "username": .string(username),
        ])
    }
}
