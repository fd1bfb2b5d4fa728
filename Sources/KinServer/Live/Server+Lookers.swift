import KinFamily
import KinModel
import KinStore

extension Server {
    /// Tells the keeper who is shown a dot live, once a viewer, dot and day: the member who is seen can ask for it.
    func noteLookers(_ rows: [LogRow]) {
        for row in rows where row.type == "position" {
            guard let first = lookers.first(row, day: now.milliseconds / 86_400_000) else { continue }
            underWay.beginOwn()
            submitted.append(
                .request(
                    Request(
                        ticket: Self.nobodysTicket, credential: .machine, method: "sharing.followed",
                        params: [
                            "about": .string(row.about),
                            "viewers": .array(first.members.map { .int(Int64($0)) }),
                        ])))
        }
    }

    /// No connection has this slot, so that the answer goes nowhere.
    private static let nobodysTicket = Ticket(connection: .max, sequence: 0)
}
