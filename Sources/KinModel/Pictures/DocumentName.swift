/// Names of documents, as far as a file may bear them anywhere: a last name without a path, on one line, with nothing that
/// turns the line or cannot be seen. Whoever makes a file of one cleans it again, whatever a daemon said.
public enum DocumentName {
    /// A document without a name that can be read.
    public static let none = "document"

    /// What is left of a name that somebody gave.
    public static func cleaned(_ given: String) -> String {
        var (kept, marks) = (String.UnicodeScalarView(), 0)
        // Scalar by scalar: a stroke with a mark over it is another character, and a path still.
        for scalar in given.unicodeScalars {
            if scalar == "/" || scalar == "\\" {
                (kept, marks) = (String.UnicodeScalarView(), 0)
                continue
            }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                kept.append(" ")
                marks = 0
            case .unassigned where scalar.properties.isNoncharacterCodePoint: continue
            case .nonspacingMark, .enclosingMark, .spacingMark:
                marks += 1
                if marks <= marksMax { kept.append(scalar) }
            case .format: kept.append(scalar)
            default:
                kept.append(scalar)
                marks = 0
            }
        }
        let short = bounded(trimmed(Unseen.cleaned(String(kept))))
        return short.unicodeScalars.contains(where: isSeen) ? short : none
    }

    /// The end of a name behind its last point, in lower case: `pdf`; nothing where there is none.
    public static func ending(of name: String) -> String {
        let scalars = name.unicodeScalars
        guard let point = scalars.lastIndex(of: "."), point != scalars.startIndex else { return "" }
        return String(String.UnicodeScalarView(scalars[scalars.index(after: point)...])).lowercased()
    }

    /// Marks of one character, as of all text here.
    private static let marksMax = 8
    /// Bytes of an ending that is kept where a name is too long.
    private static let endingBytesMax = 16

    /// Without spaces and points at its beginning, which hide a file, and at its end, where some systems lose them.
    private static func trimmed(_ text: String) -> String {
        let words = text.unicodeScalars.split(separator: " ").map { String(String.UnicodeScalarView($0)) }
        let line = words.joined(separator: " ").unicodeScalars
        let begun = line.drop { $0 == "." || $0 == " " }
        let ended = begun.reversed().drop { $0 == "." || $0 == " " }
        return String(String.UnicodeScalarView(ended.reversed()))
    }

    /// As many bytes as there is room for, with its ending.
    private static func bounded(_ name: String) -> String {
        guard name.utf8.count > Limits.documentNameBytesMax else { return name }
        let ending = ending(of: name)
        let isKept = !ending.isEmpty && ending.utf8.count <= endingBytesMax
        let end = isKept ? "." + ending : ""
        var (stem, bytes) = (String.UnicodeScalarView(), end.utf8.count)
        for scalar in name.unicodeScalars {
            bytes += String(scalar).utf8.count
            guard bytes <= Limits.documentNameBytesMax else { break }
            stem.append(scalar)
        }
        return trimmed(Unseen.cleaned(String(stem))) + end
    }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format, .spaceSeparator: false
        default: true
        }
    }
}
