internal import CDarkroom
internal import Glibc
import KinPicture

/// The program: reads a picture from its input, goes behind walls, opens it there, and writes prints to its output.
public enum Walls {
    /// Bytes of a picture that it reads.
    private static let inputBytesMax = 80 << 20

    /// Carries out what the arguments say: bytes that decoding may take; where it is a collage, its layout and how long
    /// each picture is; then the prints. The code to exit with.
    public static func run() -> Int32 {
        let arguments = Darkroom.arguments
        var words = arguments.dropFirst(2)
        let collage = words.first.flatMap { Collage.told(word: $0) }
        if collage != nil { words = words.dropFirst() }
        let prints = words.compactMap { Print(word: $0) }
        guard !prints.isEmpty, let memory = Int(arguments[1]), (1...(1 << 32)).contains(memory),
            prints.count == words.count, prints.count <= Darkroom.printsMax
        else { return 2 }
        write(developed(prints, memory, collage))
        return 0
    }

    private static func developed(
        _ prints: [Print], _ memory: Int, _ collage: (layout: Collage.Layout, lengths: [Int])?
    ) -> [UInt8] {
        do throws(PictureFailure) {
            guard let bytes = input() else { throw .unread }
            let most = UInt64(memory + 2 * bytes.count + Darkroom.ownBytes)
            guard let collage else {
                let negative = try Negative(bytes, memoryBytesMax: memory)
                try raiseOrRefuse(most)
                return try negative.develop(prints).told
            }
            let spread = try Spread(
                try pieces(bytes, collage.lengths), layout: collage.layout, memoryBytesMax: memory)
            try raiseOrRefuse(most)
            return try spread.develop(prints).told
        } catch { return Developed.told(error) }
    }

    private static func raiseOrRefuse(_ most: UInt64) throws(PictureFailure) {
        guard raise(memoryBytes: most, outputBytes: UInt64(Darkroom.outputBytesMax)) else { throw .unavailable }
    }

    /// The pictures that come one behind the other.
    private static func pieces(_ bytes: [UInt8], _ lengths: [Int]) throws(PictureFailure) -> [[UInt8]] {
        guard lengths.reduce(0, +) == bytes.count else { throw .unread }
        var (pieces, rest) = ([[UInt8]](), bytes[...])
        for length in lengths {
            pieces.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    /// From here on this process computes and writes to its output, and nothing else. Whether that is so.
    package static func raise(memoryBytes: UInt64, outputBytes: UInt64) -> Bool {
        kin_confine(memoryBytes, UInt32(Darkroom.secondsMax), outputBytes) == 0
    }

    private static func input() -> [UInt8]? {
        var found = stat()
        guard unsafe fstat(0, &found) == 0, found.st_size > 0, found.st_size <= inputBytesMax else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(found.st_size))
        var done = 0
        while done < bytes.count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(0, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            guard read > 0 else { return nil }
            done += read
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(1, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            guard written > 0 else { return }
            done += written
        }
    }
}
