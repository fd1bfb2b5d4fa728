internal import CSQLite
public import KinModel

/// One row of a result, lent to a closure: it cannot be copied, so it cannot outlive the step it belongs to. Columns
/// count from 0. A column of another kind is converted as SQLite does (NULL reads as 0, empty, false).
@safe public struct Row: ~Copyable {
    /// Valid until the statement's next step; the row is only ever lent, between two steps.
    let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    /// Whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }
    /// An integer.
    public func int(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
    /// A floating-point number.
    public func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(statement, column) }
    /// A truth value: not 0.
    public func bool(_ column: Int32) -> Bool { int(column) != 0 }
    /// A moment from its milliseconds since 1970.
    public func instant(_ column: Int32) -> Instant { Instant(milliseconds: int(column)) }

    /// A text; bytes that are not UTF-8 are replaced.
    public func text(_ column: Int32) -> String {
        // The pointer stays valid until the next call on this column or the next step; it is copied at once.
        guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Bytes.
    public func blob(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The size of a blob or text in bytes, without reading it.
    public func byteCount(_ column: Int32) -> Int { unsafe Int(sqlite3_column_bytes(statement, column)) }

    /// An identifier from its sixteen bytes; all zero when the column holds anything else.
    public func identifier(_ column: Int32) -> Identifier {
        guard let start = unsafe sqlite3_column_blob(statement, column),
            unsafe sqlite3_column_bytes(statement, column) == 16
        else { return Identifier(high: 0, low: 0) }
        return unsafe Identifier(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// An integer, or `nil` for NULL.
    public func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }
    /// A number, or `nil` for NULL.
    public func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }
    /// A text, or `nil` for NULL.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    /// Bytes, or `nil` for NULL.
    public func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
    /// A truth value, or `nil` for NULL.
    public func optionalBool(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }
    /// A moment, or `nil` for NULL.
    public func optionalInstant(_ column: Int32) -> Instant? { isNull(column) ? nil : instant(column) }
    /// An identifier, or `nil` for NULL.
    public func optionalIdentifier(_ column: Int32) -> Identifier? { isNull(column) ? nil : identifier(column) }
}
