package import KinModel

/// Limits of the area, each with its unit; those of what is seen of a contact stand beside it.
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
    /// Words of such a search that count.
    package static let contactSearchWordsMax = 16
    /// Bytes of one import.
    package static let vCardBytesMax = 4 << 20
    /// Entries of one import.
    package static let vCardEntriesMax = 1000
    /// Bytes of one entry, without its pictures.
    package static let vCardEntryBytesMax = 64 << 10
    /// Bytes of one line of an entry, once it is unfolded; a longer one is passed over.
    package static let vCardLineBytesMax = 16 << 10
    /// What is said at most of one entry that was not taken as it is.
    package static let vCardRemarksMax = 8
    /// Bytes of a vCard that a client writes (CardDAV), with its pictures.
    package static let cardBytesMax = 256 << 10
    /// Bytes of all vCards that are kept as clients wrote them.
    package static let cardsBytesMax = 64 << 20
    /// Characters of the name under which a client keeps one.
    package static let cardNameCharactersMax = 200
    /// vCards in one answer to a gateway, and names in one question.
    package static let cardsPerAnswerMax = 100
}
