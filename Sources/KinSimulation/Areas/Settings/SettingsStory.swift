import KinModel

extension SettingsLife {
    static let stories = [
        FoldStory("settings", "A member sets how clients look and speak, and unsets it.", view: "settings") {
            (family) throws(Finding) in
            try family.asks("ben", "settings.set", ["language": "de"])
            try family.comes()
            try family.asks("ben", "settings.set", ["zone": "Europe/Vienna", "tabs": ["map", "meetings"]])
            try family.compare()
            try family.asks("ben", "settings.set", ["language": .null])
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ben", "settings.set", ["theme": "dark"])
    }
}
