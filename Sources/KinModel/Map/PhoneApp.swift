/// A phone's app whose own way of posting positions is understood.
public enum PhoneApp: String, CaseIterable, Sendable, Hashable {
    /// OwnTracks in HTTP mode (Android, iOS).
    case owntracks
    /// Traccar Client, and whatever else speaks OsmAnd's protocol.
    case traccar
    /// Overland (iOS, Android).
    case overland

    /// What its makers call it.
    public var title: String {
        switch self {
        case .owntracks: "OwnTracks"
        case .traccar: "Traccar Client"
        case .overland: "Overland"
        }
    }

    /// The scope of the app password that it needs: OwnTracks shows the positions of others, the rest only reports.
    public var scope: String { self == .owntracks ? "location" : "report" }

    /// The path of the address that it posts to.
    public var path: String {
        switch self {
        case .owntracks: "/owntracks"
        case .traccar: "/osmand"
        case .overland: "/overland"
        }
    }
}
