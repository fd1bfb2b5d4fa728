import KinModel
import KinStore

extension Keeper {
    /// Says once that the disk is full, whoever noticed it first, and once that it takes data again.
    func tellOfDisk(isShort: Bool, _ commit: inout Commit) {
        if isShort, !isFullTold {
            (isDiskTroubled, isFullTold) = (true, true)
            commit.notes.append(
                Note(
                    .disk,
                    "The disk is full: reading, deleting and switching sharing off work, nothing else does. Make room on it."
                ))
        }
        guard isDiskTroubled, !isShort, !commit.events.isEmpty else { return }
        (isDiskTroubled, isFullTold) = (false, false)
        commit.notes.append(Note(.diskWell, "The disk is well again: what is written is kept."))
    }

    /// The count of blobs that the turn has made so far. A worker's blob for a request is one more: it goes where the
    /// request is refused, whoever refuses it.
    func countBlobs(before request: Request) -> Int {
        let count = store.madeBlobCount
        if let blob = request.work?.blob { store.removeUnlessCommitted(blob: blob) }
        return count
    }

    /// Takes back what was done since a savepoint, and the blobs that were made.
    func takeBack(_ savepoint: String, blobsAfter made: Int) throws(StoreFailure) {
        try store.database.rollbackTo(savepoint)
        store.giveUpBlobs(after: made)
        forgetRoster()
    }

    /// Carries out the other methods of a request, in its savepoint. When one of them is refused, all are taken back.
    func goOn(
        _ request: Request, after first: Outcome, _ now: Instant, _ act: inout Act?, _ acts: inout [Act]
    ) throws(Rejection) -> Outcome {
        var outcomes = [first]
        for step in request.also {
            if let act { acts.append(act) }
            outcomes.append(try carryOut(request.alone(step), registry.methods[step.method], now, &act))
            try act?.tellAreas()
        }
        for outcome in outcomes {
            guard case .none = outcome.effect else {
                throw Rejection(.request, "What is slow or changes the connection is asked for by itself.")
            }
        }
        return .done(.array(outcomes.map(\.result)))
    }
}
