import KinLoop

/// The process in which pictures are opened: `kinwire-darkroom`, started for each. Decoders have a long list of holes, so
/// it has no files, no network and no rights, bounded memory and time, and what comes out of it is believed no more than
/// what went in: a file that takes it over has taken over a calculator.
public enum Darkroom {
    /// Seconds of a processor that one picture may take; after twice as many by the clock it is ended.
    package static let secondsMax: Int32 = 20
    /// Bytes of address space that the program needs besides the picture: its libraries, the stacks of threads.
    package static let ownBytes = 384 << 20
    /// Bytes that come out at most.
    package static let outputBytesMax = 24 << 20
    /// Prints of one picture.
    package static let printsMax = 4
    /// Its own name.
    package static let name = "kinwire-darkroom"

    /// What the program was called with.
    package static var arguments: [String] { Machine.arguments }

    /// Bytes that decoding a picture may take at once, unless the caller says otherwise: a PNG of 15 megapixels, a
    /// progressive JPEG of 44.
    public static let memoryBytesMax = 128 << 20

    /// The way to the program: beside this one, or where packages put it. It is looked for each time, because an admin
    /// may put it there while the daemon runs.
    public static var program: String? { Machine.program.flatMap { places(around: $0).first { Files.exists($0) } } }

    /// What is so where the program is missing, and what to do, for whoever runs the daemon; `nil` where it is there.
    public static var missing: String? { Machine.program.flatMap { missing(around: $0) } }

    /// The same, given where the daemon's own file lies.
    static func missing(around own: String) -> String? {
        let places = places(around: own)
        guard let beside = places.first, let installed = places.last, !places.contains(where: { Files.exists($0) })
        else { return nil }
        // A daemon in a folder of programs was installed, and this one then belongs among the libraries.
        let path = own.hasSuffix("/bin/kinwired") ? installed : beside
        return "The program \(name) is missing at \(path), so pictures can't be taken. Install it there."
    }

    /// The places where it is looked for, in order.
    private static func places(around own: String) -> [String] {
        guard let slash = own.lastIndex(of: "/") else { return [] }
        let folder = own[..<slash]
        let above = folder.lastIndex(of: "/").map { folder[..<$0] } ?? folder
        return ["\(folder)/\(name)", "\(above)/lib/kinwire/\(name)"]
    }

    /// Opens a picture that is read piece by piece, and makes prints of it. `piece` answers the bytes from an offset on,
    /// none at the end, and `nil` where they cannot be read.
    ///
    /// Waits until it is done: call it on a worker, one at a time. `cost` is told the microseconds of a processor that it
    /// took.
    public static func develop(
        _ prints: [Print], memoryBytesMax: Int = memoryBytesMax, cost: (Int64) -> Void = { _ in },
        piece: (_ offset: Int) -> [UInt8]?
    ) throws(PictureFailure) -> Developed {
        guard let input = try? MemoryFile() else { throw .unavailable }
        var offset = 0
        while true {
            guard let bytes = piece(offset) else { throw .unread }
            if bytes.isEmpty { break }
            do throws(LoopFailure) { try input.append(bytes) } catch { throw .unavailable }
            offset += bytes.count
        }
        return try run([], prints, of: input, memoryBytesMax, cost)
    }

    /// Opens pictures that stand beside each other on one sheet from then on (``Collage``), and makes prints of that.
    public static func collage(
        _ prints: [Print], of pictures: [[UInt8]], layout: Collage.Layout = .mosaic,
        memoryBytesMax: Int = memoryBytesMax
    ) throws(PictureFailure) -> Developed {
        guard let input = try? MemoryFile() else { throw .unavailable }
        for picture in pictures {
            do throws(LoopFailure) { try input.append(picture) } catch { throw .unavailable }
        }
        return try run([Collage.word(pictures.map(\.count), layout)], prints, of: input, memoryBytesMax) { _ in }
    }

    private static func run(
        _ words: [String], _ prints: [Print], of input: borrowing MemoryFile, _ memoryBytesMax: Int,
        _ cost: (Int64) -> Void
    ) throws(PictureFailure) -> Developed {
        precondition((1...printsMax).contains(prints.count), "a picture is printed once to \(printsMax) times")
        guard let program, let output = try? MemoryFile() else { throw .unavailable }
        let errand: Errand
        do throws(LoopFailure) {
            errand = try Errand.run(
                program, [String(memoryBytesMax)] + words + prints.map(\.word), input: input, output: output,
                milliseconds: secondsMax * 2000)
        } catch { throw .unavailable }
        cost(errand.microseconds)
        switch errand.ending {
        // SIGXCPU, and the SIGKILL behind it.
        case .tooSlow, .crashed(24), .crashed(9): throw .tooSlow
        case .crashed: throw .damaged
        case .exited: break
        }
        guard let told = (try? output.read(max: outputBytesMax)) ?? nil else { throw .damaged }
        return try Developed(told: told, prints)
    }

    /// The same with bytes that are here.
    public static func develop(
        _ prints: [Print], of bytes: [UInt8], memoryBytesMax: Int = memoryBytesMax
    ) throws(PictureFailure) -> Developed {
        try develop(prints, memoryBytesMax: memoryBytesMax) { offset in offset == 0 ? bytes : [] }
    }
}
