/// A queue in which parties take turns: one element of each party, round and round, and each party's own in their
/// order. A party that sends a flood makes its own elements wait longer, and others' by at most one turn.
///
/// Adding and taking cost the same however much waits. Only a full line is searched, for the party with the most in it.
public struct FairLine<Party: Hashable, Element> {
    /// What waits of one party, the oldest first. A party that has nothing waiting has no lane.
    private var lanes: [Party: Lane<Element>] = [:]
    /// Parties that have something waiting, in the order of their turns.
    private var turns = Lane<Party>()
    /// How many elements wait.
    public private(set) var count = 0

    /// An empty line.
    public init() {}

    /// How many parties have something waiting.
    public var partyCount: Int { lanes.count }
    /// Nothing waits.
    public var isEmpty: Bool { count == 0 }

    /// Puts an element at the end of its party's.
    public mutating func put(_ element: Element, of party: Party) {
        count += 1
        if lanes[party]?.append(element) == nil {
            lanes[party] = Lane(element)
            turns.append(party)
        }
    }

    /// Adds an element to a line that has no room left: the party with the most waiting loses its newest. Where several
    /// have as many, the party of the new element loses it, unless it is `spared` and another is not.
    ///
    /// - Returns: The element that was given up, with its party; it may be the new one.
    public mutating func putIntoFull(_ element: Element, of party: Party, spared: (Party) -> Bool) -> Element? {
        put(element, of: party)
        let most = lanes.values.reduce(0) { max($0, $1.count) }
        var loser = party
        if lanes[party]?.count != most || spared(party) {
            let fullest = lanes.filter { $0.value.count == most }.keys
            loser = fullest.first { !spared($0) } ?? (fullest.contains(party) ? party : fullest.first ?? party)
        }
        return takeNewest(of: loser)
    }

    /// The element that ``take()`` would answer now.
    public var first: Element? {
        turns.first { party in lanes[party].map { !$0.isEmpty } ?? false }.flatMap { lanes[$0]?.first { _ in true } }
    }

    /// Takes the oldest element of the party whose turn it is.
    public mutating func take() -> Element? {
        while let party = turns.removeFirst() {
            // The party's last element was given up meanwhile.
            guard let element = lanes[party]?.removeFirst() else { continue }
            count -= 1
            if lanes[party]?.isEmpty == true { lanes[party] = nil } else { turns.append(party) }
            return element
        }
        return nil
    }

    private mutating func takeNewest(of party: Party) -> Element? {
        guard let element = lanes[party]?.removeLast() else { return nil }
        count -= 1
        if lanes[party]?.isEmpty == true {
            lanes[party] = nil
            turns.removeAll(where: { $0 == party })
        }
        return element
    }
}

/// First in, first out; the newest may be taken back. Space at the front is freed in halves, so that taking costs the
/// same at any length.
private struct Lane<Element> {
    private var elements: [Element?] = []
    private var start = 0

    init() {}
    init(_ element: Element) { elements = [element] }

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }

    /// The oldest element that fits.
    func first(where fits: (Element) -> Bool) -> Element? {
        for element in elements[start...] { if let element, fits(element) { return element } }
        return nil
    }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() -> Element? {
        guard start < elements.count else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        if start == elements.count {
            elements.removeAll(keepingCapacity: true)
            start = 0
        } else if start >= 64, start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    mutating func removeLast() -> Element? { isEmpty ? nil : elements.removeLast() }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        elements = elements[start...].filter { element in element.map { !isGone($0) } ?? false }
        start = 0
    }
}
