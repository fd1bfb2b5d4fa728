import KinModel

extension NoticesLife {
    static let stories = [
        FoldStory("notices", "A member adds a phone that rings, names it anew and takes it away.", view: "notices") {
            (family) throws(Finding) in
            let added = try family.asks("ben", "notice.add", ["name": "Phone"])
            try family.comes()
            let device = added["device"]?["id"] ?? .null
            try family.asks("ben", "notice.change", ["device": device, "name": "Ben's phone", "discreet": true])
            try family.compare()
            try family.asks("ben", "notice.test", ["device": device])
            try family.asks("ben", "notice.remove", ["device": device])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ben", "notice.add", ["name": "Phone"])
    }
}
