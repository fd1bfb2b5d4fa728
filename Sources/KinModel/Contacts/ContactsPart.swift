/// The family's contacts. They are in no snapshot, because there may be too many: a client lists them (`contact.list`),
/// and keeps the list up to date by the events after its cursor.
public struct ContactsPart: SnapshotPart {
    /// By identifier.
    public var contacts: [Identifier: Contact] = [:]

    /// Its name in what is kept of a list.
    public static let names = ["contacts"]

    /// No contact.
    public init() {}

    /// Reads a list.
    public init(_ json: JSON) {
        for contact in (json["contacts"]?.array ?? []).compactMap(Contact.init) { contacts[contact.id] = contact }
    }

    /// The contacts.
    public func json(_ name: String) -> JSON { .sorted(contacts, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { contacts = [:] }

    /// Applies what an event says of a contact.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Contact.added] ?? event[Contact.changed] {
            contacts[data.contact.id] = data.contact
        } else if let data = event[Contact.removed] {
            contacts[data.contact] = nil
        }
    }
}

extension Snapshot {
    /// Contacts as they were listed, by identifier.
    public var contacts: [Identifier: Contact] {
        get { self[ContactsPart.self].contacts }
        _modify { yield &self[ContactsPart.self].contacts }
    }
}
