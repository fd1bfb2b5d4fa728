import KinCrypto
import KinLoop
import KinWeb

/// The map's library, as Debian's package `libjs-leaflet` installs it; the daemon carries no copy. Without the package
/// the page shows lists where it would show a map.
enum Leaflet {
    private static let place = "/usr/share/javascript/leaflet/"
    /// The file's name, by the name that the page asks for.
    private static let names = ["leaflet.js": "leaflet.esm.min.js", "leaflet.css": "leaflet.css"]

    /// Read once, when the daemon starts.
    private static let files: [String: WebFile] = {
        var files: [String: WebFile] = [:]
        for (name, file) in names {
            guard let content = try? Files.read(place + file) else { return [:] }
            files[name] = WebFile(name, content)
        }
        return files
    }()

    /// A version made from the files' content; empty without them.
    static let version: String = {
        guard !files.isEmpty else { return "" }
        let all = files.sorted { $0.key < $1.key }.flatMap(\.value.digest)
        return "leaflet-" + Hex.encode(Array(Digest.sha256(all).prefix(8)))
    }()

    /// The address of the files; `nil` where they are not installed.
    static var folder: String? { files.isEmpty ? nil : "/app/\(version)" }

    static func file(_ name: String) -> WebFile? { files[name] }
}
