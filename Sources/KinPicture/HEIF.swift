/// The outer structure of a HEIF file (ISO/IEC 23008-12): boxes of length, name and content.
enum HEIF {
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
    private static let brands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]

    /// Whether a file says that it is one of ours.
    static func isHEIC(_ reader: ByteReader) -> Bool {
        guard reader.holds("ftyp", at: 4), let length = reader.number(0, bytes: 4), (16...4096).contains(length) else {
            return false
        }
        let names = [8] + Array(stride(from: 16, to: length, by: 4))
        return names.contains { brands.contains(String(decoding: reader.part($0, 4), as: UTF8.self)) }
    }

    /// The largest sides that any picture in the file says it has (`ispe`).
    static func sides(_ bytes: [UInt8]) throws(PictureFailure) -> (width: Int, height: Int) {
        var sides = (width: 0, height: 0)
        guard let meta = try boxes(bytes[...]).first(where: { $0.name == "meta" }) else { throw .damaged }
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
