import KinKeeper
import KinModel
import KinStore

/// Questions about a member's sharing that no longer wait for an answer.
extension MemberSharing {
    /// Takes back questions that are settled, or that the members asked may no longer answer.
    func settleQuestions(_ act: Act) throws(Rejection) {
        try PlaceAgreements.settleQuestions(self, act)
        let about = LatestPositions.about(member)
        guard try isAskedAbout(about, act) else { return }
        let groups = try SharingGroups.of(track, act)
        let waiting =
            isOn ? groups.waiting(try rules(act), of: member, in: try act.roster, now: act.now).map(\.entry.id) : []
        func decides(_ reader: Identifier) -> Bool { reader == member || reader == holder }
        try act.settle(Map.sharingAsked, about: about) { (line, reader) in
            !decides(reader) || line.by.map { !waiting.contains($0) } ?? true
        }
        let isToConfirm = isOn && groups.until != nil || heldUntil != nil
        try act.settle(Map.sharingToConfirm, about: about) { (_, reader) in !isToConfirm || !decides(reader) }
        let parents = try parentsAsked(act)
        try act.settle(Map.childSharing, about: about) { (line, reader) in
            line.word == "waits" && !(parents.map { reader == member || $0.contains(reader) } ?? false)
        }
    }

    private func isAskedAbout(_ about: String, _ act: Act) throws(Rejection) -> Bool {
        let kinds = [Map.sharingAsked, Map.sharingToConfirm, Map.childSharing].map(\.name)
        return try act.hooks.inbox?.holds(act, kinds, about) ?? false
    }

    /// Another member decides from here on: open questions are asked of that one.
    func askHolderAnew(_ act: Act) throws(Rejection) {
        try PlaceAgreements.deciderChanged(self, act)
        guard isOn, holder != nil else { return }
        let groups = try SharingGroups.of(track, act)
        for one in groups.waiting(try rules(act), of: member, in: try act.roster, now: act.now) {
            try ask(about: one, to: try ofHolder(act), act)
        }
    }

    /// Asks whether a member who came under a rule may have the sight that it gives.
    func ask(about one: SharingGroups.Waiting, to audience: Audience, _ act: Act) throws(Rejection) {
        try act.emit(
            Self.asked,
            .init(
                member: member, viewer: one.entry.id, group: one.kind == .household ? .household : .everyone,
                precision: one.seen.precision),
            about: LatestPositions.about(member), to: audience, isHeard: true)
    }
}
