/// The outer structure of a HEIF file (ISO/IEC 23008-12): boxes of length, name and content.
package enum HEIF {
    /// One box.
    struct Box {
        let name: String
        let content: ArraySlice<UInt8>
    }

    /// The boxes that stand one behind the other. One that says it is longer than what is there: `.damaged`.
    static func boxes(_ bytes: ArraySlice<UInt8>) throws(PictureFailure) -> [Box] {
        var boxes: [Box] = []
        var rest = bytes
        while !rest.isEmpty {
            let reader = ByteReader(rest)
            guard var length = reader.number(0, bytes: 4), rest.count >= 8, boxes.count < 10_000 else { throw .damaged }
            var head = 8
            if length == 1 {
                guard reader.number(8, bytes: 4) == 0, let long = reader.number(12, bytes: 4) else { throw .damaged }
                (length, head) = (long, 16)
            }
            // Up to the end of the file.
            if length == 0 { length = rest.count }
            guard length >= head, length <= rest.count else { throw .damaged }
            boxes.append(
                Box(
                    name: String(decoding: reader.part(4, 4), as: UTF8.self),
                    content: reader.part(head, length - head)))
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    /// Brands of still pictures in HEVC.
    private static let stills: Set<String> = ["heic", "heix", "heim", "heis"]
    /// Brands of sequences of pictures, and the brand of a still picture of the same kind (ISO/IEC 23008-12, annex B).
    private static let sequences = ["msf1": "mif1", "hevc": "heic", "hevx": "heix", "hevm": "heim", "hevs": "heis"]

    /// The brands that a file names, each with its place: the major one first.
    private static func brands(_ reader: ByteReader) -> [(name: String, offset: Int)] {
        guard reader.holds("ftyp", at: 4), let length = reader.number(0, bytes: 4), (16...4096).contains(length) else {
            return []
        }
        return ([8] + Array(stride(from: 16, to: length, by: 4))).map {
            (String(decoding: reader.part($0, 4), as: UTF8.self), $0)
        }
    }

    /// Whether a file says that it is one of ours. A sequence of any codec may say `msf1`.
    static func isHEIC(_ reader: ByteReader) -> Bool {
        let names = Set(brands(reader).map(\.name))
        return !names.isDisjoint(with: stills)
            || !names.isDisjoint(with: sequences.keys) && names.isDisjoint(with: ["avif", "avis"])
    }

    /// A file as one of a still picture. A sequence may have a picture that stands for it, which is there like a still one.
    /// Some libheif refuse the file by its brands alone, and others read the film in it (`moov`) too, which is left out.
    /// Nothing moves.
    package static func asStill(_ bytes: [UInt8]) throws(PictureFailure) -> [UInt8] {
        var still = bytes
        for brand in brands(ByteReader(bytes[...])) {
            guard let name = sequences[brand.name], brand.offset + 4 <= bytes.count else { continue }
            still.replaceSubrange(brand.offset..<brand.offset + 4, with: name.utf8)
        }
        for film in try boxes(bytes[...]) where film.name == "moov" {
            let end = film.content.startIndex
            // The name stands before the content, or before the long form of the length.
            let start = ByteReader(bytes[...]).holds("moov", at: end - 4) ? end - 4 : end - 12
            still.replaceSubrange(start..<start + 4, with: "free".utf8)
        }
        return still
    }

    /// The largest sides that any picture in the file says it has (`ispe`). A sequence in which no picture stands for the
    /// whole: `.sequence`.
    static func sides(_ bytes: [UInt8]) throws(PictureFailure) -> (width: Int, height: Int) {
        var sides = (width: 0, height: 0)
        let outer = try boxes(bytes[...])
        let isSequence = outer.contains { $0.name == "moov" }
        guard let meta = outer.first(where: { $0.name == "meta" }) else {
            throw isSequence ? PictureFailure.sequence : .damaged
        }
        if isSequence, try !boxes(meta.content.dropFirst(4)).contains(where: { $0.name == "pitm" }) {
            throw .sequence
        }
        for properties in try boxes(meta.content.dropFirst(4)) where properties.name == "iprp" {
            for container in try boxes(properties.content) where container.name == "ipco" {
                for property in try boxes(container.content) where property.name == "ispe" {
                    let reader = ByteReader(property.content)
                    guard let width = reader.number(4, bytes: 4), let height = reader.number(8, bytes: 4) else {
                        throw .damaged
                    }
                    sides = (max(sides.width, width), max(sides.height, height))
                }
            }
        }
        return sides
    }
}
