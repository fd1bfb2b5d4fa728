/// The family a daemon serves.
public struct Family: Sendable, Hashable {
    /// Its identifier; a restored backup keeps it.
    public let id: Identifier
    /// Its name, as founded.
    public var name: String

    /// A family by identifier and name.
    public init(id: Identifier, name: String) {
        self.id = id
        self.name = name
    }

    /// Reads `{"id","name"}`; members it does not know are passed over, since a newer daemon may send more.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let name = json["name"]?.string else { return nil }
        self.init(id: id, name: name)
    }

    /// `{"id","name"}`.
    public var json: JSON { ["id": .id(id), "name": .string(name)] }
}

/// A household of the family tree.
public struct Household: Sendable, Hashable {
    /// Its identifier.
    public let id: Identifier
    /// Its name.
    public var name: String

    /// A household by identifier and name.
    public init(id: Identifier, name: String) {
        self.id = id
        self.name = name
    }

    /// Reads `{"id","name"}`.
    public init?(_ json: JSON) {
        guard let id = json["id"]?.identifier, let name = json["name"]?.string else { return nil }
        self.init(id: id, name: name)
    }

    /// `{"id","name"}`.
    public var json: JSON { ["id": .id(id), "name": .string(name)] }
}
