import KinFamily
import KinKeeper
import KinModel

/// Which commands bear on who sees whom, and why the others do not. A test holds every command of the registry to it.
package enum SharingMethods {
    /// How often each is tried, beside the others. Those that this registry does not have are not tried.
    package static let weights: [String: Int] = [
        "household.found": 2, "household.move": 6, "household.admit": 8, "household.remove": 1,
        "member.add": 1, "member.join": 2, "member.update": 5, "member.setRole": 3, "member.relate": 6,
        "member.remove": 1, "member.askGrown": 5, "member.answerGrown": 9,
        "invite.create": 2, "invite.revoke": 1,
        "sharing.set": 22, "sharing.admit": 8, "sharing.hold": 9,
        "place.add": 4, "place.update": 5, "place.remove": 2, "place.admit": 5,
        "guestLink.create": 3, "guestLink.open": 4, "guestLink.revoke": 1,
        "position.report": 4, "position.forget": 2,
        "session.open": 4, "session.link": 4, "session.redeem": 7, "session.trust": 4, "session.close": 1,
        "session.revoke": 1,
        "password.change": 2, "password.reset": 1,
        "appPassword.create": 3, "appPassword.revoke": 1,
    ]

    /// Queries are asked too, where they tell where somebody is.
    package static let queries: [String: Int] = ["position.latest": 3, "position.history": 3]

    /// Commands that change nothing of who sees whom, and why: those of areas in their lives, and these.
    package static let besides = World.showingNobody.merging(others) { first, _ in first }

    private static let others: [String: String] = [
        "clock.trust": "the clock of these families is never in doubt",
        "family.found": "there is nobody yet",
        "family.close": "nobody is left to see",
        "family.rename": "a name shows nobody", "household.rename": "a name shows nobody",
        "appPassword.offer": "calendars show no positions", "appPassword.take": "calendars show no positions",
        "wall.add": "a screen is a newcomer, as those who join are; its own tests have what it shows",
        "member.setPicture": "a face is no whereabouts",
        "member.removePicture": "a face is no whereabouts",
        "activity.announce": "it says what its author wrote", "activity.say": "it says what its author wrote",
        "activity.correct": "it says what its author wrote", "activity.withdraw": "it shows nobody",
        "activity.read": "one's own inbox",
        "activity.dismiss": "one's own inbox",
        "activity.setRules": "one's own inbox",
        "meeting.propose": "a meeting's place is not its guests'", "meeting.vote": "meetings show no positions",
        "meeting.refuse": "meetings show no positions", "meeting.suggest": "meetings show no positions",
        "meeting.accept": "meetings show no positions", "meeting.decline": "meetings show no positions",
        "meeting.attend": "meetings show no positions", "meeting.confirm": "meetings show no positions",
        "meeting.update": "meetings show no positions", "meeting.cancel": "meetings show no positions",
        "meeting.nudge": "meetings show no positions", "meeting.handOver": "meetings show no positions",
        "meeting.clearPast": "meetings show no positions",
        "live.mark": "the checker of marks asks it by itself",
        "place.notify": "rings for what is told anyway", "place.unnotify": "rings for what is told anyway",
        "position.ask": "it asks, and the phone answers by its own settings",
        "owntracks.publish": "a report under another name", "phone.publish": "a report under another name",
        "phone.update": "the look of one's own phone", "phone.forget": "one's own phone",
        "session.expose": "it only ends what was seen in plain text",
        "sharing.followed": "it writes down a look",
        "upload.begin": "a file of one's own, seen by nobody before it is taken",
        "upload.end": "a file of one's own, seen by nobody before it is taken",
        "outside.allow": "the daemon asks, and tells nobody", "outside.forbid": "the daemon asks, and tells nobody",
        "map.setSource": "where pictures of streets come from, which show nobody",
        "quota.set": "room for files is no whereabouts",
        "family.backup": "a file at the machine; restores are done without it",
    ]

    /// Commands that are in neither list, and those in a list that the registry does not have.
    package static var forgotten: [String] {
        Registry.family.methods.values.filter { $0.sort != .query }.map(\.name)
            .filter { weights[$0] == nil && besides[$0] == nil }.sorted()
    }

    /// Parameters of these commands for which nobody knows a value.
    package static var unknown: [String] {
        Registry.family.methods.values.filter { weights[$0.name] != nil || queries[$0.name] != nil }
            .flatMap { method in
                method.parameters.filter { !SharingArguments.isKnown($0) }.map { "\(method.name) \($0.name)" }
            }.sorted()
    }

    static let all: [(method: String, weight: Int)] = (weights.merging(queries) { $0 + $1 })
        .filter { Registry.family.methods[$0.key] != nil }.sorted { $0.key < $1.key }
        .map { ($0.key, $0.value) }
}
