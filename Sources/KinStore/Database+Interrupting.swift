internal import CSQLite

extension Database {
    /// Steps of SQLite's machine between two looks at the clock: well below a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    /// From here on a statement ends with ``StoreFailure/overdue`` as soon as `isOverdue` answers true; `nil` takes that
    /// back. `isOverdue` is asked while a statement runs, also while it looks for its first row. Only for connections that
    /// read: their transaction stays open, while one that writes would be rolled back.
    package func interrupt(when isOverdue: (() -> Bool)?) {
        precondition(isReader, "only reads are interrupted")
        self.isOverdue = isOverdue
        guard isOverdue != nil else { return unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
        // The connection is closed before this object is gone, so the address stays good.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            connection, Self.stepsPerLook,
            { context in
                guard let context = unsafe context else { return 0 }
                let database = unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                return database.isOverdue?() == true ? 1 : 0
            }, context)
    }
}
