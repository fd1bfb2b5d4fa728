/// A statement's text, as the key under which it is kept once it was prepared.
///
/// Texts are constants of some hundred bytes, and every statement of every turn is looked up by its own. So the hash is
/// made of their length and some of their bytes: to hash all of them cost more than the rest of the look-up. A text is
/// equal to itself without a look at its bytes.
struct StatementText: Hashable {
    let sql: String

    /// So many bytes count, evenly apart.
    private static let bytesHashed = 16

    func hash(into hasher: inout Hasher) {
        let bytes = sql.utf8.span
        hasher.combine(bytes.count)
        let stride = max(1, bytes.count / Self.bytesHashed)
        var at = bytes.count % stride
        while at < bytes.count {
            hasher.combine(bytes[at])
            at += stride
        }
    }
}
