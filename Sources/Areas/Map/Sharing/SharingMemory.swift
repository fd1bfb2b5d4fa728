import KinKeeper
import KinModel

/// Who may see a member, as every point asks it.
final class SharingMemory: AreaMemory {
    var members = Remembered<Identifier, MemberSharing>(
        of: ["sharing", "sharing_versions"], most: 4 * Limits.membersMax)

    init() {}

    func turn(_ turn: Turn) {}

    func forget() { members.forget() }
}
