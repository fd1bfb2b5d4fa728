import KinModel

/// Positions and who may see them, places, phones.
extension MapPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "map",
            known: [KnownPlaces.self], sentence: { $0.map() },
            line: { (voice, line, entry) in voice.map(line, entry) },
            signs: ["place": ("round_pushpin", "map"), "position": ("round_pushpin", "map"), "sharing": ("eyes", nil)])
    }
}
