import KinModel

/// A piece of a page. Only text in the source is markup. Interpolated text is escaped, so that it is safe between tags
/// and inside quoted attributes (WHATWG HTML §13.1.2).
struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    private(set) var markup: String

    init(stringLiteral value: String) { markup = value }
    init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

    /// Text that people wrote, isolated from the direction of the text around it: a name may run from right to left.
    /// Invisible characters are removed: names from before that rule may hold some.
    static func written(_ text: String) -> HTML { "<bdi>\(Unseen.cleaned(text))</bdi>" }

    static func number(_ number: some BinaryInteger) -> HTML { HTML(stringLiteral: number.description) }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { markup += literal }
        mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
        mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }
        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { markup += part.markup } }
        mutating func appendInterpolation(_ text: String) {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "&": markup += "&amp;"
                case "<": markup += "&lt;"
                case ">": markup += "&gt;"
                case "\"": markup += "&quot;"
                case "'": markup += "&#39;"
                // HTML cannot hold this character (§13.2.3.5).
                case "\0": markup += "\u{FFFD}"
                default: markup.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
