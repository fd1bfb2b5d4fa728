package import KinModel
package import KinStore

/// Things of an area that are found by their words. An area declares each kind (``Area/searched``): how a row becomes
/// words, and who sees it. The mechanism notices by itself when a row changes.
public struct Searched: Sendable {
    /// A thing, as it is found. Everybody who sees it may read all of its words: what only some of them may read does not
    /// belong here.
    package struct Thing: Sendable {
        /// The identifier it is opened by.
        package var id: Identifier
        /// The time by which it is ordered.
        package var at: Instant
        /// Whether it is on a whole day: the day of that time in universal time.
        package var isDay: Bool
        /// The member who wrote it.
        package var author: Identifier?
        /// The thing that it belongs to, such as `room/` with an identifier.
        package var within: String?
        /// Its title.
        package var title: String
        /// Its text besides the title.
        package var text: String
        /// The group that it is in, where only those of the group see it (``Searched/hidden``).
        package var group: Int64?

        package init(
            id: Identifier, at: Instant, isDay: Bool = false, author: Identifier? = nil, within: String? = nil,
            title: String = "", text: String = "", group: Int64? = nil
        ) {
            self.id = id
            self.at = at
            self.isDay = isDay
            self.author = author
            self.within = within
            self.title = title
            self.text = text
            self.group = group
        }
    }

    /// Its kind, a word such as `message`.
    package let kind: String
    /// The table of its rows. Whatever changes a thing's words changes its row there in the same act.
    package let table: String
    /// Whether a new row is put into the index a little later, together with others. That is for what is said often: the
    /// words of one thing by itself cost more than all else that its command does.
    package let isTakenInLater: Bool
    /// Reads a row of that table by its number; `nil` where nothing of the row is to be found.
    package let read: @Sendable (Database, Int64) throws(StoreFailure) -> Thing?
    /// The numbers among these whose rows the caller sees now.
    package let seen: @Sendable (Act, [Int64]) throws(Rejection) -> Set<Int64>
    /// The groups of which the caller surely sees nothing now. A search passes by what is in them, which saves looking at
    /// each row; it judges what is left as always. `nil` where things have no groups.
    package let hidden: (@Sendable (Act) throws(Rejection) -> [Int64])?

    /// Things whose sight the area judges itself.
    package init(
        _ kind: String, table: String, isTakenInLater: Bool = false,
        read: @escaping @Sendable (Database, Int64) throws(StoreFailure) -> Thing?,
        hidden: (@Sendable (Act) throws(Rejection) -> [Int64])? = nil,
        seen: @escaping @Sendable (Act, [Int64]) throws(Rejection) -> Set<Int64>
    ) {
        self.kind = kind
        self.table = table
        self.isTakenInLater = isTakenInLater
        self.read = read
        self.hidden = hidden
        self.seen = seen
    }

    /// A group's word in the index, beside that of the kind.
    func word(of group: Int64) -> String { "\(kind)\(group)" }

    /// Things that SQL describes.
    ///
    /// - Parameters:
    ///   - row: Selects `id`, `at`, `author`, `within`, `title` and `text` of the row of number `?1`. Where `at` is NULL,
    ///     the time is the identifier's. Where there is `hidden`, the seventh is the number of the group.
    ///   - within: The word before the slash of what the thing belongs to.
    ///   - isDay: Whether the time is midnight of a whole day, in universal time.
    ///   - isForGuests: Whether guests see any.
    ///   - hidden: Selects the groups of which the member `?1` sees nothing.
    ///   - sight: Selects the numbers that the member `?2` sees, out of the JSON list `?1`.
    package init(
        _ kind: String, table: String, within: String? = nil, isDay: Bool = false, isForGuests: Bool = true,
        isTakenInLater: Bool = false, row: String, hidden: String? = nil, sight: String
    ) {
        self.init(
            kind, table: table, within: within, isDay: isDay, isTakenInLater: isTakenInLater, row: row, hidden: hidden,
            seen: { (act, numbers) throws(Rejection) in
                let member = try act.member
                guard isForGuests || member.role != .guest else { return [] }
                let list = JSON.array(numbers.map { .int($0) }).text
                return Set(try act.rows(sight, .text(list), .id(member.id)) { row in row.int(0) })
            })
    }

    /// Things whose row SQL describes, and whose sight the area judges itself.
    package init(
        _ kind: String, table: String, within: String? = nil, isDay: Bool = false, isTakenInLater: Bool = false,
        row: String, hidden: String? = nil,
        seen: @escaping @Sendable (Act, [Int64]) throws(Rejection) -> Set<Int64>
    ) {
        // Names whatever the area selects.
        let places = "id, at, author, within, title, text" + (hidden == nil ? "" : ", of_group")
        let named = "WITH thing (\(places)) AS (\(row)) SELECT \(places) FROM thing"
        self.init(
            kind, table: table, isTakenInLater: isTakenInLater,
            read: { (database, number) throws(StoreFailure) in
                try database.first(named, .int(number)) { row in
                    let id = row.identifier("id")
                    return Thing(
                        id: id, at: Instant(milliseconds: row.optionalInt("at") ?? Int64(id.high >> 16)),
                        isDay: isDay, author: row.optionalIdentifier("author"),
                        within: row.optionalIdentifier("within").flatMap { owner in within.map { "\($0)/\(owner)" } },
                        title: row.optionalText("title") ?? "", text: row.optionalText("text") ?? "",
                        group: hidden == nil ? nil : row.int("of_group"))
                }
            },
            hidden: Self.groups(hidden), seen: seen)
    }

    /// Reads numbers of groups by a statement about the caller.
    private static func groups(_ sql: String?) -> (@Sendable (Act) throws(Rejection) -> [Int64])? {
        guard let sql else { return nil }
        return { (act) throws(Rejection) in try act.rows(sql, .id(try act.member.id)) { row in row.int(0) } }
    }
}
