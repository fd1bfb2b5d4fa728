/// What a phone's app calls its device.
enum DeviceName {
    /// A name that the family can read: one line of at most 64 characters, without control characters. A name with
    /// nothing visible counts as none.
    static func clean(_ name: String) -> String {
        let scalars = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator,
                .nonspacingMark, .enclosingMark, .spacingMark:
                false
            // All other characters stay, unless they cannot be seen.
            default: scalar.value != 0x2800 && !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        let kept = String(String.UnicodeScalarView(scalars.prefix(64)))
        return kept.allSatisfy { $0 == " " } ? "" : kept
    }
}
