import KinModel
import KinWords

extension CommandArea {
    /// Where everybody is, who may see it, places, phones.
    static let map = CommandArea(
        name: "Map", group: .map,
        commands: [.whereabouts, .sharing, .place, .phone, .importTrack, .exportTrack, .map],
        messages: { $0 == .german ? PackageResources.map_de_messages : PackageResources.map_en_messages },
        inboxKinds: ["arrived", "left", "phoneSilent", "positionAsked", "placeAsked", "pinned"],
        used: (today: ["pointsToday"], inAll: ["points", "places"]))
}
