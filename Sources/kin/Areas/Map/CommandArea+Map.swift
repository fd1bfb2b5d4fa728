import KinModel

extension CommandArea {
    /// Where everybody is, who may see it, places, phones.
    static let map = CommandArea(
        name: "Map", commands: [.whereabouts, .sharing, .share, .place, .phone, .importTrack, .exportTrack],
        messages: { $0 == .german ? PackageResources.map_de_messages : PackageResources.map_en_messages },
        known: [KnownPlaces.self], sentence: { $0.map() }, line: { $0.map($1, $2) },
        inboxKinds: ["arrived", "left", "phoneSilent", "positionAsked", "placeAsked"],
        used: (today: ["pointsToday"], inAll: ["points", "places"]))
}
