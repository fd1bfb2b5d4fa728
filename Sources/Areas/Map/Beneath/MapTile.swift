import KinCrypto
package import KinKeeper
import KinModel

/// One tile of the source outside.
extension Map {
    static let tile = Method.query(
        "map.tile", "A picture of a part of the map, from the source outside that an admin named.", access: .following,
        note: "The daemon asks the source, or has kept it. The page has it as /app/map/{version}/{z}/{x}/{y}.",
        [
            .required("version", .token(max: 32), "The source's, as map.source tells it."),
            .required("z", .integer(MapSource.zooms), "The zoom: 2^z tiles from west to east."),
            .required("x", .integer(tileNumbers), "From the west."),
            .required("y", .integer(tileNumbers), "From the north."),
        ],
        result: .object([
            .optional(
                "content", .token(max: (Limits.mapTileBytesMax + 2) / 3 * 4), "In base64; absent where there is none.")
        ]),
        route: Route("GET", "/api/map/tiles/{version}/{z}/{x}/{y}"), isSlow: true,
        apply: { (act, params) throws(Rejection) in
            guard let source = try MapSource.find(act), source.isOn, source.version == (try params.string("version"))
            else { throw Rejection(.notFound, "There is no such source of the map any more; load the page anew.") }
            let (zoom, column, row) = (try params.int("z"), try params.int("x"), try params.int("y"))
            guard zoom <= source.zoomMax, max(column, row) < 1 << zoom else {
                throw Rejection(.invalid, "There is no such tile at this zoom.", field: "z")
            }
            switch act.work {
            case nil:
                guard let host = MapSource.host(of: source.address) else { return .done([:]) }
                return .later(
                    TileWork(
                        look: OutsideLook(
                            at: source.address(zoom: zoom, column: column, row: row),
                            accept: "image/png, image/webp, image/jpeg", purpose: "map tiles",
                            hosts: [TileWork.name(host)],
                            bytesMax: Limits.mapTileBytesMax, milliseconds: Limits.mapTileMilliseconds,
                            perMinute: Limits.mapTilesPerMinute)))
            case .failed(let sentence): throw Rejection(.unavailable, sentence, retryAfter: 10)
            case let work?:
                guard !work.isCrowdedOut else {
                    throw Rejection(.unavailable, "Too much of the map is asked for at once.", retryAfter: 2)
                }
                let picture = work.made(TileWork.Made.self)?.picture
                return .done(.object(leavingOut: ["content": picture.map { .string(Base64.encode($0)) }]))
            }
        })

    private static let tileNumbers: ClosedRange<Int64> = 0...(1 << MapSource.zooms.upperBound) - 1
}

/// Looks at a tile.
package struct TileWork: SlowWork {
    let look: OutsideLook

    /// The picture; `nil` where there is none.
    package struct Made: Sendable {
        let picture: [UInt8]?
    }

    package var sort: WorkSort { .outside }

    package func run(at place: borrowing Workplace) -> SlowResult {
        guard let outside = place.outside else { return .failed("The daemon has no way out here.") }
        switch outside.look(look) {
        case .failed(let failure): return .failed(failure.sentence)
        case .unchanged: return .made(Made(picture: nil))
        case .shown(let page):
            switch page.status {
            case 200 where Self.isPicture(page.content): return .made(Made(picture: page.content))
            // Nobody drew this part.
            case 200 where page.content.isEmpty: return .made(Made(picture: nil))
            case 204, 404, 410: return .made(Made(picture: nil))
            case 200: return .failed("The source of the map answers with something that is no picture.")
            case let status: return .failed("The source of the map answers with status \(status).")
            }
        }
    }

    /// By its first bytes: what is handed on to browsers is a picture, whatever the source calls it.
    static func isPicture(_ content: [UInt8]) -> Bool {
        content.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            || content.starts(with: [0xFF, 0xD8, 0xFF])
            || content.starts(with: Array("RIFF".utf8)) && content.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    /// A host without its port, as hosts are listed.
    static func name(_ host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }
}
