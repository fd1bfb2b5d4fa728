import KinCrypto
package import KinKeeper
package import KinModel
package import KinStore

/// Reads a long JSON body as it arrives, for a method that takes one parameter as a file. The text of that parameter is
/// decoded from base64 and written to the file block by block. The rest of the body (the outline) stays, with the
/// text's name in the text's place. So memory holds one block and the outline, whatever the body's size.
///
/// It is a value that goes to a worker with each piece and comes back. The JSON parser judges the outline afterwards.
package struct Intake: Sendable {
    /// Why a body is not taken.
    package struct Refusal: Error, Sendable {
        /// What the client is told.
        package let rejection: Rejection
        /// The limit that was reached, by name.
        package var limit: String?
    }

    private enum Place: Sendable {
        case outside
        /// Within a text that began at that place in the outline.
        case text(start: Int)
        /// The same, after a backslash.
        case textEscape(start: Int)
        /// Within the text that goes to the file.
        case long
        case longEscape
        /// After `\u` and so many digits.
        case longUnicode(digits: Int, value: UInt32)
    }

    /// The body without the long text.
    package private(set) var outline: [UInt8] = []
    /// The long text, once its end was seen.
    package private(set) var parcel: Parcel?
    private let field: Parcel.Place
    private let outlineBytesMax: Int
    private let owner: String
    private let most: Spool.Most
    private var place = Place.outside
    private var naming = Parcel.Naming()
    /// Characters of the long text that are no whole block yet.
    private var block: [UInt8] = []
    private var characters = 0
    private var isPadded = false
    private var spool: Spool?

    package init(_ field: Parcel.Place, of party: Party, outlineBytesMax: Int, _ most: Spool.Most) {
        self.field = field
        owner = Self.owner(party)
        self.outlineBytesMax = outlineBytesMax
        self.most = most
    }

    /// The owner of a part of the room: a member with all devices, or all strangers together, since addresses cost
    /// nothing.
    private static func owner(_ party: Party) -> String {
        switch party {
        case .machine: "machine"
        case .member(let member): member.description
        case .address: ""
        }
    }

    /// The most bytes that it holds in memory: the outline, a text that may still turn out to be long, and a block.
    static func bytesHeldMax(outlineBytesMax: Int) -> Int { outlineBytesMax + 2 * Limits.parcelBlockBytes }

    /// Goes on with the next piece.
    package mutating func take(_ bytes: [UInt8], _ blobs: Blobs) throws(Refusal) {
        var rest = bytes[...]
        while let byte = rest.first {
            switch place {
            case .outside:
                place = byte == Self.quote ? .text(start: outline.count + 1) : .outside
                try keep(byte, upTo: outlineBytesMax)
            case .text(let start) where outline.count - start >= Limits.parcelBlockBytes:
                try begin(at: start, blobs)
                continue
            case .text(let start):
                if byte == Self.quote { place = .outside }
                if byte == Self.backslash { place = .textEscape(start: start) }
                try keep(byte, upTo: outlineBytesMax + Limits.parcelBlockBytes)
            case .textEscape(let start):
                place = .text(start: start)
                try keep(byte, upTo: outlineBytesMax + Limits.parcelBlockBytes)
            case .long where byte == Self.quote:
                try end(blobs)
                place = .outside
                try keep(byte, upTo: outlineBytesMax)
            case .long where byte == Self.backslash: place = .longEscape
            case .long:
                let most = min(rest.endIndex, rest.startIndex + Limits.parcelBlockBytes - block.count)
                let end = Self.endOfPlain(bytes, from: rest.startIndex, to: most)
                block += rest[..<end]
                rest = rest[end...]
                try writeWhole(blobs)
                continue
            case .longEscape where byte == UInt8(ascii: "u"): place = .longUnicode(digits: 0, value: 0)
            // Of the short escapes only this one stands for a character of base64.
            case .longEscape where byte == UInt8(ascii: "/"):
                place = .long
                block.append(byte)
                try writeWhole(blobs)
            case .longEscape: throw malformed
            case .longUnicode(let digits, let value): try take(digit: byte, after: digits, value, blobs)
            }
            rest = rest.dropFirst()
        }
    }

    /// The position of the first quote or backslash, or the end.
    private static func endOfPlain(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        let (span, quote, backslash) = (bytes.span, quote, backslash)
        var index = start
        while index < end, span[index] != quote, span[index] != backslash { index += 1 }
        return index
    }

    private mutating func keep(_ byte: UInt8, upTo bytesMax: Int) throws(Refusal) {
        guard outline.count < bytesMax else {
            throw Refusal(
                rejection: Rejection(
                    .tooLarge, "Besides \(field.parameter) the content may have \(outlineBytesMax) bytes."))
        }
        outline.append(byte)
    }

    // MARK: The long text

    /// The text that began there is long: its bytes so far leave the outline.
    private mutating func begin(at start: Int, _ blobs: Blobs) throws(Refusal) {
        guard spool == nil else {
            throw Refusal(
                rejection: Rejection(.tooLarge, "Only \(field.parameter) may be that long.", field: field.parameter))
        }
        spool = blobs.spool(of: owner, most)
        let text = Array(outline[start...])
        outline.removeSubrange(start...)
        place = .long
        try take(text, blobs)
    }

    private mutating func end(_ blobs: Blobs) throws(Refusal) {
        if !block.isEmpty { try write() }
        guard let spool else { return }
        let parcel = Parcel(name: naming.name, spool: spool)
        outline += Array(parcel.name.utf8)
        self.parcel = parcel
    }

    private mutating func take(
        digit: UInt8, after digits: Int, _ value: UInt32, _ blobs: Blobs
    ) throws(Refusal) {
        guard let digit = Character(Unicode.Scalar(digit)).hexDigitValue else { throw malformed }
        let value = value << 4 | UInt32(digit)
        if digits < 3 {
            place = .longUnicode(digits: digits + 1, value: value)
            return
        }
        guard value < 0x80 else { throw malformed }
        place = .long
        block.append(UInt8(value))
        try writeWhole(blobs)
    }

    private mutating func writeWhole(_ blobs: Blobs) throws(Refusal) {
        if block.count == Limits.parcelBlockBytes { try write() }
    }

    /// Writes the block down, decoded.
    private mutating func write() throws(Refusal) {
        characters += block.count
        guard characters <= field.charactersMax else {
            throw Refusal(
                rejection: Rejection(
                    .invalid,
                    "\(field.parameter) must be 1 to \(field.charactersMax) characters of printable ASCII without spaces.",
                    field: field.parameter))
        }
        // Nothing may come after the padding.
        guard !isPadded, let bytes = Base64.decode(block), let spool else { throw malformed }
        isPadded = block.last == UInt8(ascii: "=")
        naming.add(block)
        block.removeAll(keepingCapacity: true)
        let appended: Spool.Appended
        do throws(StoreFailure) { appended = try spool.append(bytes) } catch {
            throw Refusal(rejection: Rejection(.unavailable, error.sentence, retryAfter: 60))
        }
        switch appended {
        case .written: return
        case .ownRoomIsFull:
            let whose = owner.isEmpty ? "from devices that are not signed in" : "of yours"
            throw Refusal(
                rejection: Rejection(
                    .slowDown, "Too many pictures \(whose) are arriving at once; send one after the other.",
                    retryAfter: 5),
                limit: "picture_files")
        case .roomIsFull:
            throw Refusal(
                rejection: Rejection(.unavailable, "Too many pictures are arriving at once; try again.", retryAfter: 5),
                limit: "picture_files")
        }
    }

    private var malformed: Refusal {
        Refusal(
            rejection: Rejection(
                .invalid, "\(field.parameter) must be base64 with padding.", field: field.parameter))
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
