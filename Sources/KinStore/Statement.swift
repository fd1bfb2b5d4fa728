internal import CSQLite

/// A prepared statement, kept by its connection under its text.
@safe final class Statement {
    let pointer: OpaquePointer
    /// In the middle of its rows: the same text asked for again gets a statement of its own.
    var isBusy = false

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
    deinit { unsafe sqlite3_finalize(pointer) }

    /// Binds the values from the first parameter on; values are copied, so nothing needs to outlive the call.
    func bind(_ values: [Value]) -> Int32 {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code: Int32
            switch value {
            case .null: code = unsafe sqlite3_bind_null(pointer, index)
            case .int(let number): code = unsafe sqlite3_bind_int64(pointer, index, number)
            case .double(let number): code = unsafe sqlite3_bind_double(pointer, index, number)
            case .text(var text):
                code = text.withUTF8 { bytes in
                    unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                        // An empty string may have no address, and no address would bind NULL.
                        unsafe kinwire_sqlite_bind_text(
                            pointer, index, characters.baseAddress ?? Self.nothing, UInt64(characters.count))
                    }
                }
            case .blob(let bytes):
                code = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe bytes.isEmpty
                        ? sqlite3_bind_zeroblob(pointer, index, 0)
                        : kinwire_sqlite_bind_blob(pointer, index, bytes.baseAddress, UInt64(bytes.count))
                }
            }
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    /// Back to the start, bound values let go.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
        isBusy = false
    }

    /// An address for empty text; never read, never freed.
    nonisolated(unsafe) private static let nothing = unsafe UnsafePointer(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}
