import KinFuzz
import Testing

/// A bug that is planted in what a target watches ends the process, so the fuzzer keeps the input.
@Suite struct PlantedTests {
    @Test func `a request with the planted bug ends the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget.http.run([1] + Array("GET /a//b HTTP/1.1\r\nHost: a\r\n\r\n".utf8), planted: true)
        }
    }

    @Test func `without it the same request passes`() {
        FuzzTarget.http.run([1] + Array("GET /a//b HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    }

    @Test func `a vCard with the planted bug ends the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget(named: "vcard")?.run(Array("BEGIN:VCARD\nFN:planted\nEND:VCARD\n".utf8), planted: true)
        }
    }

    @Test func `an event with the planted bug ends the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget(named: "ical")?.run(
                Array("BEGIN:VEVENT\nDTSTART:20270301T100000Z\nSUMMARY:planted\nEND:VEVENT\n".utf8), planted: true)
        }
    }

    @Test func `a recipe and a menu with the planted bug end the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget(named: "recipe")?.run(Array(#"{"@type":"Recipe","name":"planted"}"#.utf8), planted: true)
        }
        await #expect(processExitsWith: .failure) {
            FuzzTarget(named: "menu")?.run(Array("2026-11-24;planted".utf8), planted: true)
        }
    }

    @Test func `a film and a document's name with the planted bug end the process`() async {
        await #expect(processExitsWith: .failure) {
            // Three seconds of pictures, of which there are none.
            let heading = box("mvhd", [UInt8](repeating: 0, count: 12), [0, 0, 0, 1, 0, 0, 0, 3])
            let track = box("trak", box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8), Array("vide".utf8))))
            FuzzTarget(named: "film")?.run(
                box("ftyp", Array("mp42".utf8)) + box("moov", heading, track), planted: true)
        }
        await #expect(processExitsWith: .failure) {
            FuzzTarget(named: "documentname")?.run(Array("../planted".utf8), planted: true)
        }
    }

    @Test func `a feed with the planted bug ends the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget(named: "feed")?.run(
                Array("<rss><channel><item><title>planted</title></item></channel></rss>".utf8), planted: true)
        }
    }

    @Test func `an answer and a redirect with the planted bug end the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget.answers.run([1] + Array("HTTP/1.1 299 Odd\r\nContent-Length: 0\r\n\r\n".utf8), planted: true)
        }
        await #expect(processExitsWith: .failure) {
            FuzzTarget.references.run(Array("https://a.example/\n//b.example/".utf8), planted: true)
        }
    }

    private static let form = Array("lat=50.1&lon=8.6&timestamp=1789999000&charge=true".utf8)
    private static let batch = Array(
        #"{"locations":[{"geometry":{"coordinates":[8.6,50.1]},"properties":{"timestamp":"2026-09-21T14:00:00Z","battery_level":1.5}}]}"#
            .utf8)

    private static let location = Array(
        #"{"_type":"location","lat":50.1,"lon":8.6,"tst":1790000000,"batt":101}"#.utf8)

    @Test func `a message, a form and a batch with the planted bug end the process`() async {
        await #expect(processExitsWith: .failure) { FuzzTarget.owntracks.run(Self.location, planted: true) }
        await #expect(processExitsWith: .failure) { FuzzTarget.osmand.run(Self.form, planted: true) }
        await #expect(processExitsWith: .failure) { FuzzTarget.overland.run(Self.batch, planted: true) }
    }

    private static let asked = [0] + Array("<propfind xmlns=\"DAV:\"><prop><displayname/></prop></propfind>".utf8)
    private static let published = Array("Title: Washer\n\nDone".utf8)

    @Test func `XML, a calendar app and a script with the planted bug end the process`() async {
        await #expect(processExitsWith: .failure) { FuzzTarget.xml.run(Array("<planted/>".utf8), planted: true) }
        await #expect(processExitsWith: .failure) { FuzzTarget.dav.run(Self.asked, planted: true) }
        await #expect(processExitsWith: .failure) { FuzzTarget.publish.run(Self.published, planted: true) }
        await #expect(processExitsWith: .success) {
            FuzzTarget.xml.run(Array("<planted/>".utf8))
            FuzzTarget.dav.run(Self.asked)
            FuzzTarget.publish.run(Self.published)
        }
    }

    private static let range = Array("Range: bytes=1-2".utf8)
    private static let part = Array("Upload-Complete: ?0\n\nhalf".utf8)

    private static let knock = [0] + Array("DELETE /healthz".utf8)

    @Test func `a request at a door with the planted bug ends the process`() async {
        await #expect(processExitsWith: .failure) { FuzzTarget.doors.run(Self.knock, planted: true) }
        await #expect(processExitsWith: .success) { FuzzTarget.doors.run(Self.knock) }
    }

    @Test func `a range and a part of a file with the planted bug end the process`() async {
        await #expect(processExitsWith: .failure) { FuzzTarget.downloads.run(Self.range, planted: true) }
        await #expect(processExitsWith: .failure) { FuzzTarget.uploads.run(Self.part, planted: true) }
        await #expect(processExitsWith: .success) {
            FuzzTarget.downloads.run(Self.range)
            FuzzTarget.uploads.run(Self.part)
        }
    }

    @Test func `without it the same message, form and batch pass`() async {
        // In a process of their own: targets share a family, and tests run side by side.
        await #expect(processExitsWith: .success) {
            FuzzTarget.owntracks.run(Self.location)
            FuzzTarget.osmand.run(Self.form)
            FuzzTarget.overland.run(Self.batch)
        }
    }
}

/// A box of a film, of less than 256 bytes.
private func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap(\.self)
    return [0, 0, 0, UInt8(content.count + 8)] + Array(type.utf8) + content
}
