import Foundation
import KinDarkroom
import KinLoop
import Testing

@testable import KinPicture

/// The process in which pictures are opened.
@Suite struct `The darkroom` {
    /// Made by code: 64 by 48 pixels, red and green over blue and white, with Exif that says orientation 6, that it was taken
    /// at 12:34:56 on 1 May 2024 two hours east, and a place.
    static let heic = Array(
        Data(
            base64Encoded: """
                AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAeVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA\
                AAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAIJAAEAAAAAAAAAUgACAAEA\
                AAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACWwABAAAAAAAAAHAAAABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAA\
                ABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAANlpcHJwAAAAt2lwY28AAAB3aHZjQwEDcAAAAAAA\
                AAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAK0IBAQNwAAADAJAAAAMAAAMAHqAggQWW\
                6SkpLm4EBAwIAAADAAgAAAMACEAiAAEABkQBwHGBEgAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAA\
                AAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAoaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAA5j\
                ZHNjAAMAAQACAAAAym1kYXQAAABOKAGsJ4CGNv/KeX/zB2h8R7vwdhRH/MdivWN4/mYiDwUB/NNRhxOzyBfmKb07SX01Wf15\
                jbU3syP+bLd5ln1ZHn62TXfG9341VGr9Mgg+AAAAAE1NACoAAAAIAAMBEgADAAAAAQAGAACHaQAEAAAAAQAAADKIJQAEAAAA\
                AQAAAIAAAAAAAAKQAwACAAAAFAAAAFCQEQACAAAABwAAAGQAAAAAMjAyNDowNTowMSAxMjozNDo1NgArMDI6MDAAAA==
                """) ?? Data())

    @Test func `says where the program is missing, beside the daemon or where packages put it`() {
        let folder = "/nowhere-\(Int.random(in: 0..<1 << 40))"
        for (own, path) in [("/kinwired", "/kinwire-darkroom"), ("/bin/kinwired", "/lib/kinwire/kinwire-darkroom")] {
            let said = Darkroom.missing(around: folder + own)
            #expect(said?.contains("kinwire-darkroom is missing at \(folder)\(path), ") == true, "\(said ?? "")")
        }
        #expect(Darkroom.missing == nil && Darkroom.program != nil)
    }

    private static let sizes: [Print] = [.whole(2560), .whole(1280), .whole(320)]

    @Test func `makes three sizes of one picture, largest first, and never larger than it is`() throws {
        let wide = Canvas(3000, 1500) { x, _ in x < 1500 ? 0xFF0000 : 0x0000FF }
        let large = try Darkroom.develop(Self.sizes, of: wide.jpeg())
        #expect(large.sheets.map(\.width) == [2560, 1280, 320] && large.sheets.map(\.height) == [1280, 640, 160])
        for sheet in large.sheets {
            let made = try #require(Canvas(jpeg: sheet.jpeg))
            #expect(made.width == sheet.width && made.isNear(0xFF0000, 20, 20))
            #expect(made.isNear(0x0000FF, made.width - 20, made.height - 20))
        }
        let small = Canvas(400, 30) { _, _ in 0x00FF00 }
        for bytes in [small.png, small.webp, small.gif, small.jpeg(isProgressive: true)] {
            let made = try Darkroom.develop(Self.sizes, of: bytes)
            #expect(made.sheets.map(\.width) == [400, 400, 320] && made.sheets.map(\.height) == [30, 30, 24])
            #expect(made.taken == nil)
        }
    }

    @Test func `opens HEIC, upright already, and says when it was taken`() throws {
        let made = try Darkroom.develop([.whole(2560), .square(16)], of: Self.heic)
        let picture = try #require(Canvas(jpeg: made.sheets[0].jpeg))
        #expect(picture.width == 64 && picture.height == 48)
        #expect(picture.isNear(0xFF0000, 8, 8) && picture.isNear(0xFFFFFF, 56, 40))
        #expect(made.taken == Taken(exif: "2024:05:01 12:34:56", offset: "+02:00"))
        #expect(JPEG.sidesOfPlain(made.sheets[0].jpeg)?.width == 64)
    }

    @Test func `takes of a HEIC sequence the picture that stands for it, or says that it is a sequence`() throws {
        func box(_ name: String, _ content: [UInt8] = []) -> [UInt8] {
            [0, 0, 0, UInt8(8 + content.count)] + Array(name.utf8) + content
        }
        let rest = Array(Self.heic.dropFirst(28))
        for brands in ["hevc\0\0\0\0mif1heicmsf1", "msf1\0\0\0\0msf1hevciso8", "hevm\0\0\0\0msf1hevmhevc"] {
            // As long as the head of a still one, so that all stands where it stood.
            let sequence = box("ftyp", Array(brands.utf8)) + rest + box("moov", Array(repeating: 0, count: 16))
            let made = try Darkroom.develop([.whole(2560)], of: sequence)
            let picture = try #require(Canvas(jpeg: made.sheets[0].jpeg))
            #expect(picture.width == 64 && picture.height == 48 && picture.isNear(0xFF0000, 8, 8), "\(brands)")
            let bare = box("ftyp", Array(brands.utf8)) + box("moov", Array(repeating: 0, count: 16)) + box("mdat")
            let empty = bare + box("meta", [0, 0, 0, 0])
            for bytes in [bare, empty] {
                #expect(throws: PictureFailure.sequence, "\(brands)") {
                    try Darkroom.develop([.whole(320)], of: bytes)
                }
            }
        }
        #expect(throws: PictureFailure.unknownFormat) {
            try Darkroom.develop([.whole(320)], of: box("ftyp", Array("avis\0\0\0\0msf1avis".utf8)) + rest)
        }
    }

    @Test(arguments: 2...12, Collage.Layout.allCases)
    func `draws pictures beside each other, each cut around its middle`(count: Int, layout: Collage.Layout) throws {
        let colors = [0xFF0000, 0x00FF00, 0x0000FF, 0x000000, 0xFF00FF, 0x00FFFF]
        // One is wide and one is high, and their ends are of another colour, which is cut off.
        let pictures = (0..<count).map { index in
            let color = colors[index % colors.count]
            return index.isMultiple(of: 2)
                ? Canvas(1200, 300) { x, _ in x < 300 || x >= 900 ? 0x808080 : color }.jpeg()
                : Canvas(300, 1200) { _, y in y < 300 || y >= 900 ? 0x808080 : color }.jpeg()
        }
        let made = try Darkroom.collage(Self.sizes, of: pictures, layout: layout)
        // Where the sheet is larger than the largest print, all of it is made smaller.
        let whole = Collage.size(count, layout)
        let scale = min(1, 2560 / Double(max(whole.width, whole.height)))
        #expect(abs(made.sheets[0].width - Int((Double(whole.width) * scale).rounded())) <= 1 && made.taken == nil)
        #expect(abs(made.sheets[0].height - Int((Double(whole.height) * scale).rounded())) <= 1)
        #expect(made.sheets.map { max($0.width, $0.height) }.dropFirst() == [1280, 320])
        let sheet = try #require(Canvas(jpeg: made.sheets[0].jpeg))
        let places = Collage.places(count, layout)
        #expect(places.count == count)
        for (index, place) in places.enumerated() {
            func at(_ x: Int, _ y: Int) -> (Int, Int) { (Int(Double(x) * scale), Int(Double(y) * scale)) }
            let color = colors[index % colors.count]
            let (x, y) = at(place.left + place.width / 2, place.top + place.height / 2)
            #expect(sheet.isNear(color, x, y), "\(index) of \(count)")
            // Something lies between.
            #expect(place.left >= 4 && place.top >= 4 && place.left + place.width <= whole.width - 4)
            #expect(!sheet.isNear(color, at(place.left - 4, 0).0, y), "left of \(index) of \(count)")
        }
        // With what lies between, they are all of the sheet.
        let area = places.reduce(0) { $0 + ($1.width + 8) * ($1.height + 8) }
        #expect(area == whole.width * whole.height, "a place is left, or two lie on each other")
    }

    @Test func `makes no collage of one picture, of what is none, or of other lengths than it is told`() throws {
        let good = Canvas(20, 20) { _, _ in 0 }.jpeg()
        #expect(throws: PictureFailure.unknownFormat) {
            try Darkroom.collage([.whole(320)], of: [good, Array("<svg/>".utf8)])
        }
        #expect(throws: PictureFailure.damaged) {
            try Darkroom.collage([.whole(320)], of: [good, Array(good.prefix(good.count / 2))])
        }
        for word in ["", "5", "5+", "5+x", "5+0", "5+-1"].map({ "collage:grid:" + $0 }) + [
            "whole:5", "collage:5+6", "collage:heap:5+6",
        ] {
            #expect(Collage.told(word: word) == nil, "\(word)")
        }
        for layout in Collage.Layout.allCases {
            let told = try #require(Collage.told(word: Collage.word([5, 6], layout)))
            #expect(told.layout == layout && told.lengths == [5, 6])
        }
        #expect(Collage.told(word: Collage.word(Array(repeating: 1, count: 13))) == nil)
    }

    @Test func `says when a JPEG was taken, and nothing where its clock makes no sense`() throws {
        for (clock, taken) in [
            ("2019:12:31 23:59:59", Taken(exif: "2019:12:31 23:59:59", offset: nil)), ("2019:02:29 00:00:00", nil),
            ("0000:00:00 00:00:00", nil),
        ] {
            // A directory that names another, which has DateTimeOriginal.
            let exif =
                Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
                + [0, 1, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0] + Array(clock.utf8) + [0]
            let jpeg = withMetadata(Canvas(16, 16) { _, _ in 0 }.jpeg(), exif: exif)
            #expect(try Darkroom.develop([.whole(16)], of: jpeg).taken == taken, "\(clock)")
        }
        #expect(Taken(exif: "2024:05:01 12:34:56", offset: "-03:30")?.offsetMinutes == -210)
        #expect(Taken(line: "2024:05:01 12:34:56 -03:30")?.line == "2024:05:01 12:34:56 -03:30")
    }

    @Test func `refuses what is no picture, broken or a bomb, each with its sentence`() throws {
        func refusal(_ bytes: [UInt8], _ memory: Int = Darkroom.memoryBytesMax) -> PictureFailure? {
            #expect(throws: PictureFailure.self) {
                try Darkroom.develop([.whole(320)], of: bytes, memoryBytesMax: memory)
            }
        }
        #expect(refusal(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == .unknownFormat)
        #expect(refusal(Array("<!doctype html><script>1</script>".utf8)) == .unknownFormat)
        #expect(refusal([0xFF, 0xD8, 0xFF]) == .damaged)
        let canvas = Canvas(40, 40) { x, y in x * y }
        for bytes in [canvas.jpeg(), canvas.png, canvas.webp, Self.heic] {
            #expect(refusal(Array(bytes.dropLast(bytes.count / 3))) == .damaged)
        }
        func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        var png = canvas.png
        png.replaceSubrange(16..<24, with: big(50_000) + big(50_000))
        #expect(refusal(png) == .tooLarge)
        png.replaceSubrange(16..<24, with: big(8000) + big(8000))
        #expect(refusal(png) == .needsMemory(megapixelsMax: 16))
        var heic = Self.heic
        let sides = try #require(
            heic.indices.dropLast(4).first { heic[$0...].starts(with: Array("ispe".utf8)) })
        heic.replaceSubrange(sides + 8..<sides + 16, with: big(50_000) + big(50_000))
        #expect(refusal(heic) == .tooLarge)
        #expect(
            #expect(throws: PictureFailure.self) { try Darkroom.develop([.whole(320)]) { _ in nil } } == .unread)
    }

    @Test func `believes nothing that comes out of it`() throws {
        let jpeg = Canvas(20, 10) { _, _ in 0 }.jpeg()
        let plain = try Negative(jpeg).develop([.whole(20)])
        #expect(try Developed(told: plain.told, [.whole(20)]) == plain)
        let sheet = plain.sheets[0].jpeg
        let tagged = withMetadata(sheet, exif: exif(orientation: 1, isLittleEndian: true))
        for told in [
            [], Array("done".utf8), Array("done\n\n".utf8), Array("done\nsheet 5\n\n<svg>".utf8),
            Array("done\nsheet 9000000000000000000\n\n".utf8), Array("done\nsheet -1\n\n".utf8),
            Array("done\nsheet \(tagged.count)\n\n".utf8) + tagged, plain.told + [0], plain.told.dropLast(),
            Array("done\nshoot 1\n\n".utf8), Array("\n\n".utf8), Array(repeating: 0x0A, count: 4000),
        ] as [[UInt8]] {
            #expect(throws: PictureFailure.damaged, "\(String(decoding: told.prefix(40), as: UTF8.self))") {
                try Developed(told: told, [.whole(20)])
            }
        }
        // Larger than what was asked for.
        #expect(throws: PictureFailure.damaged) { try Developed(told: plain.told, [.whole(19)]) }
        #expect(throws: PictureFailure.needsMemory(megapixelsMax: 7)) {
            try Developed(told: Developed.told(.needsMemory(megapixelsMax: 7)), [.whole(20)])
        }
    }

    @Test func `has walls: no file, no network, no program, no memory beyond its own, no code that was written`() async
    {
        await #expect(processExitsWith: .exitCode(0)) {
            let tempted = [open("/etc/hostname", O_RDONLY), open("/tmp/kinwire-wall", O_CREAT | O_WRONLY, 0o600)]
            for descriptor in tempted { close(descriptor) }
            guard Walls.raise(memoryBytes: 1 << 30, outputBytes: 1 << 20) else { exit(1) }
            if open("/etc/hostname", O_RDONLY) >= 0 { exit(2) }
            if socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 { exit(3) }
            var process: pid_t = 0
            if posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil]) == 0 { exit(4) }
            if mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED {
                exit(5)
            }
            if let large = malloc(2 << 30) { free(large); exit(6) }
            if kill(getppid(), 0) == 0 { exit(7) }
            if write(2, "x", 1) >= 0 { exit(8) }
            if unlink("/tmp/kinwire-wall") == 0 { exit(9) }
            // Computing goes on, and so do threads.
            guard let room = malloc(1 << 20) else { exit(10) }
            free(room)
            exit(0)
        }
        unlink("/tmp/kinwire-wall")
    }

    @Test func `a program that crashes or takes too long ends its errand, and nothing else`() throws {
        let input = try MemoryFile()
        let output = try MemoryFile()
        try input.append(Array("kill -SEGV $$".utf8))
        let crashed = try Errand.run("/bin/sh", [], input: input, output: output, milliseconds: 10_000)
        #expect(crashed.ending == .crashed(SIGSEGV))
        let slow = try MemoryFile()
        try slow.append(Array("while :; do :; done".utf8))
        #expect(try Errand.run("/bin/sh", [], input: slow, output: output, milliseconds: 50).ending == .tooSlow)
        let said = try MemoryFile()
        try said.append(Array("echo $HOME$1; exit 3".utf8))
        let errand = try Errand.run("/bin/sh", ["-s", "x"], input: said, output: output, milliseconds: 10_000)
        #expect(errand.ending == .exited(3) && errand.microseconds >= 0)
        #expect(try output.read(max: 10) == Array("x\n".utf8) && output.read(max: 1) == nil)
    }
}
