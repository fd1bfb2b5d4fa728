import KinModel
import KinWords

extension CommandArea {
    /// Meetings: proposed, voted on, confirmed.
    static let meetings = CommandArea(
        name: "Meetings", group: .meetings, commands: [.meet],
        file: "meetings",
        lookups: [
            Lookup(
                placeholder: "MEETING", word: "meetings",
                names: { (call) throws(Problem) in
                    try MeetingChoice(call).all(MeetingChoice.current).map { MeetingScreen.slug($0.meeting.title) }
                })
        ],
        inboxKinds: [
            "invited", "meetingChanged", "voted", "allReplied", "deadlineNear", "closed", "confirmed", "cancelled",
            "nudged", "goingChanged",
        ],
        explain: { (call, entries, names) in
            // The notice of a confirmation names the meeting's time, if the meeting is still in sight.
            if entries.contains(where: { $0.about.hasPrefix("meeting/") }),
                let seen = try? MeetingChoice(call).all(MeetingChoice.current)
            {
                for seen in seen { names.learn(seen.meeting) }
            }
        },
        used: (today: [], inAll: ["meetings"]))
}
