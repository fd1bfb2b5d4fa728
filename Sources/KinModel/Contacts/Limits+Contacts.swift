/// Limits of contacts that stand on the wire, each with its unit.
extension Limits {
    /// Characters of a contact's category, company, first name and last name, each.
    public static let contactNameCharactersMax = 100
    /// Characters of a contact's title.
    public static let contactTitleCharactersMax = 50
    /// Characters of a phone number.
    public static let contactPhoneCharactersMax = 50
    /// Characters of an e-mail address (RFC 5321, 4.5.3.1).
    public static let contactEmailCharactersMax = 254
    /// Characters of a postal address.
    public static let contactAddressCharactersMax = 300
    /// Characters of a label, such as `work`.
    public static let contactLabelCharactersMax = 32
    /// Characters of a contact's note.
    public static let contactNoteCharactersMax = 1000
    /// Phone numbers, e-mail addresses and postal addresses of one contact, each.
    public static let contactWaysMax = 8
}
