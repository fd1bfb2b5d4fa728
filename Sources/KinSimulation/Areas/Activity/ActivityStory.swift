import KinModel

extension ActivityLife {
    static let stories = [
        FoldStory(
            "activity", "Entries come into the inbox, get further lines, are dismissed, read and taken back.",
            view: "activity"
        ) { (family) throws(Finding) in
            try family.comes()
            for text in ["Dinner", "Dinner is late", "Dinner\nis ready"] {
                try family.asks("ada", "activity.announce", ["text": .string(text)])
            }
            let soup = try MeetingsLife.propose("ada", "Soup", "group", ["ben", "cleo"], family)
            try family.compare()
            try family.asks("ada", "meeting.update", soup.with(["title": "Onion soup"]))
            try family.asks("ada", "meeting.nudge", soup.with([:]))
            let entry = try family.told("activity.added")["entry"]?["id"] ?? .null
            let film = try MeetingsLife.propose("ada", "Film", "group", ["ben"], family)
            try family.compare()
            try family.asks("ben", "activity.dismiss", ["id": entry])
            try family.asks("ada", "meeting.update", film.with(["invitees": [family.id("cleo")]]))
            _ = try family.told("activity.removed")
            try family.compare()
            try family.asks("ben", "activity.read", ["upTo": family.time(in: 0)])
            try family.asks("ada", "activity.announce", ["text": "Breakfast"])
        },
        FoldStory(
            "said", "Members speak to the family and to some, correct it and take it back.", view: "activity"
        ) { (family) throws(Finding) in
            try family.comes()
            try family.asks("cleo", "activity.say", ["text": "Soup\nat six"])
            let soup = try said(family)
            try family.asks("ada", "activity.announce", ["text": "Dinner"])
            let dinner = try newest(family)
            try family.compare()
            try family.asks("cleo", "activity.correct", ["id": soup, "text": "Soup at seven"])
            try family.asks("ada", "activity.correct", ["id": dinner, "text": "Supper"])
            _ = try family.told("activity.corrected")
            try family.compare()
            try family.asks("cleo", "activity.say", ["text": "For you alone", "to": [family.id("ben")]])
            try family.asks("cleo", "activity.withdraw", ["id": soup])
            _ = try family.told("activity.deleted")
            try family.compare()
            try family.asks("ben", "activity.dismiss", ["upTo": family.time(in: 0)])
        },
        FoldStory(
            "digest", "Many old entries become one, which says how many of which kind there were.", view: "activity"
        ) {
            (family) throws(Finding) in
            for number in 0..<52 {
                // One member proposes so many only.
                let host = number % 2 == 0 ? "ada" : "cleo"
                _ = try MeetingsLife.propose(host, "Meeting \(number)", "group", ["ben"], family)
            }
            try family.comes()
            try family.asks("ada", "activity.announce", ["text": "Official messages stay"])
            for _ in 0..<50 { try family.passes(seconds: 3600) }
            _ = try family.told("activity.digested")
        },
        FoldStory(
            "long", "More is unread than an inbox has in view: entries are counted in number and in bytes.",
            view: "activity"
        ) { (family) throws(Finding) in
            for number in 0..<94 {
                try family.asks("ada", "activity.announce", ["text": .string("Announcement \(number) is a short one.")])
            }
            try family.comes()
            for number in 94..<104 {
                let text =
                    "Announcement \(number) is a long one, ünlike those before it: \(String(repeating: "…", count: 30))"
                try family.asks("ada", "activity.announce", ["text": .string(text)])
            }
            try family.asks("ben", "activity.dismiss", ["id": try newest(family)])
        },
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ada", "activity.announce", ["text": "Dinner"])
    }

    /// The newest of what members said.
    private static func said(_ family: Recording) throws(Finding) -> JSON {
        for step in family.steps.reversed() {
            guard let event = step["event"], event["type"] == "activity.said" else { continue }
            return .string(String((event["about"]?.string ?? "").dropFirst("said/".count)))
        }
        return .null
    }

    /// The newest announcement.
    private static func newest(_ family: Recording) throws(Finding) -> JSON {
        for step in family.steps.reversed() {
            guard let event = step["event"], event["type"] == "activity.announced" else { continue }
            return .string(String((event["about"]?.string ?? "").dropFirst("announcement/".count)))
        }
        return .null
    }
}
