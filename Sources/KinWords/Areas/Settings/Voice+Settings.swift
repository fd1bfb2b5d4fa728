import KinModel

/// How members want clients to look and speak.
extension SettingsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "settings",
            sentence: { $0.event.type == "settings.changed" ? $0.phrase("event.settings.changed") : nil })
    }
}
