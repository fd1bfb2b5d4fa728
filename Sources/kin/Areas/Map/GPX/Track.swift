import Glibc
import KinModel

/// A recorded track: its points with times, in the order of time.
struct Track: Equatable {
    /// At least one; each has a time.
    let points: [TrackPoint]
    /// The number of points in the file that were left out, because they have no time or place.
    let leftOut: Int

    init(_ points: [TrackPoint], unusable: Int) throws(Problem) {
        let timed = points.filter { $0.at != nil }
        guard !timed.isEmpty else {
            throw .failed(
                points.isEmpty
                    ? phrase("import.empty")
                    : phrase("import.timeless", ["n": points.count]))
        }
        self.points = timed.enumerated().sorted { left, right in
            (left.element.at ?? .earliest, left.offset) < (right.element.at ?? .earliest, right.offset)
        }.map(\.element)
        leftOut = points.count - timed.count + unusable
    }

    /// Reads a file piece by piece.
    init(path: String) throws(Problem) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .failed(phrase("file.unreadable", ["path": path, "reason": Problem.reason(errno)]))
        }
        defer { close(descriptor) }
        let reader = try TrackReader()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .failed(phrase("file.unreadable", ["path": path, "reason": Problem.reason(errno)]))
            }
            try reader.take(Array(buffer[..<count]), isLast: count == 0)
            if count == 0 { break }
        }
        try self.init(reader.points, unusable: reader.unusable)
    }

    var start: Instant { points.first?.at ?? .earliest }
    var end: Instant { points.last?.at ?? .earliest }
    /// Milliseconds from the first point to the last.
    var duration: Int64 { end.milliseconds(since: start) }
}
