/// A phone or a program that rings for one member: it takes what comes into that member's inbox.
public struct NoticeDevice: WireRecord {
    /// How it is reached.
    public enum App: String, Sendable, CaseIterable, Hashable {
        /// By ntfy's interface, on the home network.
        case ntfy
        /// A browser, through its maker's push service.
        case webPush
    }

    /// A choice of the notices that ring on a device.
    public enum Only: String, Sendable, CaseIterable, Hashable {
        /// It rings with official messages and alarms alone.
        case official
    }

    /// Which one.
    public let id: Identifier
    /// What its member calls it.
    public var name: String
    /// How it is reached.
    public let app: App
    /// Whether it says only that something came, and not what.
    public var isDiscreet: Bool
    /// The only notices that ring on it; `nil`: all.
    public var only: Only?

    /// A device.
    public init(id: Identifier, name: String, app: App, isDiscreet: Bool = false, only: Only? = nil) {
        self.id = id
        self.name = name
        self.app = app
        self.isDiscreet = isDiscreet
        self.only = only
    }

    /// As it is written.
    public static let fields = Fields(
        "NoticeDevice", NoticeDevice.init(id:name:app:isDiscreet:only:),
        .required("id", \.id, .id),
        .required("name", \.name, .name, "What its member calls it."),
        .required("app", \.app, .word, "How it is reached."),
        .required("discreet", \.isDiscreet, .bool, "It says only that there is something, and not what."),
        .optional(
            "only", \.only, .word, "official: official messages and alarms alone ring on it; absent: whatever rings."))
}

/// Limits of devices that ring, each with its unit.
extension Limits {
    /// Devices of one member.
    public static let noticeDevicesPerMemberMax = 16
    /// Devices of a family.
    public static let noticeDevicesMax = membersMax * noticeDevicesPerMemberMax
    /// Characters of a title that rings, and of a text.
    public static let noticeTitleCharactersMax = 250
    /// Characters of a text that rings.
    public static let noticeTextCharactersMax = 4096
    /// Priorities, as ntfy has them.
    public static let noticePriorities: ClosedRange<Int64> = 1...5
    /// Buttons below it, as ntfy has them.
    public static let noticeAnswersMax = 3
    /// Tags beside it.
    public static let noticeTagsMax = 5
}
