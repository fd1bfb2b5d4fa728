import Foundation
import Testing

@testable import kin

/// A file of vCards is cut into batches, however long it is and whatever it holds.
@Suite struct VCardBatchTests {
    /// All batches of a file that is read in pieces of so many bytes.
    private func batches(_ file: [UInt8], pieces: Int = 64 << 10) -> [[UInt8]] {
        var batches = VCardBatches()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: file.count, by: pieces) {
            batches.take(file[start..<min(start + pieces, file.count)])
            found += batches.takeBatches()
        }
        batches.finish()
        return found + batches.takeBatches()
    }

    private func entry(_ name: String, _ more: String = "") -> [UInt8] {
        Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\n\(more)END:VCARD\r\n".utf8)
    }

    private func count(_ text: String, in bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: text).count - 1
    }

    @Test func `fifty megabytes with a picture in each entry are batches of whole entries without any`() {
        let line = Array((" " + String(repeating: "QUJD", count: 18) + "\r\n").utf8)
        let picture = Array("PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n".utf8) + (0..<7000).flatMap { _ in line }
        var cut = VCardBatches()
        var (bytes, entries, sent) = (0, 0, [UInt8]())
        while bytes < 50 << 20 {
            let whole = Array(entry("P\(entries)").dropLast(11)) + picture + Array("END:VCARD\r\n".utf8)
            cut.take(whole[...])
            bytes += whole.count
            entries += 1
            for batch in cut.takeBatches() {
                #expect(batch.count <= VCardBatches.bytesMax + VCardBatches.entryBytesMax)
                sent += batch
            }
        }
        cut.finish()
        sent += cut.takeBatches().flatMap(\.self)
        #expect(count("BEGIN:VCARD", in: sent) == entries && count("END:VCARD", in: sent) == entries)
        // What is left out is said to have been there.
        #expect(count("PHOTO:\n", in: sent) == entries)
        #expect(sent.count < entries * 100)
    }

    @Test func `a picture without folds or end, of a line longer than any, is passed over`() {
        let bomb = entry("before") + Array("BEGIN:VCARD\r\nPHOTO;ENCODING=b:".utf8)
        let found = batches(
            bomb + [UInt8](repeating: 0x41, count: 3 << 20) + Array("\r\nEND:VCARD\r\n".utf8) + entry("after"))
        #expect(found.count == 1)
        #expect(count("BEGIN:VCARD", in: found[0]) == 3 && count("FN:after", in: found[0]) == 1)
        #expect(found[0].count < 300)
    }

    @Test func `an entry that never ends is cut, and the next one is whole`() {
        let endless = Array("BEGIN:VCARD\r\n".utf8) + (0..<40_000).flatMap { _ in Array("NOTE:lorem ipsum\r\n".utf8) }
        let found = batches(endless + entry("after")).flatMap(\.self)
        #expect(found.count < 2 * VCardBatches.entryBytesMax)
        #expect(found.suffix(entry("after").count) == entry("after")[...])
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000]) func `where a file is cut while it is read changes nothing`(pieces: Int) {
        let file =
            entry("M\u{FC}ller") + [0x46, 0x4E, 0x3A, 0xFC, 0x0A] + entry("a", "item1.PHOTO:x\r\n y\r\nTEL:1\r\n")
            + Array("begin:vcard\nFN:b\nend:vcard".utf8)
        #expect(batches(file, pieces: pieces) == batches(file))
        let whole = batches(file).flatMap(\.self)
        #expect(count("TEL:1", in: whole) == 1 && count(" y", in: whole) == 0 && count("FN:b", in: whole) == 1)
        // Latin-1 goes as it came: the daemon recognises it.
        #expect(whole.contains(0xFC))
    }

    @Test(arguments: [1, 5, 64 << 10]) func `lines that end with CR alone are lines, and none is lost`(pieces: Int) {
        let file = (0..<450).flatMap { entry("E\($0)", "PHOTO;ENCODING=b:QUJD\r\n QUJD\r\n") }
        let found = batches(file.filter { $0 != 0x0A }, pieces: pieces)
        #expect(found.map { count("BEGIN:VCARD", in: $0) } == [200, 200, 50])
        #expect(count("FN:E", in: found.flatMap(\.self)) == 450 && count("QUJD", in: found.flatMap(\.self)) == 0)
    }

    @Test func `a card within a card is no entry of a batch, and no batch ends in it`() {
        let agent = "AGENT:\r\nBEGIN:VCARD\r\nFN:agent\r\nEND:VCARD\r\nTEL:1\r\n"
        let found = batches((0..<201).flatMap { entry("E\($0)", agent) })
        #expect(found.map { count("FN:E", in: $0) } == [200, 1])
        #expect(found.map { count("TEL:1", in: $0) } == [200, 1])
        // A card without an end hides none behind it.
        let lost = Array("BEGIN:VCARD\r\nAGENT;VALUE=uri:CID:x\r\nTEL:1\r\n".utf8)
        #expect(batches(lost + (0..<200).flatMap { entry("E\($0)") }).map { count("FN:E", in: $0) } == [200])
    }

    @Test func `a batch has as many entries as one request may`() {
        let found = batches((0..<450).flatMap { entry("E\($0)") })
        #expect(found.map { count("BEGIN:VCARD", in: $0) } == [200, 200, 50])
        #expect(batches(Array("\r\n \r\n".utf8)).isEmpty && batches([]).isEmpty)
    }
}
