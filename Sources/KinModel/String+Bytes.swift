extension String {
    /// Whether both have the same bytes of UTF-8. This is stricter than Swift's `==`, which treats a letter and its
    /// decomposed form as equal. Names are compared with it a hundred times for each point of a phone; `elementsEqual`
    /// costs ten times as much.
    public func hasSameBytes(as other: String) -> Bool {
        let (mine, its) = (utf8.span, other.utf8.span)
        guard mine.count == its.count else { return false }
        for index in mine.indices where mine[index] != its[index] { return false }
        return true
    }

    /// Whether the bytes of another stand somewhere in it. (Swift's `contains` of a text would bring its regular
    /// expressions along: half a megabyte resident in a daemon that has no use for them.)
    public func hasBytes(of other: String) -> Bool {
        let (all, wanted) = (Array(utf8), Array(other.utf8))
        guard wanted.count <= all.count else { return false }
        return (0...(all.count - wanted.count)).contains { all[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
