import KinKeeper
import KinModel
import KinStore

extension Contacts {
    /// Contacts are found by all but guests, by everything that stands there.
    static let searched = Searched(
        "contact", table: "contacts",
        read: { (database, number) throws(StoreFailure) in
            guard let stored = try StoredContact.find(number, database) else { return nil }
            let contact = stored.contact
            let names = [contact.title, contact.firstName, contact.lastName].compactMap(\.self)
            let ways = (contact.phones + contact.emails + contact.addresses).map(\.value)
            let rest = ([contact.company, contact.category, contact.note] + ways).compactMap(\.self)
            let title = names.isEmpty ? contact.company ?? "" : names.joined(separator: " ")
            return Searched.Thing(
                id: contact.id, at: Instant(milliseconds: Int64(contact.id.high >> 16)), title: title,
                text: rest.joined(separator: "\n"))
        },
        seen: { (act, numbers) throws(Rejection) in
            guard readers.contains(act.caller.access) else { return [] }
            let list = JSON.array(numbers.map { .int($0) }).text
            return Set(
                try act.rows(
                    "SELECT c.number FROM json_each(?) j CROSS JOIN contacts c ON c.number = j.value", .text(list)
                ) { row in row.int(0) })
        })
}
