import KinModel

extension FoldStory {
    /// What streams do, whatever they tell of: they begin anew, lack parts, and carry what is not understood.
    static let streamStories = [
        FoldStory("reset", "A member becomes a guest and a member again: each time the stream begins anew.") {
            (family) throws(Finding) in
            try family.comes()
            try day(family)
            try family.asks("ada", "member.setRole", ["member": family.id("ben"), "role": "guest"])
            try family.compare()
            try family.asks("ada", "member.setRole", ["member": family.id("ben"), "role": "member"])
            try family.compare()
            try family.asks("ada", "activity.announce", ["text": "Welcome back"])
        },
        FoldStory(
            "parts", "Parts for which there was no room are absent, and stay so whatever events say; `more` names them."
        ) { (family) throws(Finding) in
            family.absent = ["members", "positions", "meetings"]
            try family.comes()
            try day(family)
        },
        FoldStory(
            "unknown",
            "Each event comes after copies that change nothing: one of an unknown type, and one without each field that has to be there."
        ) { (family) throws(Finding) in
            family.isSpoiled = true
            try family.comes()
            try day(family)
        },
    ]

    /// Something in each area.
    private static func day(_ family: Recording) throws(Finding) {
        try family.asks("ben", "member.update", ["member": family.id("ben"), "displayName": "Benjamin"])
        let rules: JSON = [["viewer": "everyone", "precision": "exact"]]
        try family.asks("ada", "sharing.set", ["state": "on", "rules": rules])
        try family.asks(
            "ada", "position.report", ["lat": 52.5, "lon": 13.25, "at": family.time(in: 0), "accuracy": 12])
        try family.asks(
            "ada", "place.add",
            [
                "name": "Shed", "lat": 52.75, "lon": 13.25, "radius": 150, "audience": "everyone",
                "note": "Mind the step.",
            ])
        let walk = try MeetingsLife.propose("ada", "Walk", "public", ["ben"], family)
        let votes: [JSON] = walk.slots.map { ["slot": $0, "answer": "yes"] }
        try family.asks("ben", "meeting.vote", walk.with(["votes": .array(votes)]))
        try family.asks("ada", "activity.announce", ["text": "Dinner"])
    }
}
