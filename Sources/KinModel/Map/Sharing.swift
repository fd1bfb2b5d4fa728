/// Whether a member's position is shown to others. Off until the member turns it on.
public struct Sharing: WireRecord {
    /// True while others see the position.
    public var isOn: Bool
    /// When sharing ends by itself; `nil` for no end.
    public var until: Instant?
    /// The adult who holds a child's settings; `nil` when they are the member's own.
    public var heldBy: Identifier?

    /// Off.
    public static let off = Sharing(isOn: false, until: nil)

    /// On or off, with an end or without.
    public init(isOn: Bool, until: Instant?, heldBy: Identifier? = nil) {
        self.isOn = isOn
        self.until = until
        self.heldBy = heldBy
    }

    /// As it is written.
    public static let fields = Fields(
        "Sharing", Sharing.init(isOn:until:heldBy:),
        .required("state", \.isOn, onOrOff),
        .optional("until", \.until, .time, "When it ends by itself."),
        .optional("heldBy", \.heldBy, .id, "The adult who holds a child's settings."))

    /// The word of its state, as a truth value.
    package static let onOrOff = Form<Bool>(
        .oneOf(["on", "off"]), read: { $0 == "on" ? true : $0 == "off" ? false : nil }, write: { $0 ? "on" : "off" })

    /// The word of its state.
    package var state: String { isOn ? "on" : "off" }
}
