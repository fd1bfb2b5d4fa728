public import KinModel

/// A birthday that whoever asks may know.
public struct KnownBirthday: Sendable, Hashable {
    /// The member or the contact.
    public let id: Identifier
    /// Whether it is a member's.
    public let isMembers: Bool
    /// The person's name.
    public let name: String
    /// The day.
    public let birthday: Birthday

    /// A birthday.
    public init(of id: Identifier, isMembers: Bool, name: String, _ birthday: Birthday) {
        (self.id, self.isMembers, self.name, self.birthday) = (id, isMembers, name, birthday)
    }
}
