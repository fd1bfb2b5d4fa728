/// One thing that a member says of themselves, with an audience of its own.
public struct ProfileEntry: WireRecord {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// Text about oneself; a member has one.
        case about
        /// The day of birth, with or without its year; a member has one.
        case birthday
        /// A phone number.
        case phone
        /// An e-mail address.
        case email
        /// A postal address.
        case address
        /// A page or a name elsewhere.
        case link

        /// Whether a member has one at most.
        public var isOnce: Bool { self == .about || self == .birthday }
    }

    /// Which one.
    public let id: Identifier
    /// Whose it is.
    public var member: Identifier
    /// What it is.
    public let kind: Kind
    /// The text, number or address; a birthday as `1984-02-29`, or `--02-29` without its year (ISO 8601:2000, RFC 6350).
    public var value: String
    /// What sort of way it is, such as `work`.
    public var label: String?

    /// An entry.
    public init(id: Identifier, member: Identifier, kind: Kind, value: String, label: String? = nil) {
        self.id = id
        self.member = member
        self.kind = kind
        self.value = value
        self.label = label
    }

    /// As it is written.
    public static let fields = Fields(
        "ProfileEntry", ProfileEntry.init(id:member:kind:value:label:),
        .required("id", \.id, .id),
        .required("member", \.member, .id, "Whose it is."),
        .required("kind", \.kind, .word),
        .required(
            "value", \.value, .text(max: Limits.profileAboutCharactersMax),
            "A birthday as 1984-02-29, or --02-29 without its year."),
        .optional("label", \.label, .line(max: Limits.profileLabelCharactersMax), "Of a way, such as work."))
}
