import KinModel

extension Keeper {
    /// Says once that the disk, which was full or failed, has taken something again.
    func tellOfDisk(isShort: Bool, _ commit: inout Commit) {
        if isShort { isDiskTroubled = true }
        guard isDiskTroubled, !isShort, !commit.events.isEmpty else { return }
        isDiskTroubled = false
        commit.notes.append(Note(.diskWell, "The disk is well again: what is written is kept."))
    }

    /// Carries out what else belongs to a request, in its savepoint: what is refused takes all before it back.
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
