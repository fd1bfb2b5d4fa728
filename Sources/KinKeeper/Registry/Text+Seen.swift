package import KinModel

extension Text {
    /// Refuses what turns a line around and what cannot be seen: a name must not change the line it stands in, nor look
    /// like another while it is written differently. Joiners (ZWJ, ZWNJ) are taken where a script or an emoji needs them,
    /// and the emoji form (U+FE0F) after an emoji.
    package static func checkSeen(_ text: String, field: String) throws(Rejection) {
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() where scalar.value > 0x7F {
            guard !isTurning(scalar) else {
                throw Rejection(
                    .invalid, "\(field) holds \(code(scalar)), which turns the direction of writing; write it without.",
                    field: field)
            }
            guard isUnseen(scalar), !isNeeded(at: index, in: scalars) else { continue }
            throw Rejection(
                .invalid, "\(field) holds \(code(scalar)), which cannot be seen; write it without.", field: field)
        }
    }

    /// `U+202E`.
    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The marks, embeddings, overrides and isolates of UAX #9.
    package static func isTurning(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// What a screen leaves out (Default_Ignorable_Code_Point), anchors of annotations, and braille without dots.
    package static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2800, 0xFFF9...0xFFFB: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func isNeeded(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0 else { return false }
        let before = scalars[index - 1]
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalars[index].value {
        case 0x200C: return isJoined(before) && after.map(isJoined) == true
        case 0x200D:
            // After a virama it shapes the letter before it, whatever follows.
            if isJoined(before) {
                return before.properties.canonicalCombiningClass == .virama || after.map(isJoined) == true
            }
            let joined = before.value == 0xFE0F && index > 1 ? scalars[index - 2] : before
            return isEmoji(joined) && after.map(isEmoji) == true
        case 0xFE0F:
            // Of digits only as a key's cap.
            return isEmoji(before) || (before.properties.isEmoji && after?.value == 0x20E3)
        default: return false
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0x7F && scalar.properties.isEmoji }

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
