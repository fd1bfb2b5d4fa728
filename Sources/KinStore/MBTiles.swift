/// Map tiles in one SQLite file (MBTiles 1.3). The file was made elsewhere and is not trusted: it is opened read-only,
/// values and work are bounded, and its schema is not relied on. A value for any thread; it opens the file for each
/// look.
package struct MBTiles: Sendable {
    /// Where the file lies.
    package let path: String

    /// The most bytes of a tile, or of a text about the file.
    package static let tileBytesMax = 1 << 20
    /// SQLite's steps for one look: finding a tile by an index takes about 50.
    private static let stepsMax = 200_000

    package init(path: String) { self.path = path }

    /// The format of a tile.
    package enum Format: String, Sendable {
        /// A Mapbox Vector Tile, mostly compressed by gzip.
        case pbf
        case png, jpg, webp
    }

    /// The file's metadata.
    package struct Look: Sendable, Equatable {
        package var format: Format
        /// The zoom levels that it has.
        package var zooms: ClosedRange<Int>
        /// West, south, east, north, in degrees.
        package var bounds: [Double]
        /// The attribution, without markup.
        package var attribution: String
    }

    /// Why a file is not a map.
    package struct NoMap: Error, Equatable {
        package let sentence: String
    }

    // MARK: Looking

    /// Reads the file's metadata, and one of its tiles.
    package func look() throws(NoMap) -> Look {
        do throws(StoreFailure) {
            let database = try open()
            var told: [String: String] = [:]
            try database.each(
                "SELECT CAST(name AS TEXT) AS name, CAST(value AS TEXT) AS value FROM metadata LIMIT 100"
            ) { (row) throws(StoreFailure) in
                // A text that is too long is the list of a vector file's layers, which nobody needs here.
                let name = row.text("name")
                if told[name] == nil { told[name] = row.text("value") }
                return true
            }
            let any = try database.first("SELECT 1 AS one FROM tiles LIMIT 1") { (_) throws(StoreFailure) in true }
            guard any ?? false else { throw .corrupt("it has no tiles") }
            return try judged(told, try zooms(database, told))
        } catch { throw NoMap(sentence: "\(path) is no file of map tiles (MBTiles): \(error.sentence)") }
    }

    /// One tile; rows are counted from the north, as on the web. `nil` where the file has none.
    package func tile(zoom: Int, column: Int, row: Int) throws(StoreFailure) -> [UInt8]? {
        guard (0...22).contains(zoom), (0..<(1 << zoom)).contains(column), (0..<(1 << zoom)).contains(row) else {
            return nil
        }
        // MBTiles counts rows from the south.
        return try open().first(
            """
            SELECT CAST(tile_data AS BLOB) AS tile FROM tiles
            WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
            """,
            .int(Int64(zoom)), .int(Int64(column)), .int(Int64((1 << zoom) - 1 - row))
        ) { (line) throws(StoreFailure) in line.blob("tile") }
    }

    private func open() throws(StoreFailure) -> Database {
        let database = try Database.open(path, .sealed, files: Files.disk.system)
        database.guardAgainstStrangers(valueBytesMax: Self.tileBytesMax, stepsMax: Self.stepsMax)
        return database
    }

    // MARK: Metadata

    /// The zoom levels by the file's metadata; otherwise those of its tiles, which its index has in order.
    private func zooms(_ database: Database, _ told: [String: String]) throws(StoreFailure) -> ClosedRange<Int> {
        func edge(_ key: String, _ order: String) throws(StoreFailure) -> Int? {
            if let said = told[key].flatMap({ Int($0) }) { return said }
            return try database.first(
                "SELECT CAST(zoom_level AS INTEGER) AS zoom FROM tiles ORDER BY zoom_level \(order) LIMIT 1"
            ) { (row) throws(StoreFailure) in Int(row.int("zoom")) }
        }
        guard let least = try edge("minzoom", "ASC"), let most = try edge("maxzoom", "DESC"), least <= most,
            (0...22).contains(least), (0...22).contains(most)
        else { throw .corrupt("its zooms are none of 0 to 22") }
        return least...most
    }

    private func judged(_ told: [String: String], _ zooms: ClosedRange<Int>) throws(StoreFailure) -> Look {
        let name = told["format"]?.lowercased() ?? ""
        guard let format = Format(rawValue: name == "jpeg" ? "jpg" : name) else {
            throw .corrupt("its tiles are \(Self.plain(name, max: 20)), and not pbf, png, jpg or webp")
        }
        var bounds = (told["bounds"] ?? "").split(separator: ",").compactMap {
            Double(String($0.drop { $0 == " " }))
        }
        let isBox =
            bounds.count == 4 && bounds.allSatisfy(\.isFinite) && bounds[0] < bounds[2] && bounds[1] < bounds[3]
            && bounds[0] >= -180 && bounds[2] <= 180 && bounds[1] >= -90 && bounds[3] <= 90
        if !isBox { bounds = [-180, -85.05, 180, 85.05] }
        return Look(
            format: format, zooms: zooms, bounds: bounds,
            attribution: Self.plain(told["attribution"] ?? "", max: 200))
    }

    /// A text without markup and control characters.
    private static func plain(_ text: String, max: Int) -> String {
        var plain = ""
        var isMarkup = false
        for character in text.unicodeScalars.prefix(4_000) {
            switch character {
            case "<": isMarkup = true
            case ">": isMarkup = false
            default:
                if !isMarkup, character.value >= 0x20, character.value != 0x7F {
                    plain.unicodeScalars.append(character)
                }
            }
        }
        // The two entities that such a line has; any other & stays as it is.
        let parts = plain.split(separator: "&", omittingEmptySubsequences: false)
        let read = parts.dropFirst().map { part in
            part.hasPrefix("copy;")
                ? "©" + part.dropFirst(5) : part.hasPrefix("amp;") ? "&" + part.dropFirst(4) : "&" + part
        }
        return String(((parts.first.map(String.init) ?? "") + read.joined()).prefix(max))
    }
}
