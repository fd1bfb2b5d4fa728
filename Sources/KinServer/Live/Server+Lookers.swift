import KinKeeper
import KinModel
import KinStore

extension Server {
    /// Tells the keeper who is shown a dot live, once a viewer, dot and day: the member who is seen can ask for it.
    func noteLookers(_ rows: [LogRow]) {
        let day = now.milliseconds / 86_400_000
        for row in rows where row.type == "position" {
            if let first = lookers.first(row, day: day) { note(first, of: row, isAtMachine: false) }
            if let first = lookersAtMachine.first(row, day: day) { note(first, of: row, isAtMachine: true) }
        }
    }

    private func note(_ viewers: Audience, of row: LogRow, isAtMachine: Bool) {
        underWay.beginOwn()
        submitted.append(
            .request(
                Request(
                    ticket: Self.nobodysTicket, credential: .machine, method: "sharing.followed",
                    params: [
                        "about": .string(row.about), "viewers": .array(viewers.members.map { .int(Int64($0)) }),
                        "atMachine": .bool(isAtMachine),
                    ])))
    }

    /// A connection begins to follow the map, or does so no longer. Whoever acts at the machine in a member's name looks as
    /// the machine.
    func looks(_ following: Following, _ begins: Bool) {
        guard following.seesMap else { return }
        switch (following.isAtMachine, begins) {
        case (false, true): lookers.came(following.number)
        case (false, false): lookers.went(following.number)
        case (true, true): lookersAtMachine.came(following.number)
        case (true, false): lookersAtMachine.went(following.number)
        }
    }

    /// No connection has this slot, so that the answer goes nowhere.
    private static let nobodysTicket = Ticket(connection: .max, sequence: 0)
}
