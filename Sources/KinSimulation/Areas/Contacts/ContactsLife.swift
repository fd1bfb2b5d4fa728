import KinModel
import KinStore

/// Whom the family in the box wants to reach.
final class ContactsLife: SimulatedArea {
    let weight = 2
    /// List + events = list; no snapshot has any.
    let lists = [ListQuestion(method: "contact.list", params: ["limit": 200], part: "contacts")]
    /// Contacts that answers told of: they may be gone.
    private var known: [Identifier] = []
    private static let mostKnown = 40
    /// Files of vCards in base64: one entry; another of the same UID and a second; a third and one that is cut off.
    private static let files = [
        "QkVHSU46VkNBUkQNClZFUlNJT046NC4wDQpVSUQ6dTANCkZOOkltcG9ydCBDMQ0KRU5EOlZDQVJEDQo=",
        "QkVHSU46VkNBUkQNClZFUlNJT046NC4wDQpVSUQ6dTANCkZOOkltcG9ydCBDMg0KRU5EOlZDQVJEDQpCRUdJTjpWQ0FSRA0K"
            + "VkVSU0lPTjo0LjANClVJRDp1MQ0KRk46SW1wb3J0IEMxDQpFTkQ6VkNBUkQNCg==",
        "QkVHSU46VkNBUkQNClZFUlNJT046NC4wDQpVSUQ6dTINCkZOOkltcG9ydCBDMw0KRU5EOlZDQVJEDQpCRUdJTjpWQ0FSRA0K"
            + "VEVMOm5vbmUNCg==",
    ]

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        // Most of what others than the admin try is refused.
        let who = world.dice.once(in: 4) ? who : 0
        let name = "C\(world.dice.below(12))"
        switch world.dice.below(known.count >= Self.mostKnown ? 4 : 8) {
        case 0...1 where !known.isEmpty:
            return (who, "contact.remove", ["contact": .id(known.remove(at: world.dice.below(known.count)))])
        case 2...3 where !known.isEmpty:
            return (
                who, "contact.update",
                [
                    "contact": .id(world.dice.pick(known)), "company": world.dice.once(in: 3) ? .null : .string(name),
                    "lastName": .string(name), "phones": [["value": .string("+49 30 \(world.dice.below(1000))")]],
                ]
            )
        case 4:
            return (who, "contact.import", ["vcard": .string(world.dice.pick(Self.files))])
        default:
            return (who, "contact.add", ["lastName": .string(name), "category": .string(op)])
        }
    }

    func answered(_ method: String, _ result: JSON) {
        guard method.hasPrefix("contact."), method != "contact.list" else { return }
        let made = [result["contact"]?["id"]] + (result["entries"]?.array ?? []).map { $0["contact"] }
        for id in made.compactMap({ $0?.identifier }) where !known.contains(id) && known.count < Self.mostKnown {
            known.append(id)
        }
    }

    /// Every contact is found by its words, and nothing else is.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        let unfound = try daemon.reader.first(
            """
            SELECT coalesce(last_name, '?') FROM contacts WHERE number NOT IN (SELECT rowid FROM contact_words)
            UNION ALL SELECT 'none' FROM contact_words WHERE rowid NOT IN (SELECT number FROM contacts)
            """
        ) { row in row.text(0) }
        return unfound.map { Finding(checker: "contacts", what: "the words of \($0) are not those of a contact") }
    }

    /// A contact that was added twice by one command: its category is the command's `op`. Those out of files have none.
    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        try daemon.reader.first(
            "SELECT category FROM contacts WHERE category IS NOT NULL GROUP BY category HAVING count(*) > 1"
        ) { row in row.text(0) }
    }

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) ->
        Bool]
    { ["contact": { (owner, _) in owner.role != "guest" }] }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        fault == .lostWords ? ["DELETE FROM contact_words"] : []
    }
}

extension Fault {
    /// Contacts are found by no word any more.
    public static let lostWords = Fault("lostWords")
}
