import KinModel

/// How members want clients to look and speak.
extension SettingsPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            messages: { $0 == .german ? PackageResources.settings_de_messages : PackageResources.settings_en_messages },
            sentence: { $0.event.type == "settings.changed" ? $0.phrase("event.settings.changed") : nil })
    }
}
