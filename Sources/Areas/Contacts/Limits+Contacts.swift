package import KinModel

/// Limits of the area, each with its unit. Limits of the fields that clients see of a contact stand beside the contact.
extension Limits {
    /// Contacts of the family.
    package static let contactsMax = 10_000
    /// Bytes of one contact as JSON.
    package static let contactBytesMax = 8 << 10
    /// Contacts in one answer of a list.
    package static let contactsPerAnswerMax: Int64 = 200
    /// Bytes of contacts in one answer, and in one piece of an export.
    package static let contactsPerAnswerBytesMax = 256 << 10
    /// Characters of a search for contacts.
    package static let contactSearchCharactersMax = 200
    /// Words of such a search; further ones are ignored.
    package static let contactSearchWordsMax = 16
    /// Bytes of one import.
    package static let vCardBytesMax = 4 << 20
    /// Entries of one import.
    package static let vCardEntriesMax = 1000
    /// Bytes of one entry, without its pictures.
    package static let vCardEntryBytesMax = 64 << 10
    /// Bytes of one line of an entry, after unfolding; a longer line is ignored.
    package static let vCardLineBytesMax = 16 << 10
    /// Remarks about one entry that was not imported unchanged.
    package static let vCardRemarksMax = 8
    /// Bytes of a vCard that a client writes (CardDAV), with its pictures.
    package static let cardBytesMax = 256 << 10
    /// Bytes of all vCards that are kept as clients wrote them.
    package static let cardsBytesMax = 64 << 20
    /// Characters of the name under which a client keeps a vCard.
    package static let cardNameCharactersMax = 200
    /// vCards in one answer to a gateway, and names in one question.
    package static let cardsPerAnswerMax = 100
}
