package import KinModel

/// Rules for text that people write and others read.
public enum Text {
    /// The most combining marks that one character may carry. More of them would be drawn over the neighbouring lines.
    public static let marksMax = 8

    /// Checks text for people: not blank, not too long, no control characters, not marks alone. In a single line,
    /// nothing that reverses the line or cannot be seen, either.
    package static func check(_ text: String, field: String, charactersMax: Int, isOneLine: Bool) throws(Rejection) {
        var count = 0
        var marks = 0
        var isVisible = false
        var isPlain = true
        for scalar in text.unicodeScalars {
            count += 1
            // Most text is ASCII; asking for a scalar's category costs more than the rest of the check.
            if (0x20..<0x7F).contains(scalar.value) {
                isVisible = isVisible || scalar.value != 0x20
                marks = 0
                continue
            }
            isPlain = false
            switch scalar.properties.generalCategory {
            case .control:
                let isBreak = scalar == "\n" || scalar == "\t" || scalar == "\r"
                guard isBreak, !isOneLine else {
                    throw Rejection(
                        .invalid, "\(field) holds a control character; write it without.", field: field)
                }
            case .lineSeparator, .paragraphSeparator:
                guard !isOneLine else {
                    throw Rejection(.invalid, "\(field) must be one line.", field: field)
                }
            case .unassigned where scalar.properties.isNoncharacterCodePoint:
                throw Rejection(.invalid, "\(field) holds a code point that is no character.", field: field)
            case .nonspacingMark, .enclosingMark, .spacingMark:
                marks += 1
                guard marks <= marksMax else {
                    throw Rejection(
                        .invalid, "\(field) has more than \(marksMax) combining marks on one character.", field: field)
                }
                continue
            // Marks before and after a joiner are on the same character.
            case .format: continue
            case .spaceSeparator: break
            default: isVisible = true
            }
            marks = 0
        }
        guard count <= charactersMax else {
            throw Rejection(
                .tooLarge, "\(field) is \(count) characters long; at most \(charactersMax).", field: field)
        }
        guard isVisible || !isOneLine else {
            throw Rejection(.invalid, "\(field) is empty; write something a person can read.", field: field)
        }
        if isOneLine, !isPlain { try checkSeen(text, field: field) }
    }

    /// Whether all of it is printable ASCII, without spaces. The keeper asks this of whole pictures. The loop does not
    /// end early, so that the processor can look at many bytes at once.
    package static func isPlainASCII(_ text: String) -> Bool {
        let quick = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.reduce(UInt8(0)) { $0 | ($1 &- 0x21 <= 0x7E - 0x21 ? 0 : 1) } == 0
        }
        return quick ?? text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    package static func isUsername(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }

    /// A name a client made up, cut and cleaned so that it can stand in a sentence and in the log.
    package static func quoted(_ name: String) -> String {
        let cut = name.unicodeScalars.prefix(40).map { scalar in
            scalar.properties.generalCategory == .control || Unseen.isTurning(scalar) || Unseen.isUnseen(scalar)
                ? "\u{FFFD}" : String(scalar)
        }
        return cut.joined() + (name.unicodeScalars.count > 40 ? "…" : "")
    }
}
