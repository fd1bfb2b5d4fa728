extension ReaderSource {
    /// A separate database beside the family's, for data that can be made again at any time: it is in no backup. `make`
    /// fills it when it is not there; the file gets its name only when it is complete. One thread at a time. `former` is
    /// the name under which an earlier version kept it in another form: that file goes when the new one is made.
    public func side(
        _ name: String, insteadOf former: String? = nil, make: (Database) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Database {
        let system = files.system
        let side = Backup.directory(of: path) + "/" + name
        if !system.exists(side) {
            let fresh = side + "-new"
            try system.remove(fresh)
            try system.touch(fresh)
            do throws(StoreFailure) {
                try Self.fill(fresh, make, system)
                try system.sync(fresh)
                try system.rename(fresh, to: side)
                if let former { try? system.remove(Backup.directory(of: path) + "/" + former) }
            } catch {
                try? system.remove(fresh)
                throw error
            }
        }
        return try Database.open(side, .reader, files: system)
    }

    private static func fill(
        _ path: String, _ make: (Database) throws(StoreFailure) -> Void, _ system: any FileSystem
    ) throws(StoreFailure) {
        let database = try Database.open(path, .owner, files: system)
        try database.script("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        try database.begin()
        try make(database)
        try database.commit()
    }
}
