extension Store {
    /// Begins the turn's one transaction.
    public func beginTurn() throws(StoreFailure) {
        removals.removeAll()
        madeBlobs.removeAll()
        try database.begin()
        changesAtBegin = database.totalChanges
    }

    /// Commits everything of the turn with one sync: when this returns, it is on disk.
    ///
    /// Throws ``StoreFailure/full``, ``StoreFailure/transactionGone`` or ``StoreFailure/constraint(_:)``: nothing of
    /// the turn was kept. Throws ``StoreFailure/gone(path:)``: nothing was kept, and nothing ever will be. Throws
    /// ``StoreFailure/fateUnknown(code:)``: nobody knows; answer so, and exit.
    public func commitTurn() throws(StoreFailure) {
        let wrote = database.totalChanges != changesAtBegin
        do throws(StoreFailure) {
            try checkPlace()
            try database.commit()
        } catch {
            removals.removeAll()
            // It is unknown whether the blobs' rows are there: the next start decides about the blobs.
            if case .fateUnknown = error { madeBlobs.removeAll() }
            if error == .full { ballast.giveUp() }
            throw error
        }
        if wrote {
            commitCount += 1
            countPages()
        }
        leftBlobs += removals
        removals.removeAll()
        madeBlobs.removeAll()
        removeBlobs()
    }

    /// Rolls the turn back.
    public func rollbackTurn() {
        if database.lost == .full { ballast.giveUp() }
        database.rollback()
        removals.removeAll()
        leftBlobs += madeBlobs
        madeBlobs.removeAll()
    }

    /// Removes a blob that this turn made, if the turn is rolled back.
    public func removeUnlessCommitted(blob name: String) {
        madeBlobs.append(name)
    }

    /// How many blobs this turn made so far.
    public var madeBlobCount: Int { madeBlobs.count }

    /// Gives up the blobs that this turn made after so many: the command that made them was taken back, and the turn goes on.
    public func giveUpBlobs(after count: Int) {
        leftBlobs += madeBlobs[count...]
        madeBlobs.removeLast(madeBlobs.count - count)
    }

    /// Removes a blob once the turn's transaction, which no longer names it, is on disk; not if the turn is rolled
    /// back.
    public func removeAfterCommit(blob name: String) {
        removals.append(name)
    }

    /// Syncs through this process's store so far: for metrics, and for showing that a turn is one sync.
    public var fsyncCount: Int { files.system.syncCount }

    /// The disk was full and still is: ordinary commands are refused, those that free room are let through.
    public var isShortOfRoom: Bool { ballast.isGivenUp }
}
