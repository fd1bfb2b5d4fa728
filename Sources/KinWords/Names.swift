package import KinModel

/// What ids stand for, for people. Names once heard are kept, so that the line about a removed member still has one.
/// Each area keeps its own (``Known``), and says beside it how they are asked for.
package struct Names: Sendable {
    private var known: [any Known] = AreaWords.all.flatMap(\.known).map { $0.init() }
    /// Who looks.
    package private(set) var me: Identifier?

    package init(me: Identifier? = nil) { self.me = me }

    package init(_ snapshot: Snapshot) { learn(snapshot) }

    package mutating func learn(_ snapshot: Snapshot) {
        me = snapshot.me ?? me
        for index in known.indices { known[index].learn(snapshot) }
    }

    /// Takes what an event says, beside its names.
    package mutating func learn(_ event: Event) { for index in known.indices { known[index].learn(event) } }

    /// Takes the names out of an event's data; of what is renamed the new one.
    package mutating func learn(_ data: JSON) { for index in known.indices { known[index].learn(data) } }

    /// What one area keeps.
    package subscript<Kind: Known>(_ kind: Kind.Type) -> Kind {
        get { known.lazy.compactMap { $0 as? Kind }.first ?? Kind() }
        set {
            guard let index = known.firstIndex(where: { $0 is Kind }) else {
                preconditionFailure("what is known stands in its area's value")
            }
            known[index] = newValue
        }
    }
}

/// What one area remembers of things that events name by their ids.
package protocol Known: Sendable {
    init()
    mutating func learn(_ snapshot: Snapshot)
    /// Takes the names out of an event's data.
    mutating func learn(_ data: JSON)
    mutating func learn(_ event: Event)
}

extension Known {
    package mutating func learn(_ event: Event) { learn(event.data) }
}
