import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// The source outside from which pictures of the map come, by an admin's word; there is none at first. The daemon asks
/// there for all members, so that nobody outside learns who looks, and keeps the pictures.
struct MapSource {
    var isOn: Bool
    /// The address of one tile, with `{z}`, `{x}` and `{y}` in it.
    var address: String
    /// The names that the source wants to see on the map.
    var attribution: String
    /// The nearest zoom that the source has.
    var zoomMax: Int64

    static let table = Table("map_source")
    static let migration = Migration(
        number: 46, name: "a source of the map outside", tables: ["map_source"],
        sql: """
            CREATE TABLE map_source (
                one INTEGER PRIMARY KEY CHECK (one = 1), is_on INTEGER NOT NULL, address TEXT NOT NULL,
                attribution TEXT NOT NULL, zoom_max INTEGER NOT NULL
            ) STRICT;
            """)

    static let zooms: ClosedRange<Int64> = 0...22

    /// `nil` where no admin has named one.
    static func find(_ act: Act) throws(Rejection) -> MapSource? {
        try act.first("SELECT is_on, address, attribution, zoom_max FROM map_source") { row in
            MapSource(
                isOn: row.bool("is_on"), address: row.text("address"), attribution: row.text("attribution"),
                zoomMax: row.int("zoom_max"))
        }
    }

    func save(_ act: Act) throws(Rejection) {
        try act.run(
            "INSERT OR REPLACE INTO map_source (one, is_on, address, attribution, zoom_max) VALUES (1, ?, ?, ?, ?)",
            .bool(isOn), .text(address), .text(attribution), .int(zoomMax))
    }

    /// Tells this source from any other: browsers keep tiles by it.
    var version: String {
        "outside-" + Hex.encode(Array(Digest.sha256(Array("\(address) \(zoomMax)".utf8)).prefix(8)))
    }

    /// The host and port, as admins allow them; `nil` where this is no address of tiles.
    static func host(of address: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { address.hasPrefix($0) }),
            address.utf8.count <= Limits.mapSourceBytesMax,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C && $0 != 0x22 })
        else { return nil }
        let rest = address.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var path = String(rest.dropFirst(host.count))
        guard !host.isEmpty, !host.contains("@"), !host.contains("{") else { return nil }
        for name in ["{z}", "{x}", "{y}"] {
            // Each once: what is left has no other.
            let parts = path.split(separator: name, maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            path = String(parts[0] + parts[1])
        }
        return path.contains("{") || path.contains("}") ? nil : host.lowercased()
    }

    /// The address of one tile.
    func address(zoom: Int64, column: Int64, row: Int64) -> String {
        var text = address
        for (name, number) in [("{z}", zoom), ("{x}", column), ("{y}", row)] { text.replace(name, with: "\(number)") }
        return text
    }
}

extension Map {
    /// The part of the source that a caller is told.
    private struct ToldSource: WireRecord {
        let isOn: Bool
        let version: String?
        let attribution: String?
        let zoomMax: Int64?
        let address: String?

        static let fields = Fields(
            nil, ToldSource.init(isOn:version:attribution:zoomMax:address:),
            .required("on", \.isOn, .bool, "Whether the daemon asks outside for pictures of the map."),
            .optional("version", \.version, .token(max: 32), "Tells this source from any other."),
            .optional(
                "attribution", \.attribution, .text(max: Limits.mapAttributionBytesMax), "Whom the map names."),
            .optional("zoomMax", \.zoomMax, .integer(MapSource.zooms), "The nearest zoom that it has."),
            .optional(
                "address", \.address, .text(max: Limits.mapSourceBytesMax), "For admins: the address of one tile."))
    }

    static let source = Method.query(
        "map.source", "Where pictures of the map come from outside, where an admin allows it.",
        access: [.guest, .member, .head, .admin, .wall, .machine], result: ToldSource.shape,
        route: Route("GET", "/api/map/source"),
        apply: { (act, _) throws(Rejection) in .done(try shown(try MapSource.find(act), act)) })

    static let setSource = Method.command(
        "map.setSource", "Names a source outside for pictures of the map, or forbids it.", access: .admins,
        note: """
            The daemon asks it, and keeps what it was shown: the source learns which parts of the map the family looks at, \
            and not who. Keep to the terms of whoever runs it.
            """,
        [
            .optional("on", .bool, "Whether it is asked."),
            .optional(
                "address", .text(max: Limits.mapSourceBytesMax),
                "Of one tile, such as https://tiles.example.org/{z}/{x}/{y}.png: PNG, JPEG or WebP."),
            .optional(
                "attribution", .text(max: Limits.mapAttributionBytesMax), "Whom the map names, as the source wants."),
            .optional("zoomMax", .integer(MapSource.zooms), "The nearest zoom that it has; 19 if left out."),
        ],
        result: ToldSource.shape, route: Route("PATCH", "/api/map/source"), events: [],
        again: { (act, _) throws(Rejection) in try shown(try MapSource.find(act), act) },
        apply: { (act, params) throws(Rejection) in
            var source =
                try MapSource.find(act) ?? MapSource(isOn: false, address: "", attribution: "", zoomMax: 19)
            if let address = params.optionalString("address") {
                guard MapSource.host(of: address) != nil else {
                    throw Rejection(
                        .invalid,
                        "The address of tiles begins with https:// and has z, x and y, each in braces and once, behind its host.",
                        field: "address")
                }
                source.address = address
            }
            if let attribution = params.optionalString("attribution") { source.attribution = attribution }
            if let zoom = params["zoomMax"]?.int { source.zoomMax = zoom }
            if let on = params["on"]?.bool { source.isOn = on }
            guard !source.isOn || !source.address.isEmpty else {
                throw Rejection(.invalid, "Name the source first: say address too.", field: "address")
            }
            guard !source.isOn || !source.attribution.isEmpty else {
                throw Rejection(
                    .invalid, "Say whom the map names: attribution, such as © OpenStreetMap contributors.",
                    field: "attribution")
            }
            try source.save(act)
            return .done(try shown(source, act))
        })

    private static func shown(_ source: MapSource?, _ act: Act) throws(Rejection) -> JSON {
        let isAdmin = act.caller.access == .admin || act.caller.access == .machine
        let on = source.flatMap { $0.isOn ? $0 : nil }
        return ToldSource(
            isOn: on != nil, version: on?.version, attribution: on?.attribution, zoomMax: on?.zoomMax,
            address: isAdmin ? source?.address : nil
        ).json
    }
}
