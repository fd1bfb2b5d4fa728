import KinModel
import KinWords

extension CommandArea {
    /// The commands for the people and companies that the family wants to reach.
    static let contacts = CommandArea(
        name: "Contacts", group: .family, commands: [.contacts],
        file: "contacts",
        lookups: [
            Lookup(
                placeholder: "CONTACT", word: "contacts",
                names: { (call) throws(Problem) in
                    (try call.call("contact.list", ["limit": 200])["contacts"]?.array ?? [])
                        .compactMap(Contact.init).map(\.shownName)
                })
        ])
}
