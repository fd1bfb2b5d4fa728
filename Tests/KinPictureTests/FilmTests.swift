import Testing

@testable import KinPicture

/// A film keeps its pictures and its sound, byte for byte, and loses what tells where and with what it was made.
@Suite struct `A film` {
    private func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A box (ISO/IEC 14496-12, 4.2).
    private func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let all = content.flatMap(\.self)
        return number(all.count + 8, 4) + Array(type.utf8) + all
    }

    private func head(_ brand: String) -> [UInt8] { box("ftyp", Array(brand.utf8), number(0, 4), Array("isom".utf8)) }

    /// 8.2.2, with a time in seconds since 1904, a scale and a length in it.
    private func heading(made: Int, scale: Int, length: Int) -> [UInt8] {
        box("mvhd", number(0, 4), number(made, 4), number(made, 4), number(scale, 4), number(length, 4), number(0, 80))
    }

    /// A track whose samples lie in chunks, two samples each.
    private func track(_ handler: String, chunks: [Int], sizes: [Int], _ more: [UInt8] = []) -> [UInt8] {
        box(
            "trak", box("tkhd", number(0, 84)), more,
            box(
                "mdia", box("mdhd", number(0, 24)),
                box("hdlr", number(0, 8), Array(handler.utf8), number(0, 12)),
                box(
                    "minf", box("nmhd", number(0, 4)),
                    box(
                        "stbl", box("stsd", number(0, 8)),
                        box("stsc", number(0, 4), number(1, 4), number(1, 4), number(2, 4), number(1, 4)),
                        box("stsz", number(0, 8), number(sizes.count, 4), sizes.flatMap { number($0, 4) }),
                        box("stco", number(0, 4), number(chunks.count, 4), chunks.flatMap { number($0, 4) })))))
    }

    private let place = Array("+48.1370+011.5750/".utf8)

    /// What a phone makes: pictures, sound, and where it was for each second.
    private func phone(_ brand: String = "qt  ", tail: [UInt8] = []) -> [UInt8] {
        let start = head(brand).count + 8
        let data = Array("PICTURESSOUND".utf8) + place + Array("MORE".utf8) + place
        let udta = box("udta", box("\u{A9}xyz", number(18, 2), number(0, 2), place))
        let keys = box("meta", box("keys", Array("com.apple.quicktime.location.ISO6709".utf8)), box("ilst", place))
        return head(brand) + box("mdat", data)
            + box(
                "moov", heading(made: 2_082_844_800 + 1_714_566_896, scale: 600, length: 1501),
                track("vide", chunks: [start], sizes: [4, 4], udta), track("soun", chunks: [start + 8], sizes: [5]),
                track("meta", chunks: [start + 13, start + 35], sizes: [9, 9, 10, 8]), udta, keys)
            + box("uuid", place) + tail
    }

    private func holds(_ bytes: [UInt8], _ text: [UInt8]) -> Bool { bytes.firstRange(of: text) != nil }

    @Test(arguments: [("qt  ", Film.Format.quickTime), ("mp42", .mp4), ("3gp5", .mobile)])
    func `loses every place, in its boxes and in its tracks, and nothing moves`(
        brand: String, format: Film.Format
    ) throws {
        let sent = phone(brand)
        var film = FilmBytes(sent)
        #expect(try Film.clean(&film) == Film(format: format, seconds: 3, made: 1_714_566_896))
        #expect(holds(sent, place) && !holds(film.bytes, place))
        #expect(!holds(film.bytes, Array("apple".utf8)) && !holds(film.bytes, Array("xyz".utf8)))
        #expect(film.bytes.count == sent.count && holds(film.bytes, Array("PICTURESSOUND".utf8)))
        #expect(holds(film.bytes, Array("MORE".utf8)), "what lies between samples stays")
        // Nothing that a player reads has changed.
        let start = try #require(sent.firstRange(of: Array("vide".utf8))).lowerBound
        #expect(Array(film.bytes[start..<start + 100]) == Array(sent[start..<start + 100]))
        var again = film
        _ = try Film.clean(&again)
        #expect(again.bytes == film.bytes)
    }

    /// The longer form of the heading has eight bytes for each moment, in which any number may stand.
    @Test(arguments: [Int.min, Int.min + 1, -1, Int.max, 0, 2_082_844_800 + 1_714_566_896])
    func `says when it was made, whatever stands there`(made: Int) throws {
        for (scale, length) in [(600, 1501), (0, Int.min), (-1, Int.max), (1, -1)] {
            let heading = box(
                "mvhd", [1, 0, 0, 0], number(made, 8), number(made, 8), number(scale, 4), number(length, 8),
                number(0, 80))
            var film = FilmBytes(head("mp42") + box("moov", heading, track("vide", chunks: [], sizes: [])))
            let found = try Film.clean(&film)
            #expect(found.made == (made == 2_082_844_800 + 1_714_566_896 ? 1_714_566_896 : nil))
            #expect(found.seconds == (scale == 600 ? 3 : nil))
        }
    }

    @Test func `may be in fragments, and without a heading of its kind`() throws {
        let part = box("traf", box("tfhd", number(0, 8)), box("udta", place))
        let fragment = box("moof", box("mfhd", number(0, 8)), part)
        var film = FilmBytes(
            head("iso5") + box("moov", heading(made: 0, scale: 1000, length: 0), track("vide", chunks: [], sizes: []))
                + fragment + box("mdat", place))
        #expect(try Film.clean(&film) == Film(format: .mp4, seconds: nil, made: nil))
        // Its data are pictures, whatever they look like.
        #expect(film.bytes.suffix(18) == place[...] && film.bytes.ranges(of: place).count == 1)
        var old = FilmBytes(box("wide") + Array(phone().dropFirst(head("qt  ").count)))
        #expect(throws: PictureFailure.damaged) { try Film.clean(&old) }
        var bare = FilmBytes(
            box("moov", heading(made: 0, scale: 1, length: 2), track("vide", chunks: [], sizes: [])) + box("mdat", [1]))
        #expect(try Film.clean(&bare).format == .quickTime)
    }

    @Test func `that is none is refused, and one that is cut off anywhere is told from one that is whole`() throws {
        for bytes: [UInt8] in [
            [], Array("<html>".utf8), head("heic") + box("moov"), head("mp42"), head("mp42") + box("mdat", [1]),
            head("mp42") + box("moov", track("soun", chunks: [], sizes: [])),
            head("qt  ") + box("moov", box("cmov", place), track("vide", chunks: [], sizes: [])),
        ] {
            var film = FilmBytes(bytes)
            #expect(throws: PictureFailure.unknownFilm) { try Film.clean(&film) }
            #expect(film.bytes == bytes, "what is refused is not touched")
        }
        let whole = phone()
        let ends = [whole.count - 26, whole.count]
        for end in 12..<whole.count where !ends.contains(end) {
            var film = FilmBytes(Array(whole[..<end]))
            if let made = try? Film.clean(&film) {
                // Cut within what is too short for a box, behind the last.
                #expect(end > whole.count - 26 && made.seconds == 3, "\(end)")
            }
        }
    }

    @Test func `whose tables lie is refused in little time`() throws {
        let start = head("mp42").count + 8
        func film(_ track: [UInt8]) -> FilmBytes {
            FilmBytes(
                head("mp42") + box("mdat", place) + box("moov", self.track("vide", chunks: [], sizes: []), track))
        }
        // Samples in the heading, behind the end, and the same ones again and again.
        for track in [
            track("meta", chunks: [4], sizes: [8]), track("meta", chunks: [1 << 30], sizes: [8]),
            track("meta", chunks: [start], sizes: [0xFFFF_FFFF]),
            track("meta", chunks: [Int](repeating: start, count: 5000), sizes: [Int](repeating: 9, count: 10_000)),
        ] {
            var hostile = film(track)
            let before = hostile.bytes
            #expect(throws: PictureFailure.damaged) { try Film.clean(&hostile) }
            #expect(hostile.bytes == before)
        }
        var endless = FilmBytes(head("mp42") + number(1, 4) + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8))
        #expect(throws: PictureFailure.damaged) { try Film.clean(&endless) }
    }
}
