import KinModel
import KinWords

extension CommandArea {
    /// What rings. It has no command of its own: `kin phone` adds a phone that rings as it adds one that reports.
    static let notices = CommandArea(
        name: "Notices", group: .map, commands: [],
        messages: { $0 == .german ? PackageResources.notices_de_messages : PackageResources.notices_en_messages })
}
