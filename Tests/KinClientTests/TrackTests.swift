import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import kin
@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers

@Suite struct TrackTests {
    private func read(_ text: String, piece: Int = .max) throws -> TrackReader {
        let reader = try TrackReader()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try reader.take(Array(rest.prefix(piece)), isLast: false)
            rest = rest.dropFirst(piece)
        }
        try reader.take([], isLast: true)
        return reader
    }

    static let gpx = """
        <?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x"><metadata>
        <time>2020-01-01T00:00:00Z</time></metadata><wpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></wpt>
        <trk><name>A &amp; B</name><trkseg>
        <trkpt lat="45.5" lon="-13.25"><ele> 211.5 </ele><time>2020-12-18T06:15:50Z</time>
          <extensions><x:time>1999-01-01T00:00:00Z</x:time><speed>1</speed><x:other><x:speed>2</x:speed></x:other>
          </extensions></trkpt>
        <trkpt lon="13" lat="46"/>
        <trkpt lat="91" lon="0"><time>2020-12-18T06:16:00Z</time></trkpt>
        <trkpt lat="nan" lon="0"/><trkpt lon="5"/>
        </trkseg><trkseg><trkpt lat="46" lon="14"><time>2020-12-18T06:16:10.500Z</time><speed>2.5</speed>
        <course>361</course></trkpt></trkseg></trk></gpx>
        """

    /// Out as a file, in as `kin import` posts it: the same points, as far as GPX has a place for them.
    @Test(arguments: [1, 7, 4096]) func `what the daemon takes out as GPX comes in again as it was`(piece: Int) throws {
        let member = Family.id(1)
        let at = try #require(Instant("2026-11-20T18:04:05.123Z"))
        let positions = [
            Position(member: member, lat: 52.5163, lon: -13.3777, at: at, altitude: 34.5, speed: 2.5, course: 90),
            Position(member: member, lat: -0.000012, lon: -180, at: at.adding(seconds: 7200)),
            Position(member: member, lat: 1e-7, lon: 2, at: at.adding(milliseconds: 7_200_001), speed: 0),
            Position(member: member, lat: 3, lon: 4, at: at.adding(seconds: 7201), speed: 1.1, course: 359.999),
            Position(member: member, lat: 5, lon: 6, at: at.adding(seconds: 7202), altitude: -11_000.125, course: 0),
            Position(member: member, lat: 7, lon: 8, at: at.adding(seconds: 7203), altitude: 408_000, speed: 7660.001),
        ]
        var end: TrackEnd?
        let text = TrackFormat.gpx.piece(positions, of: "Ada & <Ben>", after: &end, isFirst: true, isLast: true)
        let reader = try read(text, piece: piece)
        let track = try Track(reader.points, unusable: reader.unusable)
        let replay = Replay(track: track, pace: .atOnce, keepsTimes: true, began: at)
        #expect(reader.unusable == 0 && track.points.count == positions.count)
        for (index, position) in positions.enumerated() {
            let message = OwnTracksMessage(replay.message(index, id: "ab"), now: at.adding(days: 1))
            guard case .location(let point, _) = message else {
                Issue.record("\(message)")
                continue
            }
            #expect(point.position(of: member, motion: nil) == position)
        }
    }

    static let extensions: [(String, Double?, Double?)] = [
        ("<speed>1.5</speed><course>90</course>", 1.5, 90),
        ("<course>360</course><speed>0</speed>", 0, 360),
        ("<speed>-1</speed><course>361</course>", nil, nil),
        ("<speed>1.5<x/></speed><course>ninety</course>", nil, nil),
    ]

    @Test(arguments: extensions)
    func `speed and course stand in GPX 1.0 itself and in Garmin's extension, of either version and any prefix`(
        children: String, speed: Double?, course: Double?
    ) throws {
        func point(_ inside: String, _ names: String = "") throws -> TrackPoint? {
            let text = "<gpx \(names)><trk><trkseg><trkpt lat='1' lon='2'>\(inside)</trkpt></trkseg></trk></gpx>"
            return try read(text).points.first
        }
        var expected = TrackPoint(lat: 1, lon: 2)
        (expected.speed, expected.course) = (speed, course)
        #expect(try point(children) == expected)
        let plain = children.replacing("<", with: "<g:").replacing("<g:/", with: "</g:")
        for version in ["v1", "v2"] {
            let names = "xmlns:g='http://www.garmin.com/xmlschemas/TrackPointExtension/\(version)'"
            #expect(
                try point(
                    "<time/><extensions><g:TrackPointExtension><g:hr>80</g:hr>\(plain)</g:TrackPointExtension>"
                        + "</extensions>", names) == expected)
        }
        // Elsewhere they are somebody else's.
        #expect(try point("<extensions><other>\(children)</other></extensions>") == TrackPoint(lat: 1, lon: 2))
    }

    @Test func `track points are read however the file is cut, and nothing else is`() throws {
        for piece in [1, 2, 7, 64, .max] {
            let reader = try read(Self.gpx, piece: piece)
            #expect(reader.unusable == 3)
            var first = TrackPoint(lat: 45.5, lon: -13.25, at: Instant("2020-12-18T06:15:50Z"))
            first.elevation = 211.5
            var last = TrackPoint(lat: 46, lon: 14, at: Instant("2020-12-18T06:16:10.500Z"))
            last.speed = 2.5
            #expect(reader.points == [first, TrackPoint(lat: 46, lon: 13), last])
        }
    }

    @Test(arguments: [
        #"<!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><gpx>&b;</gpx>"#,
        #"<!DOCTYPE gpx SYSTEM "file:///etc/passwd"><gpx/>"#,
        #"<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]><gpx><trk>&x;</trk></gpx>"#,
        "<gpx><trkpt lat='1' lon='1'>", "<gpx></trk>", "", "no XML", "<gpx>&undefined;</gpx>", "<gpx>\u{0}</gpx>",
        String(repeating: "<a>", count: 70),
    ])
    func `hostile and broken XML is refused with a sentence`(text: String) {
        #expect {
            try read(text)
        } throws: { error in
            (error as? Problem)?.exit == .failed
        }
    }

    @Test func `a time of a megabyte is no time, and costs no memory`() throws {
        let text =
            "<gpx><trkpt lat='1' lon='1'><time>" + String(repeating: "2", count: 1 << 20) + "</time></trkpt></gpx>"
        #expect(try read(text).points == [TrackPoint(lat: 1, lon: 1)])
    }

    @Test func `a track is in the order of time, and says what was left out`() throws {
        let seconds: [Int64?] = [3, 1, nil, 2]
        let points = seconds.map { second in
            TrackPoint(lat: 0, lon: 0, at: second.map { Instant(milliseconds: $0 * 1000) })
        }
        let track = try Track(points, unusable: 2)
        #expect(track.points.map { $0.at?.milliseconds } == [1000, 2000, 3000])
        #expect(track.leftOut == 3)
        #expect(track.duration == 2000)
        #expect(throws: Problem.self) { try Track([], unusable: 0) }
        #expect(throws: Problem.self) { try Track([TrackPoint(lat: 0, lon: 0)], unusable: 0) }
    }
}

@Suite struct ReplayTests {
    let began = Instant("2026-11-20T18:00:00Z") ?? .earliest

    private func replay(_ pace: Replay.Pace, keepsTimes: Bool = false) throws -> Replay {
        let points = [0, 30, 90].map { TrackPoint(lat: 1, lon: 2, at: Instant(milliseconds: $0 * 1000)) }
        return Replay(track: try Track(points, unusable: 0), pace: pace, keepsTimes: keepsTimes, began: began)
    }

    @Test func `live, each point is due and says so at its moment, so many times faster`() throws {
        let replay = try replay(.live(speed: 30))
        #expect((0...2).map { replay.due($0).milliseconds(since: began) } == [0, 1000, 3000])
        #expect((0...2).map { replay.time($0) } == (0...2).map { replay.due($0) })
    }

    @Test func `at once, the last point is now and none lies ahead`() throws {
        let replay = try replay(.atOnce)
        #expect((0...2).map { replay.due($0) } == [began, began, began])
        #expect((0...2).map { replay.time($0).milliseconds(since: began) } == [-90_000, -60_000, 0])
    }

    @Test func `kept times are the recorded ones`() throws {
        #expect(try replay(.live(speed: 2), keepsTimes: true).time(1) == Instant(milliseconds: 30_000))
    }

    @Test func `a point is posted as the app posts it, and again under the same id`() throws {
        var point = TrackPoint(lat: 1, lon: 2, at: Instant(milliseconds: 0))
        point.elevation = 211.5
        point.speed = 10
        let replay = Replay(
            track: try Track([point], unusable: 0), pace: .atOnce, keepsTimes: false, began: Instant(milliseconds: 1500)
        )
        #expect(
            replay.message(0, id: "ab") == [
                "_type": "location", "lat": 1.0, "lon": 2.0, "tst": 1.5, "alt": 211.5, "vel": 36.0, "t": "t",
                "_id": "ab-0",
            ])
        #expect(replay.message(0, id: "ab") == replay.message(0, id: "ab"))
    }
}
