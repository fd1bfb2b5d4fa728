import KinCodec
import KinLoop
import KinModel

/// The secret that this device shows at its next sign-in. A daemon then recognises it, and does not slow it down
/// because of others' wrong tries. The secret grants nothing by itself, and stays when the sign-in ends.
public enum KnownDevice {
    /// Daemons and members remembered; the oldest goes.
    private static let most = 8

    /// `known-device.json` beside the saved sign-in; `nil` when there is no home.
    public static var path: String? {
        Login.folder("XDG_CONFIG_HOME", under: ".config").map { "\($0)/known-device.json" }
    }

    /// The secret for a member of a daemon's family. A file that is not there or not readable has none: the sign-in goes
    /// on as a stranger's.
    public static func secret(of username: String, at address: Address, in path: String?) -> String? {
        guard let path else { return nil }
        return entries(path).first { isOf(username, address, $0) }?["secret"]?.string
    }

    /// Remembers what a sign-in answered, readable by this user only.
    public static func keep(
        _ secret: String, of username: String, at address: Address, in path: String
    ) throws(ClientFailure) {
        try Login.makeFolder(of: path)
        let others = entries(path).filter { !isOf(username, address, $0) }.prefix(most - 1)
        let entry: JSON = [
            "url": .string(address.description), "username": .string(username), "secret": .string(secret),
        ]
        do throws(LoopFailure) {
            try Files.write(JSON.array([entry] + others).bytes + [UInt8(ascii: "\n")], to: path, mode: 0o600)
        } catch { throw .file("\(path) cannot be written: \(error.sentence)") }
    }

    private static func isOf(_ username: String, _ address: Address, _ entry: JSON) -> Bool {
        entry["url"]?.string == address.description && entry["username"]?.string == username
    }

    private static func entries(_ path: String) -> [JSON] {
        guard let mode = Files.mode(of: path), mode & 0o077 == 0, let bytes = try? Files.read(path) else { return [] }
        return (try? JSON.parse(bytes))?.array ?? []
    }
}
