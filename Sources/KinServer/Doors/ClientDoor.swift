import KinCodec
import KinKeeper
import KinLoop
import KinModel

/// `/kin/NAME`: `kin` for other machines, as the package installed it on this one. Everybody may fetch it, as they may
/// the root certificate: a laptop that needs it is not signed in yet.
final class ClientDoor: Door {
    /// Where the package puts the files.
    static let folder = "/usr/share/kinwire/client"

    private var download: Download?

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path.first == "kin", head.path.count == 2 else { return nil }
        guard head.method == .get || head.method == .head else { return .otherVerbs(["GET", "HEAD"]) }
        return .taken(ClientDoor())
    }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        let name = doorway.head.path[1]
        guard Self.isPlain(name) else { return doorway.respond(.problem(Self.missing)) }
        let file = InstalledFile(path: "\(doorway.server.settings.client)/\(name)")
        download = Download(
            .installed(file), type: Self.type(of: name), fileName: name, cacheControl: "no-cache",
            missing: Self.missing, doorway)
    }

    func done(_ made: any Sendable, _ doorway: Doorway) { _ = download?.done(made, doorway) }

    func taken(_ doorway: Doorway) { download?.taken(doorway) }

    /// The files offered from a folder, sorted.
    static func names(in folder: String) -> [String] { Files.names(in: folder).filter(isPlain) }

    /// Whether a name has only letters, digits and `._+~-`, and begins with a letter or a digit. Such a name cannot
    /// leave the folder, and no shell or page reads it as something else.
    private static func isPlain(_ name: String) -> Bool {
        let isWord = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        guard let first = name.utf8.first, isWord(first), name.utf8.count <= 128 else { return false }
        return name.utf8.allSatisfy { isWord($0) || "._+~-".utf8.contains($0) }
    }

    private static let missing = Rejection(
        .notFound, "This file of kin is not here; the packages that deploy/package makes put such files on the machine."
    )

    private static func type(of name: String) -> ServedType {
        let field =
            if name.hasSuffix(".deb") {
                "application/vnd.debian.binary-package"
            } else if name.hasSuffix(".gz") {
                "application/gzip"
            } else {
                "application/octet-stream"
            }
        return ServedType(field: field, isShown: false)
    }
}
