import Glibc
import Testing

@testable import KinStore

/// Files of map tiles, as good ones are and as hostile ones may be.
@Suite struct MBTilesTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/kinwire-tiles-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A file with the tables of MBTiles 1.3 and something more.
    private func file(_ sql: String..., name: String = "a.mbtiles", isBare: Bool = false) throws -> MBTiles {
        let path = "\(folder)/\(name)"
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        let database = try Database.open(path, .owner, files: Files.disk.system)
        if !isBare {
            try database.script(
                """
                CREATE TABLE metadata (name TEXT, value TEXT);
                CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
                INSERT INTO metadata VALUES ('format', 'pbf'), ('bounds', '9.9,53.9,10.1,54.1'), ('minzoom', '0'),
                    ('maxzoom', '14');
                INSERT INTO tiles VALUES (2, 1, 3, x'0102');
                """)
        }
        for each in sql { try database.script(each) }
        return MBTiles(path: path)
    }

    private func refusal(_ tiles: MBTiles) -> String? {
        do throws(MBTiles.NoMap) {
            _ = try tiles.look()
            return nil
        } catch { return error.sentence }
    }

    private func clear() {
        for name in (try? Files.disk.system.list(folder)) ?? [] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    @Test func `a file tells what it is, and tiles are counted from the north`() throws {
        defer { clear() }
        let tiles = try file("INSERT INTO metadata VALUES ('attribution', '<a href=\"x\">&copy; OpenStreetMap</a>');")
        #expect(
            try tiles.look()
                == MBTiles.Look(
                    format: .pbf, zooms: 0...14, bounds: [9.9, 53.9, 10.1, 54.1], attribution: "© OpenStreetMap"))
        #expect(try tiles.tile(zoom: 2, column: 1, row: 0) == [1, 2])
        #expect(try tiles.tile(zoom: 2, column: 1, row: 3) == nil)
        for (zoom, column, row) in [(-1, 0, 0), (64, 0, 0), (2, 4, 0), (2, 0, -1), (2, Int.max, 0)] {
            #expect(try tiles.tile(zoom: zoom, column: column, row: row) == nil)
        }
    }

    @Test func `a name with signs of its own is a name`() throws {
        defer { clear() }
        #expect(refusal(try file(name: "a?mode=rwc#b%20ä.mbtiles")) == nil)
    }

    @Test func `zooms that are not said are those of the tiles, and a box that is none is the world`() throws {
        defer { clear() }
        let tiles = try file(
            "DELETE FROM metadata WHERE name LIKE '%zoom'; INSERT INTO tiles VALUES (9, 1, 3, x'01');",
            "UPDATE metadata SET value = '10,nan,inf,x' WHERE name = 'bounds';")
        let look = try tiles.look()
        #expect(look.zooms == 2...9)
        #expect(look.bounds == [-180, -85.05, 180, 85.05])
    }

    @Test(arguments: [
        ("DELETE FROM tiles", "it has no tiles"), ("DROP TABLE metadata", "no such table: metadata"),
        ("DROP TABLE tiles", "no such table: tiles"),
        ("UPDATE metadata SET value = 'exe' WHERE name = 'format'", "its tiles are exe"),
        ("UPDATE metadata SET value = '99' WHERE name = 'maxzoom'", "its zooms are none of 0 to 22"),
        ("UPDATE metadata SET value = '-1' WHERE name = 'minzoom'", "its zooms are none of 0 to 22"),
    ])
    func `what is no map is refused with a sentence`(_ change: String, _ says: String) throws {
        defer { clear() }
        let sentence = try #require(refusal(try file(change)))
        #expect(sentence.contains("is no file of map tiles (MBTiles)") && sentence.contains(says), "\(sentence)")
    }

    @Test func `a file that is no database, or is cut off, is refused`() throws {
        defer { clear() }
        let path = "\(folder)/b.mbtiles"
        try Files.disk.system.append(path, Array("<html>".utf8))
        #expect(refusal(MBTiles(path: path)) != nil)
        #expect(refusal(MBTiles(path: "\(folder)/absent.mbtiles")) != nil)
        let tiles = try file("INSERT INTO tiles VALUES (3, 1, 3, zeroblob(500000));")
        truncate(tiles.path, 8192)
        let tile = try? tiles.tile(zoom: 3, column: 1, row: 4)
        #expect((tile ?? nil) == nil)
    }

    @Test func `a view that never ends is ended, and a tile too large is none`() throws {
        defer { clear() }
        let endless = try file(
            """
            DROP TABLE tiles;
            CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n)
                SELECT x + 1 AS zoom_level, -2 - x AS tile_column, -2 - x AS tile_row, x'00' AS tile_data FROM n;
            """)
        #expect(throws: StoreFailure.self) { try endless.tile(zoom: 0, column: 0, row: 0) }
        let large = try file("INSERT INTO tiles VALUES (3, 1, 3, zeroblob(1048577));", name: "l.mbtiles")
        #expect(throws: StoreFailure.self) { try large.tile(zoom: 3, column: 1, row: 4) }
        #expect(try large.tile(zoom: 2, column: 1, row: 0) == [1, 2])
    }

    @Test func `a view over two tables is a map as well, and nothing is written beside the file`() throws {
        defer { clear() }
        let tiles = try file(
            """
            DROP TABLE tiles;
            CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
            CREATE TABLE images (tile_data BLOB, tile_id TEXT);
            CREATE UNIQUE INDEX at ON map (zoom_level, tile_column, tile_row);
            CREATE UNIQUE INDEX image ON images (tile_id);
            INSERT INTO images VALUES (x'05', 'a');
            INSERT INTO map VALUES (1, 0, 1, 'a'), (1, 1, 1, 'a');
            CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
                FROM map JOIN images ON images.tile_id = map.tile_id;
            """)
        let before = try Files.disk.system.list(folder).sorted()
        #expect(refusal(tiles) == nil)
        #expect(try tiles.tile(zoom: 1, column: 1, row: 0) == [5])
        #expect(try Files.disk.system.list(folder).sorted() == before)
    }
}
