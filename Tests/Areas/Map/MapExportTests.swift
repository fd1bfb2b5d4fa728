import KinActivity
import KinCodec
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

/// A history as a file: what is in it, to the byte, and who gets how much.
@Suite struct MapExportTests {
    private static let ada = Identifier(at: MapBox.start, random: (1, 1))

    private func at(_ seconds: Int64) -> Instant { MapBox.start.adding(seconds: seconds) }

    private func position(
        _ lat: Double, _ lon: Double, _ seconds: Int64, precision: Precision = .exact
    ) -> Position {
        Position(member: Self.ada, lat: lat, lon: lon, at: at(seconds), precision: precision)
    }

    /// A whole file of some positions, in pieces of so many.
    private func file(_ format: TrackFormat, _ positions: [Position], pieces: Int = 1000) -> String {
        var (end, text) = (TrackEnd?.none, "")
        var rest = positions[...]
        var isFirst = true
        repeat {
            let some = Array(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            text += format.piece(some, of: "Ada & <Co>", after: &end, isFirst: isFirst, isLast: rest.isEmpty)
            isFirst = false
        } while !rest.isEmpty
        return text
    }

    private static let gpxHead = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Kinwire" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <metadata><name>Ada &amp; &lt;Co&gt;</name></metadata>

        """

    @Test func `GPX is this, to the byte`() {
        let full = Position(
            member: Self.ada, lat: 52.5163, lon: -13.3777, at: at(0), accuracy: 5, altitude: 34.5, speed: 2.5,
            course: 90, battery: 70)
        let positions = [
            full, position(0.00001, 180, 1800), position(1, 2, 3601), position(1.0035, 2.5, 3700, precision: .coarse),
        ]
        #expect(
            file(.gpx, positions) == Self.gpxHead + """
                <trk><name>Ada &amp; &lt;Co&gt;</name><trkseg>
                <trkpt lat="52.5163" lon="-13.3777"><ele>34.5</ele><time>2026-11-20T18:00:00.000Z</time>\
                <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>2.5</gpxtpx:speed>\
                <gpxtpx:course>90.0</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
                <trkpt lat="0.00001" lon="-180.0"><time>2026-11-20T18:30:00.000Z</time></trkpt>
                </trkseg><trkseg>
                <trkpt lat="1.0" lon="2.0"><time>2026-11-20T19:00:01.000Z</time></trkpt>
                </trkseg></trk>
                <trk><name>Ada &amp; &lt;Co&gt;</name>\
                <desc>Middles of cells of about a kilometre, times rounded down.</desc><trkseg>
                <trkpt lat="1.0035" lon="2.5"><time>2026-11-20T19:01:40.000Z</time></trkpt>
                </trkseg></trk>
                </gpx>

                """)
        #expect(file(.gpx, []) == Self.gpxHead + "</gpx>\n")
    }

    /// What `gpx.xsd` (topografix.com/GPX/1/1) asks of what stands in a file of ours, and Garmin's extension of the rest:
    /// elements in this order, numbers that are `xsd:decimal`s within the bounds of their types, times in UTC.
    @Test func `GPX holds to its schema, whatever the numbers are`() throws {
        let numbers = [0, -0.0, .leastNonzeroMagnitude, -1e-7, 1.5e-5, 0.1 + 0.2, 89.999_999_999_999_99, 90, -90]
        let lons = numbers + [180, -180, 179.999_999_999_999_97, -1e-12]
        var positions: [Position] = []
        for (index, lon) in lons.enumerated() {
            let number = numbers[index % numbers.count]
            positions.append(
                Position(
                    member: Self.ada, lat: number, lon: lon, at: at(Int64(index) * 2000),
                    altitude: index % 2 == 0 ? number * 400_000 : nil, speed: index % 3 == 0 ? abs(number) : nil,
                    course: index % 4 == 0 ? abs(number) : nil,
                    precision: index < 10 ? .exact : .coarse))
        }
        positions[0] = Position(
            member: Self.ada, lat: 0, lon: 0, at: at(-1), altitude: -12_000, speed: 11_200,
            course: 359.999_999_999_999_94)
        let lines = file(.gpx, positions).split(separator: "\n").map { String($0) }
        let point =
            #/
            <trkpt\ lat="(-?[0-9]+\.[0-9]+)"\ lon="(-?[0-9]+\.[0-9]+)">(?:<ele>-?[0-9]+\.[0-9]+</ele>)?
            <time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z</time>
            (?:<extensions><gpxtpx:TrackPointExtension>(?:<gpxtpx:speed>[0-9]+\.[0-9]+</gpxtpx:speed>)?
            (?:<gpxtpx:course>([0-9]+\.[0-9]+)</gpxtpx:course>)?</gpxtpx:TrackPointExtension></extensions>)?</trkpt>
            /#
        var count = 0
        for line in lines where line.hasPrefix("<trkpt") {
            count += 1
            let found = try #require(line.wholeMatch(of: point)?.output, "\(line)")
            let (lat, lon) = (try #require(Double(found.1)), try #require(Double(found.2)))
            #expect((-90...90).contains(lat) && (-180..<180).contains(lon), "\(line)")
            if let course = found.3.flatMap({ Double($0) }) { #expect((0..<360).contains(course), "\(line)") }
        }
        #expect(count == positions.count)
        // Nothing but tracks, each a name, a description and its segments.
        let rest = lines.dropFirst(3).filter { !$0.hasPrefix("<trkpt") }.joined()
        let tracks =
            #/
            (?:<trk><name>[^<]*</name>(?:<desc>[^<]*</desc>)?<trkseg>(?:</trkseg><trkseg>)*</trkseg></trk>)+</gpx>
            /#
        #expect(rest.wholeMatch(of: tracks) != nil, "\(rest)")
    }

    private func about(_ precision: String = "exact") -> String {
        "\"member\":\"\(Self.ada)\",\"name\":\"Ada & <Co>\",\"precision\":\"\(precision)\""
    }

    @Test func `GeoJSON is this, to the byte`() {
        let high = Position(member: Self.ada, lat: 52.5163, lon: -13.3777, at: at(0), altitude: 34.5, speed: 2.5)
        let positions = [
            high, position(0.00001, 10, 1800), position(1, 2, 3601), position(3, 4, 3700, precision: .coarse),
        ]
        #expect(
            file(.geojson, positions) == """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","geometry":{"type":"LineString","coordinates":[[-13.3777,52.5163,34.5],[10.0,0.00001]]},\
                "properties":{\(about()),"coordTimes":["2026-11-20T18:00:00.000Z","2026-11-20T18:30:00.000Z"]}}
                ,{"type":"Feature","geometry":{"type":"Point","coordinates":[2.0,1.0]},\
                "properties":{\(about()),"time":"2026-11-20T19:00:01.000Z"}}
                ,{"type":"Feature","geometry":{"type":"Point","coordinates":[4.0,3.0]},\
                "properties":{\(about("coarse")),"time":"2026-11-20T19:01:40.000Z"}}
                ]}

                """)
        #expect(file(.geojson, []) == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
    }

    /// Lines and points of a file of GeoJSON, as pairs of degrees and times.
    private func lines(_ text: String) throws -> [[(lon: Double, lat: Double, time: String)]] {
        let json = try JSON.parse(Array(text.utf8))
        return try #require(json["features"]?.array).map { feature in
            let geometry = try #require(feature["geometry"])
            let coordinates = try #require(geometry["coordinates"]?.array)
            let isPoint = geometry["type"] == "Point"
            let corners = isPoint ? [JSON.array(coordinates)] : coordinates
            let properties = try #require(feature["properties"])
            let times = isPoint ? [try #require(properties["time"])] : try #require(properties["coordTimes"]?.array)
            #expect(times.count == corners.count && (isPoint || corners.count > 1))
            return zip(corners, times).map { corner, time in
                (corner.array?[0].double ?? .nan, corner.array?[1].double ?? .nan, time.string ?? "")
            }
        }
    }

    @Test func `a line that crosses the antimeridian is cut there, either way`() throws {
        let there = try lines(file(.geojson, [position(10, 179, 0), position(11, -178, 30), position(12, 178, 90)]))
        #expect(there.map { $0.map(\.lon) } == [[179, 180], [-180, -178, -180], [180, 178]])
        #expect(abs(there[0][1].lat - 10.333_333) < 1e-5 && there[0][1].lat == there[1][0].lat)
        #expect(there[0][1].time == "2026-11-20T18:00:10.000Z" && there[1][0].time == there[0][1].time)
        // On it already: nothing is invented.
        let on = try lines(file(.geojson, [position(1, 180, 0), position(2, -179, 30)]))
        #expect(on.map { $0.map(\.lon) } == [[180], [-180, -179]])
        let onto = try lines(file(.geojson, [position(1, 179, 0), position(2, -180, 30), position(3, -179, 60)]))
        #expect(onto.map { $0.map(\.lon) } == [[179, 180], [-180, -179]])
    }

    @Test(arguments: [1, 2, 3, 7]) func `the file is as good in whatever pieces it comes`(pieces: Int) throws {
        // Two long stretches, one alone between them, and one alone at the end.
        let seconds: [Int64] = Array(0..<9).map { $0 * 60 } + [5000] + Array(0..<5).map { 9000 + $0 * 60 } + [20_000]
        let positions = seconds.enumerated().map { position(Double($0.offset), 10, $0.element) }
        #expect(file(.gpx, positions, pieces: pieces) == file(.gpx, positions))
        let whole = try lines(file(.geojson, positions)).map { $0.map(\.lat) }
        #expect(whole == [Array(0..<9), [9], Array(10..<15), [15]].map { $0.map { Double($0) } })
        // Put together where one goes on at the end of another, it is the same.
        var joined: [[Double]] = []
        for line in try lines(file(.geojson, positions, pieces: pieces)).map({ $0.map(\.lat) }) {
            if let last = joined.last?.last, last == line.first {
                joined[joined.count - 1] += line.dropFirst()
            } else {
                joined.append(line)
            }
        }
        #expect(joined == whole)
    }

    @Test(arguments: [
        "", "~", "1", "x~1.0.0", "1~2~3~4~5~exact~1", "1~2~91~4~~exact~1~1.0", "1~2~nan~4~~exact~1~1.0",
        "1~2~3~4~~home~1~1.0", "1~2~3~4~~exact~9~1.0", "1~2~3~4~inf~exact~1~1.0", "1700000000000~2~3~4~~exact~1~none",
        "99999999999999999~1.0.0",
    ])
    func `a place nobody gave out is refused`(after: String) throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let refused = #expect(throws: Rejection.self) {
            try box.piece(ada, ["member": .id(ada), "format": "gpx", "after": .string(after)])
        }
        #expect(refused?.field == "after")
    }

    @Test func `next says where a piece ended, in few bytes`() throws {
        let longest = TrackEnd(
            position: Position(
                member: Self.ada, lat: -89.123_456_789_012_3, lon: -179.123_456_789_012_3, at: .latest,
                altitude: -11_999.123_456_789_01, precision: .coarse), isWritten: false, hasBefore: true)
        for last in [nil, longest] {
            let key = TrackKey(to: .latest, last: last, place: "\(Int64.min).\(Int64.min).\(Int64.min)")
            #expect(TrackKey(key.text, of: Self.ada) == key)
            #expect(key.text.utf8.count <= Limits.exportNextBytesMax)
        }
    }

    // MARK: Who gets how much

    private func params(_ member: Identifier, _ format: JSON = "gpx") -> JSON.Object {
        ["member": .id(member), "format": format]
    }

    @Test func `one's own history comes in pieces of bounded size, all of it`() throws {
        let box = try MapBox()
        let ada = try box.join("Ada")
        let count = Limits.exportPositionsPerPiece * 2 + 3
        try box.report(ada, ago: 86_400 * 2)
        try box.write(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO positions (track, at, device, digest, lat, lon, altitude, speed, course)
            SELECT track, \(MapBox.start.milliseconds) - i * 1000, 1, 0, -12.3456789012345, -123.456789012345,
            -11999.1234567890123, 1.23456789012345e-5, 123.456789012345 FROM n, sharing
            """)
        var (sizes, after) = ([Int](), String?.none)
        repeat {
            var asked = params(ada)
            asked["after"] = after.map { .string($0) }
            asked["from"] = .time(MapBox.start.adding(days: -1))
            let piece = try box.piece(ada, asked)
            #expect(piece.bytes.count < Limits.exportPieceCharactersMax)
            sizes.append(piece.count)
            after = piece.next
        } while after != nil
        #expect(sizes == [Limits.exportPositionsPerPiece, Limits.exportPositionsPerPiece, 3])
    }

    @Test func `a coarse viewer's file has cells and nothing finer`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.call(
            ada, "sharing.set",
            ["state": "on", "rules": [["viewer": .id(bob), "precision": "coarse", "history": true]]])
        try box.wait(seconds: 63)
        try box.report(ada, 52.516_301, 13.377_702, ago: 20)
        try box.report(ada, 52.616_303, 13.477_704)
        for format in ["gpx", "geojson"] as [JSON] {
            let text = String(decoding: try box.piece(bob, params(ada, format)).bytes, as: UTF8.self)
            for exact in ["52.516301", "13.377702", "52.616303", "13.477704", "<ele>", "speed>"] {
                #expect(!text.contains(exact))
            }
            for ago in [0, -20] as [Int64] { #expect(!text.contains("\(box.clock.adding(seconds: ago))")) }
            let cell = Cell(lat: 52.616_303, lon: 13.477_704).middle
            #expect(text.contains("\(cell.lat)") && text.contains("\(cell.lon)"))
            #expect(text.contains("coarse") || text.contains("about a kilometre"))
        }
    }

    @Test(arguments: ["place", "home", "off"]) func `who sees no coordinates gets no file, and a sentence`(
        precision: String
    ) throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.report(ada)
        try box.call(
            ada, "sharing.set",
            ["state": "on", "rules": [["viewer": .id(bob), "precision": .string(precision), "history": true]]])
        let refused = #expect(throws: Rejection.self) { try box.piece(bob, params(ada)) }
        #expect(refused?.kind == .forbidden && refused?.field == "member")
        #expect(try box.call(ada, "sharing.looks")["looks"]?.array?.isEmpty == true)
    }

    @Test func `who is shown no history gets no file, and a stranger is not there`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada", role: .admin), try box.join("Bob"))
        try box.report(bob)
        try box.share(bob)
        let refused = #expect(throws: Rejection.self) { try box.piece(ada, params(bob)) }
        #expect(refused?.kind == .forbidden)
        let absent = #expect(throws: Rejection.self) {
            try box.piece(ada, params(Identifier(at: MapBox.start, random: (9, 9))))
        }
        #expect(absent?.kind == .notFound)
    }

    @Test func `a file is one look, as an export, however many pieces it has`() throws {
        let box = try MapBox()
        let (ada, bob) = (try box.join("Ada"), try box.join("Bob"))
        try box.call(
            ada, "sharing.set",
            ["state": "on", "rules": [["viewer": "everyone", "precision": "exact", "history": true]]])
        try box.wait(seconds: 1300)
        for batch in 0..<3 as Range<Int64> {
            let points = (0..<400 as Range<Int64>).map { JSON.object(box.point(ago: batch * 400 + $0)) }
            try box.call(ada, "position.report", ["positions": .array(points)])
        }
        box.clock = box.clock.adding(seconds: 60)
        var (count, after) = (0, String?.none)
        repeat {
            var asked = params(ada, "geojson")
            asked["after"] = after.map { .string($0) }
            let piece = try box.piece(bob, asked)
            (count, after) = (count + 1, piece.next)
            box.clock = box.clock.adding(seconds: 1)
        } while after != nil
        #expect(count > 1)
        var looks = try #require(try box.call(ada, "sharing.looks")["looks"]?.array)
        #expect(looks.map { $0["how"] } == ["export"] && looks.first?["count"] == 1)
        #expect(looks.first?["viewer"]?.identifier == bob)
        _ = try box.piece(bob, params(ada))
        looks = try #require(try box.call(ada, "sharing.looks")["looks"]?.array)
        #expect(looks.map { $0["count"] } == [1, 1])
    }
}
