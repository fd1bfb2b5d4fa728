import KinModel

/// Cuts a calendar of any length into its components, each of which is read alone (``ICalComponent``): nothing but one
/// component and one line is held in memory, and what is wrong with one is nothing to the next.
public struct ICalStream: Sendable {
    /// A piece of a calendar.
    public enum Piece: Sendable, Hashable {
        /// A line of the calendar itself, such as `PRODID` or `METHOD`.
        case line(ICalLine)
        /// A component, as it stands there: `BEGIN` to `END`.
        case component([UInt8])
        /// A component that has more than ``KinModel/Limits/componentBytesMax`` bytes, by its name: it is passed over.
        case tooLarge(String)
    }

    private var line: [UInt8] = []
    private var isLineCut = false
    private var held: [UInt8] = []
    private var name: String?
    private var depth = 0
    private var isTooLarge = false
    /// The calendar's own line, which the next may go on with.
    private var own: [UInt8] = []

    /// At the beginning.
    public init() {}

    /// Takes more of the calendar; hands over what is whole. At the end, an empty collection with `isEnd`.
    public mutating func take(_ bytes: some Collection<UInt8>, isEnd: Bool = false, _ hand: (Piece) -> Void) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                endLine(hand)
            } else if line.count < Limits.componentBytesMax {
                line.append(byte)
            } else {
                isLineCut = true
            }
        }
        if isEnd {
            if !line.isEmpty { endLine(hand) }
            handOwn(hand)
        }
    }

    /// Whether a component was begun and is not ended.
    public var isWithin: Bool { depth > 0 }

    private mutating func endLine(_ hand: (Piece) -> Void) {
        defer {
            line.removeAll(keepingCapacity: true)
            isLineCut = false
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            if depth > 0 {
                hold()
            } else if own.count + line.count <= Limits.componentBytesMax {
                own += line.dropFirst()
            }
            return
        }
        if depth == 0 { handOwn(hand) }
        let word = line.prefix(80)
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")) else {
            if depth > 0 { hold() }
            return
        }
        let key = String(decoding: word[..<colon], as: UTF8.self).uppercased()
        let value = String(decoding: word[(colon + 1)...], as: UTF8.self).uppercased()
        switch key {
        case "BEGIN" where depth == 0 && value == "VCALENDAR": break
        case "BEGIN":
            if depth == 0 {
                name = value
                held.removeAll(keepingCapacity: true)
                isTooLarge = false
            }
            depth += 1
            hold()
        case "END" where depth > 0:
            depth -= 1
            hold()
            if depth == 0 { hand(isTooLarge ? .tooLarge(name ?? "") : .component(held)) }
        case "END": break
        default: if depth > 0 { hold() } else { own = line }
        }
    }

    private mutating func hold() {
        guard !isTooLarge, !isLineCut, held.count + line.count + 2 <= Limits.componentBytesMax else {
            isTooLarge = true
            held.removeAll(keepingCapacity: true)
            return
        }
        held += line
        held += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    private mutating func handOwn(_ hand: (Piece) -> Void) {
        defer { own.removeAll(keepingCapacity: true) }
        guard !own.isEmpty, let text = String(validating: own, as: UTF8.self), let read = ICalLine(text) else { return }
        hand(.line(read))
    }
}
