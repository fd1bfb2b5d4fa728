import KinModel

extension FoldStory {
    /// What streams do, whatever they tell of: they begin anew, lack parts, and carry what is not understood.
    static let streamStories = [
        FoldStory("reset", "A member becomes a guest and a member again: each time the stream begins anew.") {
            (family) throws(Finding) in
            try family.comes()
            try World.day(family)
            try family.asks("ada", "member.setRole", ["member": family.id("ben"), "role": "guest"])
            try family.compare()
            try family.asks("ada", "member.setRole", ["member": family.id("ben"), "role": "member"])
            try family.compare()
            try family.asks("ben", "member.update", ["member": family.id("ben"), "displayName": "Ben, again"])
        },
        FoldStory(
            "parts", "Parts for which there was no room are absent, and stay so whatever events say; `more` names them."
        ) { (family) throws(Finding) in
            family.absent = ["members", "positions", "meetings"]
            try family.comes()
            try World.day(family)
        },
        FoldStory(
            "unknown",
            "Each event comes after copies that change nothing: one of an unknown type, and one without each field that has to be there."
        ) { (family) throws(Finding) in
            family.isSpoiled = true
            try family.comes()
            try World.day(family)
        },
    ]
}
