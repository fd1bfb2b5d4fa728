import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinStore

/// The base map, for signed-in members: the list of regions, and their tiles. Each region is a file that an admin put
/// into the data directory (`kin map add`). Beneath them lies the source outside, where an admin named one (`kin map
/// source`): its tiles come by the method `map.tile`, from the one desk that asks outside.
final class MapDoor: Door {
    private enum Wanted {
        case list
        case tile(version: String, zoom: Int, column: Int, row: Int)
    }

    private let wanted: Wanted

    private init(_ wanted: Wanted) { self.wanted = wanted }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        guard head.path.starts(with: ["app", "map"]) else { return nil }
        let wanted: Wanted
        if head.path.count == 2 {
            wanted = .list
        } else {
            let numbers = head.path.dropFirst(3).compactMap { Int($0) }
            guard head.path.count == 6, numbers.count == 3 else { return nil }
            wanted = .tile(version: head.path[2], zoom: numbers[0], column: numbers[1], row: numbers[2])
        }
        return head.method == .get || head.method == .head ? .taken(MapDoor(wanted)) : .otherVerbs(["GET", "HEAD"])
    }

    /// The regions that a family has added tell where it lives: so the keeper checks that the caller belongs to it.
    func end(isTooLong: Bool, _ doorway: Doorway) {
        switch wanted {
        case .list: doorway.ask("map.source", [:], as: doorway.credential)
        case .tile(let version, let zoom, let column, let row) where isOutside:
            doorway.ask(
                "map.tile",
                ["version": .string(version), "z": .int(Int64(zoom)), "x": .int(Int64(column)), "y": .int(Int64(row))],
                as: doorway.credential)
        case .tile: doorway.ask("live.at", ["time": .time(doorway.now)], as: doorway.credential)
        }
    }

    private var isOutside: Bool {
        if case .tile(let version, _, _, _) = wanted { version.hasPrefix("outside-") } else { false }
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        let answer: [UInt8]
        switch result {
        case .failure(let rejection): return doorway.respond(.problem(rejection))
        case .success(let bytes): answer = bytes
        }
        let maps = MapRegions(directory: doorway.server.settings.directory)
        switch wanted {
        case .list: doorway.work(Listing(maps: maps, source: (try? JSON.parse(answer)) ?? .null))
        case .tile where isOutside: doorway.work(Unpacking(answer: answer))
        case .tile(let version, let zoom, let column, let row):
            doorway.work(Reading(maps: maps, version: version, zoom: zoom, column: column, row: row))
        }
    }

    func done(_ made: any Sendable, _ doorway: Doorway) {
        switch made {
        case let list as JSON: doorway.respond(listed(list, doorway))
        case let tile as Tile: doorway.respond(answer(tile, doorway))
        default: break
        }
    }

    private func listed(_ list: JSON, _ doorway: Doorway) -> HTTPAnswer {
        var answer = HTTPAnswer.json(200, list.bytes)
        let etag = Representation.etag(Digest.sha256(answer.body))
        if let judged = Representation.judge(doorway.head, etag, "private, no-cache") { return judged }
        answer.headers = ["Content-Type": "application/json", "Cache-Control": "private, no-cache", "ETag": etag]
        return answer
    }

    /// The answer with a tile. The browser keeps it for ever: another file has another address. One from outside it keeps
    /// for a day: the daemon has it longer, and asks whether it changed. Opened as a document by itself it shows nothing.
    private func answer(_ tile: Tile, _ doorway: Doorway) -> HTTPAnswer {
        guard let format = tile.format else {
            return .problem(Rejection(.notFound, "There is no such region any more; load the page anew."))
        }
        let kept = isOutside ? "private, max-age=86400" : "private, max-age=31536000, immutable"
        guard let bytes = tile.bytes else { return HTTPAnswer(204, ["Cache-Control": kept]) }
        var headers: HTTPHeaders = [
            "Content-Type": format.mediaType, "Cache-Control": kept,
            "Content-Security-Policy": ServedType.contentSecurityPolicy,
        ]
        // The file holds them compressed, and every browser takes that.
        if format == .pbf, bytes.starts(with: [0x1F, 0x8B]) { headers.append("Content-Encoding", "gzip") }
        return HTTPAnswer(200, headers, body: bytes)
    }

    // MARK: On a worker

    private struct Listing: DoorWork {
        let maps: MapRegions
        let source: JSON
        func run(at blobs: Blobs) -> any Sendable { maps.list(above: source) }
    }

    private struct Reading: DoorWork {
        let maps: MapRegions
        let version: String
        let zoom: Int, column: Int, row: Int

        func run(at blobs: Blobs) -> any Sendable {
            guard let file = maps.file(version) else { return Tile(format: nil, bytes: nil) }
            let bytes = (try? file.tiles.tile(zoom: zoom, column: column, row: row)) ?? nil
            return Tile(format: file.look.format, bytes: bytes)
        }
    }

    /// A tile from outside is text in the method's answer.
    private struct Unpacking: DoorWork {
        let answer: [UInt8]

        func run(at blobs: Blobs) -> any Sendable {
            let content = (try? JSON.parse(answer))?["content"]?.string.flatMap { Base64.decode($0) }
            let format: MBTiles.Format = content?.first == 0x89 ? .png : content?.first == 0xFF ? .jpg : .webp
            return Tile(format: format, bytes: content)
        }
    }

    private struct Tile: Sendable {
        /// The format; `nil`: the region is gone.
        let format: MBTiles.Format?
        /// The tile; `nil`: there is none, or it cannot be read.
        let bytes: [UInt8]?
    }
}

extension MBTiles.Format {
    fileprivate var mediaType: String {
        switch self {
        case .pbf: "application/vnd.mapbox-vector-tile"
        case .png: "image/png"
        case .jpg: "image/jpeg"
        case .webp: "image/webp"
        }
    }
}
