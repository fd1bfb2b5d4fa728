internal import CSQLite

extension Database {
    /// Steps of SQLite's machine between two looks at the clock: well below a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    /// From here on a statement is ended once `isOverdue` answers true, with ``StoreFailure/overdue``; with `nil` no longer.
    /// It is asked while statements run, also while one is looking for its first row. For connections that read: a
    /// transaction that reads stays open, and one that writes would be rolled back.
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
