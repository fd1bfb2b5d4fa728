import KinDarkroom
import KinPicture

/// What it costs to make three sizes of a picture, in the process that is started for it: its start, the walls and the way
/// back included. Beside it bare libgd makes the same of the JPEG, and bare libheif decodes the HEIC and does nothing else.
enum Darkrooms {
    private static let sizes: [Print] = [.whole(2560), .whole(1280), .whole(320)]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        var report = Report("three sizes of one picture, milliseconds of a processor")
        let scene = try attempt { try Negative(Photo.scene(width: 4000, height: 3000), memoryBytesMax: 256 << 20) }
        let jpeg = try attempt { try scene.develop([.whole(4000)]).sheets[0].jpeg }
        let floor = try least(options, [.whole(16)], jpeg)
        let ours = try least(options, sizes, jpeg)
        let gd = try BarePictures.jpegByGD(
            jpeg, width: 4000, height: 3000, sides: [2560, 1280, 320], rounds: max(3, options.rounds))
        let bare = gd.decode + gd.resample + gd.encode
        report.add(
            "JPEG of 12 megapixels, \(jpeg.count / 1000) kB", "\(ours / 1000)",
            floor: "one of 16 pixels \(floor / 1000); libgd \((bare / 1000).rounded(0)): decoded "
                + "\((gd.decode / 1000).rounded(0)), resampled \((gd.resample / 1000).rounded(0)), encoded "
                + (gd.encode / 1000).rounded(0),
            verdict: "\(ours <= 250_000 ? "met" : "missed") (250), \((Double(ours) / bare).rounded(2)) x libgd")
        try addHEIC(options, &report)
        let png = Photo.png(width: 4000, height: 3000)
        report.add("PNG of 12 megapixels", "\(try least(options, sizes, png) / 1000)")
        return report
    }

    private static func addHEIC(_ options: Options, _ report: inout Report) throws(Trouble) {
        let heic: [UInt8]
        do throws(Trouble) {
            say("Encoding a HEIC of 12 megapixels; this takes some seconds.")
            let place = try Place(in: options.directory)
            heic = try BarePictures.heic(width: 4000, height: 3000, in: place.path)
        } catch {
            // Where libheif has no encoder there is nothing to be opened.
            report.add("HEIC of 12 megapixels", "not measured", floor: error.sentence)
            return
        }
        let bare = try BarePictures.decodeHEIC(heic, rounds: max(3, options.rounds))
        let ours = Double(try least(options, sizes, heic))
        report.add(
            "HEIC of 12 megapixels, \(heic.count / 1000) kB", (ours / 1000).rounded(0),
            floor: "libheif, decoded alone \((bare / 1000).rounded(0))",
            verdict: "\((ours / bare).rounded(2)) x (goal: at most 1.5)")
    }

    private static func least(_ options: Options, _ prints: [Print], _ bytes: [UInt8]) throws(Trouble) -> Int64 {
        var least = Int64.max
        for _ in 0..<max(3, options.rounds) {
            _ = try attempt {
                try Darkroom.develop(prints, memoryBytesMax: 256 << 20, cost: { least = min(least, $0) }) { offset in
                    offset == 0 ? bytes : []
                }
            }
        }
        return least
    }
}
