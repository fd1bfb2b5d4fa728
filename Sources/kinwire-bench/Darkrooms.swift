import KinDarkroom
import KinPicture

/// What it costs to make three sizes of a picture, in the process that is started for it: its start, the walls and the way
/// back included.
enum Darkrooms {
    private static let sizes: [Print] = [.whole(2560), .whole(1280), .whole(320)]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        var report = Report("three sizes of one picture, milliseconds of a processor")
        let scene = try attempt { try Negative(Photo.scene(width: 4000, height: 3000), memoryBytesMax: 256 << 20) }
        let jpeg = try attempt { try scene.develop([.whole(4000)]).sheets[0].jpeg }
        let floor = try least(options, [.whole(16)], jpeg)
        let ours = try least(options, sizes, jpeg)
        report.add(
            "JPEG of 12 megapixels, \(jpeg.count / 1000) kB", "\(ours / 1000)",
            floor: "one of 16 pixels \(floor / 1000)", verdict: "goal: at most 250")
        let png = Photo.png(width: 4000, height: 3000)
        report.add("PNG of 12 megapixels", "\(try least(options, sizes, png) / 1000)")
        return report
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
