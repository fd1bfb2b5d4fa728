import KinKeeper
import KinModel

/// A reason why a phone may be silent: either the phone reports it, or its silence suggests it. Its owner can do
/// something about each.
enum PhoneTrouble: String, CaseIterable, Sendable {
    /// The app may not know where it is.
    case locationOff
    /// The app's own mode is to report only when told to by hand.
    case quiet
    /// The app may know where it is only while it is open.
    case locationWhileUsing
    /// The app may not work in the background.
    case backgroundRefreshOff
    /// The system takes the app's permissions away when nobody opens it.
    case pausedWhenUnused
    /// The phone saves power.
    case powerSave
    /// The system puts the app to sleep to save power.
    case batteryOptimised
    /// The app may know only roughly where it is: not why it is silent.
    case locationCoarse
    /// The phone's charge was nearly used up.
    case batteryEmpty
    /// The app is there, and sends no place.
    case noPlaces
    /// Nothing comes at all: switched off, no network, or the app was ended.
    case noContact
    /// No phone of the member's has ever sent anything.
    case noPhone

    /// The self-reported troubles that alone explain silence, the likeliest first.
    private static let said: [PhoneTrouble] = [
        .locationOff, .quiet, .locationWhileUsing, .backgroundRefreshOff, .pausedWhenUnused, .powerSave,
        .batteryOptimised,
    ]

    /// The likeliest reason why none of a member's phones has told where it is since `last`; `phones` with the latest
    /// heard of first.
    static func likeliest(_ phones: [Phone], last: Instant?) -> PhoneTrouble {
        guard let phone = phones.first else { return .noPhone }
        // A message came well after the last position: the app runs, and may not or will not send one.
        let isThere = phone.contact >= (last ?? .earliest).adding(seconds: Limits.placelessSeconds)
        if !isThere, let battery = phone.battery, battery <= Limits.batteryEmptyPercent, phone.isCharging != true {
            return .batteryEmpty
        }
        return said.first { phone.troubles.contains($0) } ?? (isThere ? .noPlaces : .noContact)
    }
}
