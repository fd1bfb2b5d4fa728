extension String {
    /// Whether both are the same bytes of UTF-8, which is less than Swift's `==`, for which a letter and its parts are
    /// one. Different ones, as most are where a name is looked for, cost next to nothing: `==` compares short strings
    /// as two words.
    public func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }

    /// Whether the bytes of another stand somewhere in it. (Swift's `contains` of a text would bring its regular
    /// expressions along: half a megabyte resident in a daemon that has no use for them.)
    public func hasBytes(of other: String) -> Bool {
        let (all, wanted) = (Array(utf8), Array(other.utf8))
        guard wanted.count <= all.count else { return false }
        return (0...(all.count - wanted.count)).contains { all[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
