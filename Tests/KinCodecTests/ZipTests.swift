import Foundation
import KinCodec
import Testing

/// ZIP files that others read: names of every kind, files of every length, and what has no room in 32 bits.
@Suite struct ZipTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kinwire-zip-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// What another program says of a file.
    private func said(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["LC_ALL=C.UTF-8", "TZ=UTC", program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let said = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(program)")
        return String(decoding: said, as: UTF8.self)
    }

    private static let list = """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1]) as file:
            assert "bytes" not in sys.argv or file.testzip() is None
            for one in file.infolist():
                print(one.filename, one.file_size, one.header_offset, "%d-%02d-%02d %02d:%02d:%02d" % one.date_time,
                    oct(one.external_attr >> 16), sep="|")
        """

    @Test func `Python and unzip list and extract what was written`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = [
            "a.jpg", "2026-05-01 12.30.05 Grüße aus Köln 🦊.jpg", String(repeating: "long name ", count: 20) + ".jpg",
        ]
        let lengths = [0, 511, 70_000]
        var (zip, archive, starts) = (Zip(), [UInt8](), [Int]())
        for (name, length) in zip2(names, lengths) {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let parts = (Array(bytes.prefix(100)), Array(bytes.dropFirst(100)))
            let checksum = Zip.checksum(parts.1, after: Zip.checksum(parts.0))
            #expect(checksum == Zip.checksum(bytes))
            starts.append(archive.count)
            archive += zip.header(
                name, bytes: UInt64(length), checksum: checksum, seconds: 1_777_000_001, ahead: 7200)
            archive += bytes
        }
        archive += zip.end()
        let file = folder.appending(path: "all.zip").path
        try Data(archive).write(to: URL(fileURLWithPath: file))
        // 24 April 2026, 03:06:41 in UTC.
        let wanted = zip2(zip2(names, lengths), starts).map { "\($0.0)|\($0.1)|\($1)|2026-04-24 05:06:40|0o100600" }
        #expect(
            try said("python3", ["-c", Self.list, file, "bytes"]).split(separator: "\n").map(String.init) == wanted)
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip") else { return }
        _ = try said("unzip", ["-tq", file])
        _ = try said("unzip", ["-q", file, "-d", folder.path])
        for (name, length) in zip2(names, lengths) {
            let path = folder.appending(path: name)
            #expect(Array(try Data(contentsOf: path)) == (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let date = try FileManager.default.attributesOfItem(atPath: path.path)[.modificationDate] as? Date
            #expect(date == Date(timeIntervalSince1970: 1_777_000_001), "its moment, whatever the zone")
        }
    }

    private func zip2<A, B>(_ first: [A], _ second: [B]) -> [(A, B)] { Array(Swift.zip(first, second)) }

    @Test func `an archive of no files is one`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "none.zip").path
        try Data(Zip().end()).write(to: URL(fileURLWithPath: file))
        #expect(try said("python3", ["-c", Self.list, file, "bytes"]).isEmpty)
    }

    @Test func `what has no room in 32 bits stands in the fields of Zip64`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // The lengths at the border, and a file behind 4 GiB. The file on the disk has holes in the place of bytes.
        let lengths: [UInt64] = [5, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 33, 7]
        let path = folder.appending(path: "large.zip")
        #expect(FileManager.default.createFile(atPath: path.path, contents: nil))
        let file = try FileHandle(forWritingTo: path)
        var (zip, at, starts) = (Zip(), UInt64(0), [UInt64]())
        for (index, length) in lengths.enumerated() {
            starts.append(at)
            let header = zip.header("\(index).jpg", bytes: length, checksum: 0, seconds: 0)
            // Zip64 in front of a file only where its length needs it.
            #expect(header[4] == (length >= 0xFFFF_FFFF ? 45 : 20), "\(length)")
            #expect(header.count == 30 + 5 + 9 + (length >= 0xFFFF_FFFF ? 20 : 0))
            try file.seek(toOffset: at)
            try file.write(contentsOf: Data(header))
            at += UInt64(header.count) + length
        }
        try file.seek(toOffset: at)
        try file.write(contentsOf: Data(zip.end()))
        try file.close()
        // 1970 is before the format's time.
        let wanted = zip2(lengths, starts).enumerated().map { "\($0).jpg|\($1.0)|\($1.1)|1980-01-01 00:00:00|0o100600" }
        #expect(try said("python3", ["-c", Self.list, path.path]).split(separator: "\n").map(String.init) == wanted)
    }

    @Test func `more files than 16 bits count are all there`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (count, path) = (65_536, folder.appending(path: "many.zip"))
        var (zip, bytes) = (Zip(), [UInt8]())
        for number in 0..<count { bytes += zip.header("\(number)", bytes: 0, checksum: 0, seconds: 0) }
        try Data(bytes + zip.end()).write(to: path)
        let script = "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))"
        #expect(try said("python3", ["-c", script, path.path]) == "\(count)\n")
    }

    @Test func `a moment that MS-DOS does not know is the nearest that it knows`() throws {
        for (seconds, date) in [
            (-1, [0, 0, 0x21, 0]), (951_782_400, [0, 0, 0x5D, 0x28]), (1 << 40, [0x7D, 0xBF, 0x9F, 0xFF]),
        ]
            as [(Int64, [UInt8])]
        {
            var zip = Zip()
            let header = zip.header("a", bytes: 0, checksum: 0, seconds: seconds)
            #expect(Array(header[10..<14]) == date, "\(seconds)")
        }
    }
}
