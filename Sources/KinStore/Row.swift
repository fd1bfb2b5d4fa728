internal import CSQLite
public import KinModel

/// One row of a result, lent to a closure: it cannot be copied, so it cannot outlive the step it belongs to.
///
/// A column must be of the kind that is asked for, or the reading fails. The closure need not `try` at every column.
/// The row notes the first column of another kind and answers 0, empty or `nil` for it. When the closure returns, the
/// ``Database`` throws what was noted and drops what the closure made. So a closure may change things outside itself
/// only if they are dropped on a failure, too: it may have put such a 0 there.
///
/// For a column of another kind ``StoreFailure/corrupt(_:)`` is noted, with the column's name and the kind that was
/// found, never its content. For a column that is not in the result it is ``StoreFailure/statement(code:message:)``, as
/// for an unknown column in a statement's text.
public struct Row: ~Copyable {
    /// The statement. The row is only lent, between two of its steps.
    let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    // MARK: Kinds

    /// Whether the column is NULL.
    public func isNull(_ column: Column) -> Bool {
        guard let place = statement.place(of: column) else { return true }
        return isNull(at: place)
    }

    /// An integer.
    public func int(_ column: Column) -> Int64 {
        guard let place = statement.place(of: column) else { return 0 }
        return int(at: place)
    }

    /// A number. An integer counts too: an expression may give 0 in one row and 0.5 in another.
    public func double(_ column: Column) -> Double {
        guard let place = statement.place(of: column) else { return 0 }
        return double(at: place)
    }

    /// A truth value: an integer that is not 0.
    public func bool(_ column: Column) -> Bool { int(column) != 0 }
    /// A moment from its milliseconds since 1970.
    public func instant(_ column: Column) -> Instant { Instant(milliseconds: int(column)) }

    /// A text.
    public func text(_ column: Column) -> String {
        guard let place = statement.place(of: column) else { return "" }
        return text(at: place)
    }

    /// Bytes.
    public func blob(_ column: Column) -> [UInt8] {
        guard let place = statement.place(of: column) else { return [] }
        return blob(at: place)
    }

    /// How many bytes a blob has, without reading it.
    public func byteCount(_ column: Column) -> Int {
        guard let place = statement.place(of: column), holds(SQLITE_BLOB, at: place) else { return 0 }
        return count(at: place)
    }

    /// An identifier from its sixteen bytes.
    public func identifier(_ column: Column) -> Identifier {
        guard let place = statement.place(of: column) else { return Self.noIdentifier }
        return identifier(at: place)
    }

    /// A word of a closed list. One that is not in it, from a newer version or a damaged page, is noted as another kind is.
    public func word<Word: RawRepresentable<String> & CaseIterable>(_ column: Column) -> Word {
        known(Word(rawValue: text(column)), column)
    }

    /// A number that stands for one of a closed list.
    public func code<Code: RawRepresentable<Int64> & CaseIterable>(_ column: Column) -> Code {
        known(Code(rawValue: int(column)), column)
    }

    private func known<Value: CaseIterable>(_ value: Value?, _ column: Column) -> Value {
        if let value { return value }
        if let place = statement.place(of: column) {
            statement.note(place, holds: "an unknown word", not: "one of its own")
        }
        // Never seen: what is noted has the row dropped.
        return Value.allCases[Value.allCases.startIndex]
    }

    // MARK: Kinds or NULL

    /// A word of a closed list, or `nil` for NULL.
    public func optionalWord<Word: RawRepresentable<String> & CaseIterable>(_ column: Column) -> Word? {
        guard placeUnlessNull(column) != nil else { return nil }
        return word(column)
    }

    /// An integer, or `nil` for NULL.
    public func optionalInt(_ column: Column) -> Int64? {
        guard let place = placeUnlessNull(column) else { return nil }
        return int(at: place)
    }

    /// A number, or `nil` for NULL.
    public func optionalDouble(_ column: Column) -> Double? {
        guard let place = placeUnlessNull(column) else { return nil }
        return double(at: place)
    }

    /// A truth value, or `nil` for NULL.
    public func optionalBool(_ column: Column) -> Bool? { optionalInt(column).map { $0 != 0 } }
    /// A moment, or `nil` for NULL.
    public func optionalInstant(_ column: Column) -> Instant? {
        optionalInt(column).map { Instant(milliseconds: $0) }
    }

    /// A text, or `nil` for NULL.
    public func optionalText(_ column: Column) -> String? {
        guard let place = placeUnlessNull(column) else { return nil }
        return text(at: place)
    }

    /// What a text says that has a form of its own, or `nil` for NULL. A text that cannot be read, for which `read`
    /// answers `nil`, is noted as another kind is.
    public func optionalText<Said>(_ column: Column, as read: (String) -> Said?) -> Said? {
        guard let place = placeUnlessNull(column) else { return nil }
        if let said = read(text(at: place)) { return said }
        statement.note(place, holds: "a text of another form", not: "one of its own")
        return nil
    }

    /// Bytes, or `nil` for NULL.
    public func optionalBlob(_ column: Column) -> [UInt8]? {
        guard let place = placeUnlessNull(column) else { return nil }
        return blob(at: place)
    }

    /// An identifier, or `nil` for NULL.
    public func optionalIdentifier(_ column: Column) -> Identifier? {
        guard let place = placeUnlessNull(column) else { return nil }
        return identifier(at: place)
    }

    // MARK: By place

    private static let noIdentifier = Identifier(high: 0, low: 0)

    private func isNull(at place: Int32) -> Bool {
        unsafe sqlite3_column_type(statement.pointer, place) == SQLITE_NULL
    }

    private func placeUnlessNull(_ column: Column) -> Int32? {
        guard let place = statement.place(of: column), !isNull(at: place) else { return nil }
        return place
    }

    /// Whether the column is of that kind; notes it when it is not.
    private func holds(_ kind: Int32, at place: Int32) -> Bool {
        let found = unsafe sqlite3_column_type(statement.pointer, place)
        if found == kind { return true }
        statement.note(place, holds: Self.word(found), not: Self.word(kind))
        return false
    }

    private func int(at place: Int32) -> Int64 {
        guard holds(SQLITE_INTEGER, at: place) else { return 0 }
        return unsafe sqlite3_column_int64(statement.pointer, place)
    }

    private func double(at place: Int32) -> Double {
        guard
            unsafe sqlite3_column_type(statement.pointer, place) == SQLITE_INTEGER || holds(SQLITE_FLOAT, at: place)
        else { return 0 }
        return unsafe sqlite3_column_double(statement.pointer, place)
    }

    private func text(at place: Int32) -> String {
        // The pointer stays valid until the next call on this column or the next step; it is copied at once.
        guard holds(SQLITE_TEXT, at: place), let start = unsafe sqlite3_column_text(statement.pointer, place) else {
            return ""
        }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count(at: place))
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
        statement.note(place, holds: "bytes that are not UTF-8", not: Self.word(SQLITE_TEXT))
        return ""
    }

    private func blob(at place: Int32) -> [UInt8] {
        guard holds(SQLITE_BLOB, at: place), let start = unsafe sqlite3_column_blob(statement.pointer, place) else {
            return []
        }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count(at: place)))
    }

    private func identifier(at place: Int32) -> Identifier {
        guard holds(SQLITE_BLOB, at: place) else { return Self.noIdentifier }
        let size = count(at: place)
        guard size == 16, let start = unsafe sqlite3_column_blob(statement.pointer, place) else {
            statement.note(place, holds: "\(size) bytes", not: "the 16 bytes of an identifier")
            return Self.noIdentifier
        }
        return unsafe Identifier(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    private func count(at place: Int32) -> Int { unsafe Int(sqlite3_column_bytes(statement.pointer, place)) }

    /// The name of a kind of SQLite's.
    private static func word(_ kind: Int32) -> String {
        switch kind {
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a number with a fraction"
        case SQLITE_TEXT: "a text"
        case SQLITE_BLOB: "bytes"
        default: "nothing"
        }
    }
}
