package import KinModel

/// Room in a snapshot. Only what its own member sees counts against the bound. If somebody were refused because another
/// member's snapshot is full, the refusal would tell of what that member sees.
extension Snapshot {
    /// The first items of a list that together take no more than so many bytes. Where that is not all of them, the
    /// snapshot says so. `largest` is a bound on the bytes of one item, so that a short list need not be measured.
    package mutating func fitting<Item>(
        _ items: [Item], in part: String, bytesMax: Int, largest: Int, _ bytes: (Item) -> Int
    ) -> ArraySlice<Item> {
        guard items.count > bytesMax / largest else { return items[...] }
        var left = bytesMax
        for (index, item) in items.enumerated() {
            left -= bytes(item)
            guard left < 0 else { continue }
            more.insert(part)
            return items[..<index]
        }
        return items[...]
    }
}
