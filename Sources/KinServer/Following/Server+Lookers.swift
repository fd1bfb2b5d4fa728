import KinKeeper
import KinModel
import KinStore

extension Server {
    /// Tells the keeper which members are shown a position live, once for each viewer, member and day. The member whose
    /// position it is can ask for this.
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

    /// A ticket that no connection has, so that the answer is dropped.
    static let nobodysTicket = Ticket(connection: .max, sequence: 0)
}
