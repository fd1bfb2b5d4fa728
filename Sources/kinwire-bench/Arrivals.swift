import KinLoop
import KinSimulation

/// Arrivals on recorded tracks under noise from seeds, beside the plain question whether a point lies inside the circle.
enum Arrivals {
    private static let names = ["around-visnjan-with-car", "cerknicko-jezero", "korita-zbevnica"]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        var tracks: [RecordedTrack] = []
        for name in names {
            let path = "\(options.tracks)/\(name).gpx"
            let bytes = try attempt { try KinLoop.Files.read(path) }
            guard let track = RecordedTrack(name: name, gpx: String(decoding: bytes, as: UTF8.self)) else {
                throw Trouble("There is no track in \(path).")
            }
            tracks.append(track)
        }
        let seconds = tracks.map(\.everySecond)
        let seeds = options.count ?? 1000
        var trial = PlaceTrial()
        for seed in 0..<seeds { trial.run(seconds[seed % tracks.count], seed: UInt64(seed)) }
        let (ours, plain) = (trial.engine, trial.plain)
        var report = Report("\(seeds) seeds, \(trial.runs) runs, \(trial.reports) reports; floor: inside the circle")
        report.add(
            "false arrivals (outside circle + 2 sigma)", "\(ours.falseArrivals)", floor: "\(plain.falseArrivals)",
            verdict: ours.falseArrivals == 0 ? "met" : "missed")
        report.add(
            "missed, of \(trial.stays) stays", "\(ours.missed)", floor: "\(plain.missed)",
            verdict: ours.missed == 0 ? "met" : "missed")
        report.add("arrivals told twice in one stay", "\(ours.repeated)", floor: "\(plain.repeated)")
        report.add("arrivals in \(trial.outsideRuns) runs outside", "\(ours.outside)", floor: "\(plain.outside)")
        report.add(
            "arrivals in \(trial.borderlineRuns) borderline runs", "\(ours.borderline)", floor: "\(plain.borderline)")
        report.add("arrivals in all", "\(ours.arrivals)", floor: "\(plain.arrivals)")
        return report
    }
}
