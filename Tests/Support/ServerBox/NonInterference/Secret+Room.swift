import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinSimulation

/// As much as there may be of something, had by others: nobody who does not see it has less room of their own.
extension Secret {
    static let room = [
        Secret("as many places as others may keep and share among themselves", from: everybody) { stage in
            for name in others {
                try fill(stage, name, "place.add", place([.id(try stage.id(name))]))
                try fill(stage, name, "place.add", place([.id(try stage.id(name == "mo" ? "nan" : "mo"))]))
            }
        },
        Secret("as many meetings as others may have among themselves", from: everybody) { stage in
            for name in others {
                try fill(stage, name, "meeting.propose", meeting(stage, slots: Limits.meetingSlotsMax))
                try fill(stage, name, "meeting.propose", meeting(stage, slots: 1))
            }
        },
        Secret("as many links as others may have", from: everybody) { stage in
            for name in others { try fill(stage, name, "guestLink.create", link(stage)) }
        },
        Secret("as many invites as there may be into another household", from: ["hal", "ben", "gil", "gus"]) { stage in
            try fill(stage, "mia", "invite.create", [:])
        },
    ]

    private static let others = ["mia", "mo", "nan"]

    /// Somebody does the same until it is refused for want of room.
    private static func fill(_ stage: Stage, _ who: String, _ method: String, _ params: JSON) throws {
        for _ in 0..<200 {
            do { try stage.does(who, method, params) } catch let refused as Stage.Refused {
                guard refused.answer.contains("1413") else { throw refused }
                return
            }
        }
        throw Stage.Refused(method: method, answer: "there is no end of it")
    }

    // MARK: What is had

    static func place(_ audience: JSON) -> JSON {
        [
            "name": .string(String(repeating: "\u{1F98A}", count: 64)), "lat": 40.1234567, "lon": 9.1234567,
            "audience": audience,
        ]
    }

    static func meeting(_ stage: Stage, slots: Int) -> JSON {
        let now = Instant(milliseconds: stage.box.time.wallMilliseconds())
        let all = (0..<Int64(slots)).map { slot -> JSON in
            let start = now.adding(days: 60 + slot)
            return ["start": .time(start), "end": .time(start.adding(seconds: 3600))]
        }
        return ["title": "Alone", "kind": "solo", "zone": "UTC", "slots": .array(all), "invitees": []]
    }

    static func link(_ stage: Stage) -> JSON {
        let now = Instant(milliseconds: stage.box.time.wallMilliseconds())
        return ["precision": "coarse", "until": .time(now.adding(days: 20))]
    }
}
