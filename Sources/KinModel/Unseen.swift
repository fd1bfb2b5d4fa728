/// Characters that reverse a line or cannot be seen. A name must not change the line it stands in, nor look like
/// another name that is written differently.
///
/// Characters that a script or an emoji needs do not count where they are needed: joiners (ZWJ, ZWNJ), variation
/// selectors, the vowel separator of Mongolian, and the tags of a flag. Sources: UAX #9, UTS #51 (emoji tag sequences),
/// UTS #37 (ideographs), StandardizedVariants.txt and emoji-variation-sequences.txt of Unicode 16.
public enum Unseen {
    /// The first character of a text that turns it or cannot be seen, and that nothing needs; `nil` for none.
    public static func first(in text: String) -> Unicode.Scalar? {
        guard text.unicodeScalars.contains(where: { $0.value > 0x7F }) else { return nil }
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.first { !isGood(at: $0, in: scalars) }.map { scalars[$0] }
    }

    /// The text without them, for screens: names given under an older rule hold some.
    public static func cleaned(_ text: String) -> String {
        guard first(in: text) != nil else { return text }
        let scalars = Array(text.unicodeScalars)
        var seen = String.UnicodeScalarView()
        for index in scalars.indices where isGood(at: index, in: scalars) { seen.append(scalars[index]) }
        return String(seen)
    }

    /// The marks, embeddings, overrides and isolates of UAX #9.
    public static func isTurning(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a screen leaves a character out: Default_Ignorable_Code_Point, anchors of annotations, and braille
    /// without dots.
    public static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2800, 0xFFF9...0xFFFB: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    // MARK: Where it is needed

    private static func isGood(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        guard scalar.value > 0x7F else { return true }
        return !isTurning(scalar) && (!isUnseen(scalar) || isNeeded(at: index, in: scalars))
    }

    private static func isNeeded(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0 else { return false }
        let before = scalars[index - 1]
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        // A letter with a selector is joined like the letter alone.
        let base = isSelector(before) && index > 1 ? scalars[index - 2] : before
        switch scalars[index].value {
        case 0x200C: return isJoined(base) && after.map(isJoined) == true
        case 0x200D:
            // After a virama it shapes the letter before it, whatever follows.
            if isJoined(base) {
                return base.properties.canonicalCombiningClass == .virama || after.map(isJoined) == true
            }
            return isEmoji(base) && after.map(isEmoji) == true
        case 0x180E: return isMongolian(base) && (after?.value == 0x1820 || after?.value == 0x1821)
        case 0x180B...0x180D, 0x180F: return isMongolian(before)
        case 0xFE0E, 0xFE0F:
            // Digits count only as keycaps.
            return isEmoji(before) || (before.properties.isEmoji && after?.value == 0x20E3)
        case 0xFE00...0xFE0D: return takes(before, selector: scalars[index].value - 0xFE00 + 1)
        case 0xE0100...0xE01EF: return before.properties.isUnifiedIdeograph
        case 0xE0020...0xE007F: return isInFlag(at: index, in: scalars)
        default: return false
        }
    }

    private static func isSelector(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isVariationSelector }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7F && scalar.properties.isEmoji
    }

    private static func isMongolian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1820...0x1878, 0x1880...0x18AA: true
        default: false
        }
    }

    /// Whether a standardized variant of a character has that selector, 1 to 14.
    private static func takes(_ base: Unicode.Scalar, selector: UInt32) -> Bool {
        if base.properties.isUnifiedIdeograph { return selector <= 3 }
        switch base.value {
        // Hieroglyphs, turned.
        case 0x13000...0x1345F: return selector <= 7
        // Stops and marks of East Asia, in the corner or the middle; script capitals, chancery or roundhand.
        case 0x3001, 0x3002, 0xFF01, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0x1D49C...0x1D4B5, 0x210B, 0x2110, 0x2112,
            0x211B, 0x212C, 0x2130, 0x2131, 0x2133:
            return selector <= 2
        default: return selector == 1 && firstOnly.contains(base.value)
        }
    }

    /// Myanmar with dots, Phags-pa, Manichaean, signs of mathematics, and zero with a stroke.
    private static let firstOnly: Set<UInt32> = [
        0x1000, 0x1002, 0x1004, 0x1010, 0x1011, 0x1015, 0x1019, 0x101A, 0x101C, 0x101D, 0x1022, 0x1031, 0x1075, 0x1078,
        0x107A, 0x1080, 0xAA60, 0xAA61, 0xAA62, 0xAA63, 0xAA64, 0xAA65, 0xAA66, 0xAA6B, 0xAA6C, 0xAA6F, 0xAA7A,
        0xA856, 0xA85C, 0xA85E, 0xA85F, 0xA860, 0xA868, 0x10AC5, 0x10AC6, 0x10AD6, 0x10AD7, 0x10AE1, 0x2205, 0x2229,
        0x222A, 0x2268, 0x2269, 0x2272, 0x2273, 0x228A, 0x228B, 0x2293, 0x2294, 0x2295, 0x2297, 0x229C, 0x22DA, 0x22DB,
        0x2A3C, 0x2A3D, 0x2A9D, 0x2A9E, 0x2AAC, 0x2AAD, 0x2ACB, 0x2ACC, 0x30, 0xFF10,
    ]

    /// Whether a tag is of a whole flag of a part of a country: a black flag, the code of three to seven letters and
    /// digits, and the end (UTS #51, emoji_tag_sequence).
    private static func isInFlag(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        func isTag(_ value: UInt32) -> Bool { (0xE0020...0xE007F).contains(value) }
        var start = index
        while start > 0, isTag(scalars[start].value) { start -= 1 }
        guard scalars[start].value == 0x1F3F4 else { return false }
        let tags = scalars[(start + 1)...].prefix { isTag($0.value) }
        guard let end = tags.firstIndex(where: { $0.value == 0xE007F }), end >= index else { return false }
        let code = tags[..<end]
        return (3...7).contains(code.count)
            && code.allSatisfy { (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value) }
    }

    /// Letters and marks of scripts in which joiners change how a word is written: Arabic and its neighbours, the scripts
    /// of India and of South-East Asia, Mongolian.
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        guard !isUnseen(scalar) else { return false }
        switch scalar.value {
        case 0x0600...0x074F, 0x0750...0x077F, 0x07C0...0x08FF, 0x0900...0x0DFF, 0x1000...0x109F, 0x1780...0x18AF,
            0x1A20...0x1AAF, 0x1B00...0x1BFF, 0xA840...0xA9FF, 0xAA60...0xAAFF, 0xABC0...0xABFF, 0xFB50...0xFDFF,
            0xFE70...0xFEFE, 0x10D00...0x10D3F, 0x11000...0x11FFF, 0x1E900...0x1E95F:
            break
        default: return false
        }
        switch scalar.properties.generalCategory {
        case .otherLetter, .modifierLetter, .lowercaseLetter, .uppercaseLetter, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }
}
