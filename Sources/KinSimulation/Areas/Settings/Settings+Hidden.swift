import KinModel

extension SettingsLife {
    static let showingNobody = ["settings.set": "one's own"]

    static let hidden = [
        HiddenDeed("how somebody wants clients to look", from: .everybody) { stage in
            try stage.does("mo", "settings.set", ["language": "de", "tabs": ["map"]])
        }
    ]
}
