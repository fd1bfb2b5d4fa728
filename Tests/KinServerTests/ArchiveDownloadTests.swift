import KinCodec
import KinKeeper
import KinModel
import KinPictures
import KinStore
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// Pictures as one archive over HTTP: made while it is sent.
@Suite struct ArchiveDownloadTests {
    /// The files of an archive, by their names; a name in an extended header of pax counts.
    private func files(_ bytes: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
        var (at, all, long) = (0, [(name: String, bytes: [UInt8])](), String?.none)
        func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[(at + range.lowerBound)..<(at + range.upperBound)].prefix { $0 != 0 }, as: UTF8.self)
        }
        while at + Ustar.blockBytes <= bytes.count, bytes[at] != 0 {
            let length = try #require(Int(text(124..<135), radix: 8))
            let content = Array(bytes[(at + Ustar.blockBytes)..<(at + Ustar.blockBytes + length)])
            if bytes[at + 156] == UInt8(ascii: "x") {
                long = String(decoding: content, as: UTF8.self).split(separator: "path=").last.map {
                    String($0.dropLast())
                }
            } else {
                all.append((long ?? text(0..<100), content))
                long = nil
            }
            at += Ustar.blockBytes + length + Ustar.filling(length).count
        }
        #expect(Array(bytes[at...]) == Ustar.end)
        return all
    }

    @Test func `the archive is whole, in pieces, and holds what its reader sees`() throws {
        let box = try Box.family()
        let hal = try box.line("hal")
        defer { hal.leave() }
        let count = Limits.picturesPerPiece * 2 + 3
        for number in 0..<count {
            _ = try hal.result(
                "picture.add",
                [
                    "picture": PicturesLife.picture("number \(number)"), "audience": "everyone",
                    "caption": .string("Grüße \(number)"),
                ])
        }
        _ = try hal.result("picture.add", ["picture": PicturesLife.picture("for nobody else")])
        func archive(_ name: String, _ query: String = "") throws -> BoxResponse {
            let client = box.connect()
            defer { client.leave() }
            return try client.ask(
                "GET /api/pictures-archive\(query)", ["Authorization: Bearer \(try box.person(name).token)"])
        }
        let answer = try archive("ben")
        #expect(answer.status == 200 && answer["Content-Type"] == "application/x-tar")
        #expect(answer["Content-Disposition"]?.contains("pictures.tar") == true && answer["ETag"] == nil)
        #expect(answer["Cache-Control"] == "no-store" && answer["Content-Length"] == nil)
        let read = try files(answer.body)
        #expect(read.count == count && Set(read.map(\.name)).count == count)
        #expect(read.allSatisfy { $0.name.contains("Grüße") && $0.name.hasSuffix(".jpg") && !$0.bytes.isEmpty })
        #expect(Set(read.map { String(decoding: $0.bytes, as: UTF8.self) }).count == count)
        #expect(try files(try archive("hal").body).count == count + 1)
        #expect(try files(try archive("ben", "?album=None").body).isEmpty)
        // The same as ZIP: the names stand in front of the bytes and again at the end.
        let zip = try archive("ben", "?format=zip")
        #expect(zip.status == 200 && zip["Content-Type"] == "application/zip")
        #expect(zip["Content-Disposition"]?.contains("pictures.zip") == true)
        for file in read {
            #expect(zip.body.ranges(of: Array(file.name.utf8)).count == 2 && zip.body.contains(file.bytes))
        }
        #expect(zip.body.suffix(22).starts(with: [0x50, 0x4B, 5, 6, 0, 0, 0, 0, UInt8(count), 0]))
        #expect(try archive("ben", "?format=rar").status == 422)
        let client = box.connect()
        defer { client.leave() }
        #expect(try client.ask("GET /api/pictures-archive").status == 401)
    }

    @Test func `a file that is gone by its turn is left out`() throws {
        let box = try Box.family()
        let hal = try box.line("hal")
        defer { hal.leave() }
        for number in 0..<3 {
            _ = try hal.result("picture.add", ["picture": PicturesLife.picture("number \(number)")])
        }
        let blobs = try box.keeper.store.blobs.all()
        try box.keeper.store.blobs.remove(try #require(blobs.first))
        let client = box.connect()
        defer { client.leave() }
        let answer = try client.ask(
            "GET /api/pictures-archive", ["Authorization: Bearer \(try box.person("hal").token)"])
        #expect(try (2...3).contains(files(answer.body).count))
    }
}
