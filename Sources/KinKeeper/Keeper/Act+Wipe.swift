package import KinModel
import KinStore

extension Act {
    /// Deletes everything that areas keep, every row of the log, every remembered `op`, all due work and all blobs.
    package func wipe() throws(Rejection) {
        // Tables that refer to each other are emptied in any order: foreign keys are checked at the end of the
        // transaction.
        try run("PRAGMA defer_foreign_keys = ON")
        let abouts = try rows("SELECT DISTINCT about FROM log") { row in row.text(0) }
        for about in Set(abouts).union(["family"]) { try erase(about: about) }
        for table in areas.flatMap(\.tables) where !table.isKept { try run("DELETE FROM \(table.name)") }
        for table in ["ops", "due"] { try run("DELETE FROM \(table)") }
        replanned()
        for area in areas { try area.life.wiped?(self) }
        let blobs = keeper.store.blobs
        for blob in try ask({ (_) throws(StoreFailure) in try blobs.all() + blobs.unfinished() }) { drop(blob: blob) }
        for memory in keeper.memories.values { memory.forget() }
        rosterChanged()
    }
}
