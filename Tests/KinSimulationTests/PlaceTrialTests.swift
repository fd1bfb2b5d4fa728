import Glibc
import KinSimulation
import Testing

/// Recorded tracks under noise: the whole table is `kinwire-bench places`, this is a part of it.
@Suite struct PlaceTrialTests {
    private func track(_ name: String) throws -> RecordedTrack {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let file = try #require(fopen("\(root)/Tests/EndToEndTests/Fixtures/\(name).gpx", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return try #require(RecordedTrack(name: name, gpx: String(decoding: bytes[..<count], as: UTF8.self)))
    }

    @Test(arguments: [("around-visnjan-with-car", 514), ("cerknicko-jezero", 7190), ("korita-zbevnica", 13_381)])
    func `nobody arrives who stays away, and nobody is missed who stays`(name: String, seconds: Int) throws {
        let track = try track(name)
        #expect(track.seconds == seconds)
        let everySecond = track.everySecond
        var trial = PlaceTrial()
        for seed in 0..<12 as Range<UInt64> { trial.run(everySecond, seed: seed) }
        #expect(trial.runs == 12 * PlaceTrial.placesPerSeed)
        #expect(trial.outsideRuns > 0)
        #expect(trial.engine.falseArrivals == 0)
        #expect(trial.engine.outside == 0)
        #expect(trial.engine.missed == 0)
        #expect(trial.engine.repeated == 0)
        #expect(trial.engine.arrivals > 0)
        // The noise is worth the name: what asks for nothing but inside or outside is led astray.
        #expect(trial.plain.arrivals > 3 * trial.engine.arrivals)
        if seconds > 1000 {
            #expect(trial.stays > 0)
            #expect(trial.plain.repeated > 0)
        }
    }
}
