/// Goes through the boxes of a film (ISO/IEC 14496-12, 4.2), and blanks those that no player needs.
struct FilmCleaner {
    /// Boxes in one film: ten hours in fragments of a second have 200,000.
    private static let boxesMax = 1_000_000
    /// Bytes of one table of a track's samples, and samples of one track.
    private static let tableBytesMax = 32 << 20
    private static let samplesMax = 8_000_000
    /// Pieces of data in a film one of whose tracks goes.
    private static let pieceCountMax = 64
    private static let pieceBytes = 1 << 20

    /// What stands in the film itself, in its heading, and in a track. Whatever else there is, is blanked.
    private static let outer: Set<String> = [
        "ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "prft", "pdin",
    ]
    private static let heading: Set<String> = ["mvhd", "iods", "trak", "mvex", "pssh", "ctab"]
    private static let track: Set<String> = ["tkhd", "tref", "edts", "mdia", "clip", "matt", "load", "tapt"]
    private static let media: Set<String> = ["mdhd", "hdlr", "minf", "elng"]
    private static let within: Set<String> = ["vmhd", "smhd", "gmhd", "nmhd", "hdlr", "dinf", "stbl"]
    /// What may hang anywhere.
    private static let told: Set<String> = ["udta", "meta", "uuid", "free", "skip", "wide"]
    /// Tracks that stay: picture, its transparency, sound, and the frames' numbers.
    private static let handlers: Set<String> = ["vide", "auxv", "soun", "tmcd"]

    /// A box, from its head on.
    private struct Box {
        let type: String
        let start: Int
        let content: Range<Int>
    }

    private var boxes = 0
    /// Bytes that are still to be blanked: first all is read, so that no box of a hostile file is read after it changed.
    private var hidden: [Range<Int>] = []
    /// Places of types that are to be `free`.
    private var freed: [Int] = []
    /// Where the data lie, and those of tracks that go.
    private var data: [Range<Int>] = []
    private var samples: [Range<Int>] = []

    static func clean(_ content: inout some FilmContent) throws(PictureFailure) -> Film {
        var cleaner = FilmCleaner()
        let film = try cleaner.look(at: content)
        try cleaner.blank(&content)
        return film
    }

    // MARK: Looking

    private mutating func look(at content: some FilmContent) throws(PictureFailure) -> Film {
        let head = ByteReader(content.bytesAt(0, 12)[...])
        let isBare = ["moov", "mdat", "wide", "free", "skip", "pnot"].contains { head.holds($0, at: 4) }
        guard isBare || head.holds("ftyp", at: 4) else { throw .unknownFilm }
        let format: Film.Format
        switch String(decoding: head.part(8, 4), as: UTF8.self) {
        case _ where isBare, "qt  ": format = .quickTime
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ", "jp2 ", "jpx ":
            throw .unknownFilm
        case let brand where brand.hasPrefix("3g"): format = .mobile
        default: format = .mp4
        }
        var times: (made: Int64?, seconds: Int?)?
        var (hasPicture, isFragmented, hasOther) = (false, false, false)
        for box in try inside(0..<content.count, content) {
            guard Self.outer.contains(box.type) else {
                hide(box)
                continue
            }
            switch box.type {
            case "mdat": data.append(box.content)
            case "moov":
                // A heading that is packed cannot be looked through.
                for part in try inside(box.content, content) {
                    switch part.type {
                    case "cmov": throw .unknownFilm
                    case "mvhd": times = try Self.times(of: part, content)
                    case "trak":
                        switch try look(atTrack: part, content) {
                        case .picture: hasPicture = true
                        case .other: hasOther = true
                        case .sound: break
                        }
                    case let type where Self.heading.contains(type): break
                    default: hide(part)
                    }
                }
            case "moof":
                isFragmented = true
                for part in try inside(box.content, content) {
                    guard !Self.told.contains(part.type) else {
                        hide(part)
                        continue
                    }
                    guard part.type == "traf" else { continue }
                    for one in try inside(part.content, content) where Self.told.contains(one.type) { hide(one) }
                }
            default: break
            }
        }
        // The samples of a track that goes cannot be found among fragments.
        guard hasPicture, !hasOther || !isFragmented && data.count <= Self.pieceCountMax else { throw .unknownFilm }
        for sample in samples {
            // A table that names other places is damaged, or lies.
            guard data.contains(where: { $0.lowerBound <= sample.lowerBound && sample.upperBound <= $0.upperBound })
            else { throw .damaged }
        }
        hidden += samples
        return Film(format: format, seconds: times?.seconds, made: times?.made)
    }

    private enum Kind { case picture, sound, other }

    private mutating func look(atTrack track: Box, _ content: some FilmContent) throws(PictureFailure) -> Kind {
        let parts = try inside(track.content, content)
        let media = try parts.first { $0.type == "mdia" }.map { (box) throws(PictureFailure) in
            try inside(box.content, content)
        }
        let handler = media?.first { $0.type == "hdlr" }.map { content.text($0.content.lowerBound + 8, in: $0.content) }
        guard let media, let handler, Self.handlers.contains(handler) else {
            samples += try samples(media ?? [], content)
            hide(track)
            return .other
        }
        for part in parts where !Self.track.contains(part.type) { hide(part) }
        for part in media where !Self.media.contains(part.type) { hide(part) }
        for part in media where part.type == "minf" {
            for one in try inside(part.content, content) {
                guard Self.within.contains(one.type) else {
                    hide(one)
                    continue
                }
                guard one.type == "stbl" else { continue }
                for table in try inside(one.content, content) where Self.told.contains(table.type) { hide(table) }
            }
        }
        return handler == "vide" ? .picture : .sound
    }

    /// The boxes that fill a range.
    private mutating func inside(_ range: Range<Int>, _ content: some FilmContent) throws(PictureFailure) -> [Box] {
        var found: [Box] = []
        var offset = range.lowerBound
        while range.upperBound - offset >= 8 {
            boxes += 1
            guard boxes <= Self.boxesMax else { throw .damaged }
            let head = ByteReader(content.bytesAt(offset, 16)[...])
            guard let short = head.number(0, bytes: 4) else { throw .damaged }
            // QuickTime ends some lists with four zeros.
            if short == 0, head.number(4, bytes: 4) == 0 { break }
            let type = String(decoding: head.part(4, 4), as: UTF8.self)
            var (size, headBytes) = (short, 8)
            if short == 1 {
                guard let high = head.number(8, bytes: 4), let low = head.number(12, bytes: 4), high < 1 << 24 else {
                    throw .damaged
                }
                (size, headBytes) = (high << 32 | low, 16)
            } else if short == 0 {
                size = range.upperBound - offset
            }
            guard size >= headBytes, size <= range.upperBound - offset else { throw .damaged }
            found.append(Box(type: type, start: offset, content: offset + headBytes..<offset + size))
            offset += size
        }
        // What is too short for a box, or lies behind the last.
        if offset < range.upperBound { hidden.append(offset..<range.upperBound) }
        return found
    }

    /// The moment and the length that the heading names (8.2.2).
    private static func times(
        of box: Box, _ content: some FilmContent
    ) throws(PictureFailure) -> (made: Int64?, seconds: Int?) {
        let reader = ByteReader(content.bytesAt(box.content.lowerBound, min(32, box.content.count))[...])
        let isLong = reader.byte(0) == 1
        let made = isLong ? reader.number(4, bytes: 8) : reader.number(4, bytes: 4)
        let scale = reader.number(isLong ? 20 : 12, bytes: 4)
        let length = isLong ? reader.number(24, bytes: 8) : reader.number(16, bytes: 4)
        guard let made, let scale, let length else { throw .damaged }
        var seconds: Int?
        if scale > 0, length > 0, length / scale < 1_000_000 { seconds = (length + scale - 1) / scale }
        // It counts from 1904 on; a camera whose clock was never set says nothing. Eight bytes of a hostile file are any
        // number, below zero too.
        let since1970 = Int64(max(0, made)) - 2_082_844_800
        return (since1970 > 946_684_800 && since1970 < 4_102_444_800 ? since1970 : nil, seconds)
    }

    // MARK: Samples of a track that goes

    /// Where a track's samples are, chunk by chunk (8.7).
    private mutating func samples(_ media: [Box], _ content: some FilmContent) throws(PictureFailure) -> [Range<Int>] {
        var tables: [String: ByteReader] = [:]
        for part in media where part.type == "minf" {
            for one in try inside(part.content, content) where one.type == "stbl" {
                for table in try inside(one.content, content) {
                    guard ["stsz", "stz2", "stsc", "stco", "co64"].contains(table.type) else { continue }
                    guard table.content.count <= Self.tableBytesMax else { throw .damaged }
                    tables[table.type] = ByteReader(
                        content.bytesAt(table.content.lowerBound, table.content.count)[...])
                }
            }
        }
        guard let chunks = tables["stco"] ?? tables["co64"], let runs = tables["stsc"] else { return [] }
        let wide = tables["stco"] == nil ? 8 : 4
        let count = min(chunks.number(4, bytes: 4) ?? 0, (chunks.bytes.count - 8) / wide)
        let runCount = min(runs.number(4, bytes: 4) ?? 0, (runs.bytes.count - 8) / 12)
        var found: [Range<Int>] = []
        var (run, sample) = (0, 0)
        for chunk in 0..<max(0, count) {
            while run + 1 < runCount, let next = runs.number(8 + 12 * (run + 1), bytes: 4), next <= chunk + 1 {
                run += 1
            }
            guard let start = chunks.number(8 + wide * chunk, bytes: wide),
                let perChunk = runs.number(12 + 12 * run, bytes: 4), sample + perChunk <= Self.samplesMax
            else { throw .damaged }
            var bytes = 0
            for index in sample..<sample + perChunk {
                guard let size = Self.size(of: index, tables) else { break }
                bytes += size
            }
            sample += perChunk
            guard start >= 0, bytes <= content.count, start <= content.count - bytes else { throw .damaged }
            if bytes > 0 { found.append(start..<start + bytes) }
        }
        return found
    }

    /// The size of a sample (8.7.3); `nil` past the last.
    private static func size(of sample: Int, _ tables: [String: ByteReader]) -> Int? {
        if let table = tables["stsz"] {
            guard let count = table.number(8, bytes: 4), sample < count else { return nil }
            if let same = table.number(4, bytes: 4), same > 0 { return same }
            return table.number(12 + 4 * sample, bytes: 4)
        }
        guard let table = tables["stz2"], let count = table.number(8, bytes: 4), sample < count else { return nil }
        switch table.byte(7) {
        case 4: return table.byte(12 + sample / 2).map { sample % 2 == 0 ? $0 >> 4 : $0 & 15 }
        case 8: return table.byte(12 + sample)
        case 16: return table.number(12 + 2 * sample, bytes: 2)
        default: return nil
        }
    }

    // MARK: Blanking

    private mutating func hide(_ box: Box) {
        freed.append(box.start + 4)
        hidden.append(box.content)
    }

    private func blank(_ content: inout some FilmContent) throws(PictureFailure) {
        // More than the film has is named by tables only that name the same bytes again and again.
        guard hidden.reduce(0, { $0 + $1.count }) <= 2 * content.count else { throw .damaged }
        for range in hidden {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = min(Self.pieceBytes, range.upperBound - offset)
                let old = try content.bytes(from: offset, count: count)
                if old.contains(where: { $0 != 0 }) {
                    try content.overwrite(at: offset, [UInt8](repeating: 0, count: count))
                }
                offset += count
            }
        }
        for place in freed { try content.overwrite(at: place, Array("free".utf8)) }
    }
}

extension FilmContent {
    /// Bytes from an offset on, as many as there are; none where they cannot be read.
    fileprivate func bytesAt(_ offset: Int, _ count: Int) -> [UInt8] {
        (try? bytes(from: offset, count: count)) ?? []
    }

    /// Four letters.
    fileprivate func text(_ offset: Int, in range: Range<Int>) -> String {
        String(decoding: bytesAt(offset, max(0, min(4, range.upperBound - offset))), as: UTF8.self)
    }
}
