import Foundation
import KinCodec
import Testing

/// Archives that others read: names of every kind, and files of every length.
@Suite struct UstarTests {
    @Test func `tar lists and extracts what was written`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kinwire-ustar-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = [
            "a.jpg", "2026-05-01 12.30.05 Grüße aus Köln 🦊.jpg", String(repeating: "long name ", count: 15) + ".jpg",
            String(repeating: "ü", count: 45) + ".jpg",
        ]
        let lengths = [0, 511, 512, 70_000]
        var archive: [UInt8] = []
        for (name, length) in zip(names, lengths) {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            archive += Ustar.header(name, bytes: length, seconds: 1_777_000_000) + bytes + Ustar.filling(length)
        }
        archive += Ustar.end
        #expect(archive.count % Ustar.blockBytes == 0)
        let file = folder.appending(path: "all.tar")
        try Data(archive).write(to: file)
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/bin/tar")
        tar.arguments = ["-xf", file.path, "-C", folder.path]
        tar.environment = ["LC_ALL": "C.UTF-8", "TZ": "UTC"]
        try tar.run()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        for (name, length) in zip(names, lengths) {
            let read = try Data(contentsOf: folder.appending(path: name))
            #expect(Array(read) == (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }, "\(name)")
            let said = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            #expect(said[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_777_000_000))
        }
    }
}
