import KinCrypto
import KinLoop
import KinModel
import KinStore
import Synchronization

/// The regions of the base map: the files `*.mbtiles` in the data directory's folder `maps`. The folder is read at each
/// request, so a new file is served at once.
struct MapRegions: Sendable {
    /// The data directory; `nil` in a simulation.
    let directory: String?

    /// The most regions that are listed.
    static let countMax = 32

    struct File: Sendable {
        let name: String
        let version: String
        let tiles: MBTiles
        let look: MBTiles.Look
    }

    /// The metadata of files, by version; each file is read once. A file that could not be read is read again: it may
    /// have been half written, or the disk was busy.
    private static let looks = Mutex<[String: MBTiles.Look]>([:])

    /// All of them, in the order of their names.
    private func files() -> [(path: String, name: String, version: String)] {
        guard let folder = directory.map({ $0 + "/maps" }) else { return [] }
        return Files.names(in: folder).filter { $0.hasSuffix(".mbtiles") }.prefix(Self.countMax).compactMap { name in
            let path = "\(folder)/\(name)"
            guard let print = Files.print(of: path) else { return nil }
            let version = Hex.encode(Array(Digest.sha256(Array("\(name) \(print)".utf8)).prefix(8)))
            return (path, String(name.dropLast(".mbtiles".count)), version)
        }
    }

    private func look(_ file: (path: String, name: String, version: String)) -> File? {
        let tiles = MBTiles(path: file.path)
        let known = Self.looks.withLock { $0[file.version] }
        let look = known ?? (try? tiles.look())
        if known == nil, let look {
            Self.looks.withLock { looks in
                if looks.count >= 4 * Self.countMax { looks.removeAll() }
                looks[file.version] = look
            }
        }
        return look.map { File(name: file.name, version: file.version, tiles: tiles, look: $0) }
    }

    /// The region of a version; `nil` where there is none.
    func file(_ version: String) -> File? { files().first { $0.version == version }.flatMap(look) }

    /// All of them, for the page. The source outside comes first, as `map.source` tells it, because the page paints each
    /// region over those before it.
    func list(above source: JSON) -> JSON {
        let regions = files().compactMap(look).map { file -> JSON in
            [
                "name": .string(file.name), "version": .string(file.version),
                "format": .string(file.look.format.rawValue), "minzoom": .int(Int64(file.look.zooms.lowerBound)),
                "maxzoom": .int(Int64(file.look.zooms.upperBound)),
                "bounds": .array(file.look.bounds.map { .double($0) }), "attribution": .string(file.look.attribution),
            ]
        }
        guard source["on"]?.bool == true, let version = source["version"] else { return ["regions": .array(regions)] }
        let outside: JSON = [
            "name": "outside", "version": version, "format": "png", "minzoom": 0,
            "maxzoom": source["zoomMax"] ?? 19, "bounds": [-180, -85.051_13, 180, 85.051_13],
            "attribution": source["attribution"] ?? "",
        ]
        return ["regions": .array([outside] + regions)]
    }
}
