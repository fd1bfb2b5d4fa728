import KinModel

/// A component of iCalendar: `BEGIN:NAME`, lines, components, `END:NAME`. Lines are kept to the letter and in their order;
/// what they mean is read from them where it is wanted.
public struct ICalComponent: Sendable, Hashable {
    /// Its name in capitals, such as `VEVENT`.
    public var name: String
    /// Its own lines.
    public var lines: [ICalLine]
    /// What stands within it.
    public var components: [ICalComponent]

    /// A component.
    public init(_ name: String, _ lines: [ICalLine] = [], components: [ICalComponent] = []) {
        self.name = name
        self.lines = lines
        self.components = components
    }

    /// The first line of a name.
    public subscript(name: String) -> ICalLine? { lines.first { $0.name == name } }

    /// All lines of a name.
    public func all(_ name: String) -> [ICalLine] { lines.filter { $0.name == name } }

    /// Why a text is no component.
    public enum Failure: Error, Sendable, Hashable {
        /// It has more than ``KinModel/Limits/componentBytesMax`` bytes.
        case tooLarge
        /// It is no UTF-8.
        case notText
        /// A line, counted from 1, is no content line.
        case badLine(Int)
        /// Components are not ended, or are more than ``KinModel/Limits/componentDepthMax`` within each other.
        case badNesting
    }

    /// Reads one component, with the ends of lines and the folding that the world uses: CRLF or LF, a space or a tab.
    public init(_ bytes: some Collection<UInt8>) throws(Failure) {
        guard bytes.count <= Limits.componentBytesMax else { throw .tooLarge }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        var open: [ICalComponent] = []
        var whole: ICalComponent?
        for (number, line) in Self.unfolded(text).enumerated() where !line.isEmpty {
            guard let read = ICalLine(line) else { throw .badLine(number + 1) }
            guard whole == nil else { throw .badNesting }
            switch read.name {
            case "BEGIN":
                guard open.count < Limits.componentDepthMax else { throw .badNesting }
                open.append(ICalComponent(read.value.uppercased()))
            case "END":
                guard let ended = open.popLast(), ended.name == read.value.uppercased() else { throw .badNesting }
                if open.isEmpty { whole = ended } else { open[open.count - 1].components.append(ended) }
            default:
                guard !open.isEmpty else { throw .badNesting }
                open[open.count - 1].lines.append(read)
            }
        }
        guard let whole else { throw .badNesting }
        self = whole
    }

    /// Lines that begin with a space or a tab belong to the one before.
    static func unfolded(_ text: String) -> [String] {
        var lines: [[UInt8]] = []
        for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
            if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(Array(line))
            }
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The component as text, folded, with CRLF.
    public var text: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        text += "BEGIN:\(name)\r\n"
        for line in lines { ICalText.folded(line.description, into: &text) }
        for component in components { component.write(into: &text) }
        text += "END:\(name)\r\n"
    }
}
