import KinKeeper
import KinModel
import KinStore

extension Server {
    /// Tells the keeper who is shown a dot live, once a viewer, dot and day: the member who is seen can ask for it.
    func noteLookers(_ rows: [LogRow]) {
        let day = now.milliseconds / 86_400_000
        for row in rows where row.type == "position" {
            for look in fanOut.firstLooks(row, day: day) {
                port.putOwn(
                    Request(
                        ticket: Self.nobodysTicket, credential: .machine, method: "sharing.followed",
                        params: [
                            "about": .string(row.about),
                            "viewers": .array(look.viewers.members.map { .int(Int64($0)) }),
                            "atMachine": .bool(look.isAtMachine),
                        ]))
            }
        }
    }

    /// No connection has this slot, so that the answer goes nowhere.
    static let nobodysTicket = Ticket(connection: .max, sequence: 0)
}
