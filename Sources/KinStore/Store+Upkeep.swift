internal import CSQLite
public import KinModel

extension Store {
    /// Pages in the WAL above which an idle moment is used for a checkpoint.
    static let walPagesIdle = 1_000
    /// Pages in the WAL above which a checkpoint is made even when busy.
    static let walPagesMax = 8_000
    /// Free pages in the file above which an idle moment is used to give some back to the disk.
    static let freePagesMax = 256
    /// Commits after which an idle moment is used to look for free pages, unless something was deleted: a look is a
    /// transaction of its own.
    static let commitsBetweenLooks = 64

    /// The upkeep after a turn, outside of any transaction: checkpoints (this connection alone makes them), truncating
    /// the WAL after something was deleted, giving free pages back, the ballast.
    ///
    /// - Parameter idle: nothing is waiting, so this may take some milliseconds.
    public func afterTurn(idle: Bool, now: Instant) {
        precondition(!database.isInTransaction, "upkeep comes after the turn")
        if database.brokenBy != nil { return }
        if let truncateBy, idle || now >= truncateBy {
            if checkpoint(SQLITE_CHECKPOINT_TRUNCATE) { self.truncateBy = nil }
        } else if walPages >= Self.walPagesMax {
            _ = checkpoint(SQLITE_CHECKPOINT_RESTART)
        } else if idle, walPages >= Self.walPagesIdle {
            _ = checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        }
        if ballast.isGivenUp { ballast.restore() }
        if idle { giveBackFreePages() }
        removeBlobs()
    }

    /// Looks whether there is room again, before a turn is judged by ``isShortOfRoom``.
    public func lookForRoom() {
        if ballast.isGivenUp { ballast.restore() }
    }

    /// Asks for the WAL to be written back and truncated by a moment (a minute from now, after deleting): what was
    /// deleted is then in no file any more. ``afterTurn(idle:now:)`` does it, at the first idle moment.
    public func requestTruncate(by moment: Instant) {
        truncateBy = min(truncateBy ?? .latest, moment)
        nextLook = commitCount
    }

    // MARK: Inside

    /// Writes the WAL back into the database. Answers whether all of it was written, and nobody reads from it any more.
    private func checkpoint(_ mode: Int32) -> Bool {
        if isShortOfRoom, (try? Self.hasRoomToGrow(database, files.system)) != true { return false }
        var (inLog, written): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_wal_checkpoint_v2(database.connection, "main", mode, &inLog, &written)
        checkpointFailure =
            code == SQLITE_OK || code & 0xFF == SQLITE_BUSY
            ? nil : StoreFailure(code: code, message: "the checkpoint failed", path: database.path)
        if code == SQLITE_FULL { ballast.giveUp() }
        if code == SQLITE_OK { walPages = written == inLog ? 0 : Int(max(0, inLog)) }
        return code == SQLITE_OK
    }

    /// Pages in the WAL as of the last commit.
    func countPages() {
        walPages = database.walPages
    }

    private func giveBackFreePages() {
        guard commitCount >= nextLook else { return }
        guard let free = try? database.first("PRAGMA freelist_count", map: { Int($0.int(0)) }), free > Self.freePagesMax
        else {
            nextLook = commitCount + Self.commitsBetweenLooks
            return
        }
        _ = try? database.run("PRAGMA incremental_vacuum(64)")
        countPages()
    }

    func removeBlobs() {
        guard !leftBlobs.isEmpty, !blobs.holds.areHeld else { return }
        leftBlobs = leftBlobs.filter { (try? blobs.remove($0)) == nil }
    }
}
