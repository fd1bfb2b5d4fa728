/// The changes of a collection that clients keep a copy of (CalDAV, CardDAV), as a count of them: each has a number, and a
/// thing has that of its last one.
package struct ChangeCount: Sendable, Equatable {
    /// The identity of this count. After a restore it is another, because the numbers would mean something else.
    package let epoch: String
    /// The number of the last change.
    package let changes: Int64
    /// The change up to which nothing is told of what was removed.
    package let forgotten: Int64

    package init(epoch: String = "0", changes: Int64 = 0, forgotten: Int64 = 0) {
        self.epoch = epoch
        self.changes = changes
        self.forgotten = forgotten
    }

    /// The validator of what was changed last by that change.
    package func tag(_ change: Int64) -> String { "\"\(token(change))\"" }

    /// The token of a client that knows all changes up to this one.
    package func token(_ change: Int64) -> String { "\(epoch)-\(change)" }

    /// The change that a client's token stands for; `nil` where it is of another count, or nothing is told of what was
    /// removed since then.
    package func change(of token: String) -> Int64? {
        let parts = token.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == epoch, let change = Int64(parts[1]), change >= forgotten, change <= changes
        else { return nil }
        return change
    }
}
