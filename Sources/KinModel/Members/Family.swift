/// The family a daemon serves.
public struct Family: WireRecord {
    /// Its identifier; a restored backup keeps it.
    public let id: Identifier
    /// Its name, as founded.
    public var name: String

    /// A family by identifier and name.
    public init(id: Identifier, name: String) {
        self.id = id
        self.name = name
    }

    /// As it is written.
    public static let fields = Fields(
        "Family", Family.init(id:name:),
        .required("id", \.id, .id),
        .required("name", \.name, .name))
}

/// A household of the family tree.
public struct Household: WireRecord {
    /// Its identifier.
    public let id: Identifier
    /// Its name.
    public var name: String

    /// A household by identifier and name.
    public init(id: Identifier, name: String) {
        self.id = id
        self.name = name
    }

    /// As it is written.
    public static let fields = Fields(
        "Household", Household.init(id:name:),
        .required("id", \.id, .id),
        .required("name", \.name, .name))
}
