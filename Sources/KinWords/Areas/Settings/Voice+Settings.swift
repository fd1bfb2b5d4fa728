import KinModel

/// Members' settings for how clients look and speak, the same on every device.
extension SettingsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "settings",
            sentence: { $0.event.type == Settings.changed.name ? $0.phrase("event.settings.changed") : nil })
    }
}
