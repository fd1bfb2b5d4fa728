import KinModel

extension ProfilesLife {
    static let stories = [
        FoldStory(
            "profiles",
            "Somebody says something of themselves, says it anew, hides it, shows it again and takes it back.",
            view: "profiles"
        ) { (family) throws(Finding) in
            try family.asks("ada", "profile.add", ["kind": "about", "value": "I sail."])
            try family.comes()
            try family.asks("ada", "profile.add", ["kind": "phone", "value": "+43 1 234", "label": "work"])
            let entry = try family.told("profile.added")["entry"]?["id"] ?? .null
            try family.asks("ada", "profile.update", ["entry": entry, "value": "+43 1 235"])
            try family.compare()
            try family.asks("ada", "profile.update", ["entry": entry, "audience": []])
            try family.compare()
            try family.asks("ada", "profile.update", ["entry": entry, "audience": "everyone"])
            try family.compare()
            try family.asks("ben", "profile.add", ["kind": "birthday", "value": "--02-29"])
            try family.asks("ada", "profile.remove", ["entry": entry])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ada", "profile.add", ["kind": "link", "value": "https://ada.example"])
    }
}
