/// A list that some of the family share: of what to buy, to do or to pack. Its items are ``ListItem``s.
public struct SharedList: WireRecord {
    /// What a list is for.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// What is to be bought.
        case shopping
        /// What is to be done.
        case tasks
        /// What is to be packed.
        case packing
    }

    /// Which one.
    public let id: Identifier
    /// What it is for.
    public var kind: Kind
    /// What it is called, one line.
    public var name: String
    /// Whose it is: who changes or removes the list itself.
    public var owner: Identifier
    /// The sections of its items, in the order of one's way through the shop. Items may name others.
    public var sections: [String]

    /// A list.
    public init(id: Identifier, kind: Kind, name: String, owner: Identifier, sections: [String] = []) {
        self.id = id
        self.kind = kind
        self.name = name
        self.owner = owner
        self.sections = sections
    }

    /// As it is written.
    public static let fields = Fields(
        "List", SharedList.init(id:kind:name:owner:sections:),
        .required("id", \.id, .id),
        .required("kind", \.kind, .word),
        .required("name", \.name, .name),
        .required("owner", \.owner, .id, "Who changes or removes the list itself, besides admins."),
        .required("sections", \.sections, sectionList, "In the order of one's way through the shop.", absent: []))

    /// The sections of a list.
    public static let sectionList = Form.list(
        Form<String>.line(max: Limits.listSectionCharactersMax), max: Limits.listSectionsMax)
}
