import KinKeeper
import KinModel

/// Facts that every point asks for and that hardly ever change: the numbers of devices, and that no point of a history
/// is doubted.
final class TrackMemory: AreaMemory {
    /// A device's name in a history.
    struct Device: Hashable {
        let track: Int64
        let name: String
    }

    var devices = Remembered<Device, Int64>(of: ["position_devices"], most: 4 * Limits.membersMax)
    /// Histories that have no doubted point.
    var undoubted = Remembered<Int64, Bool>(of: ["doubted_points"], most: 4 * Limits.membersMax)

    init() {}

    func turn(_ turn: Turn) {}

    func forget() {
        devices.forget()
        undoubted.forget()
    }
}
