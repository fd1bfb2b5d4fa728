import KinModel

/// The items that meals put on a list, worked out without a database. An item that was put there before is written
/// again as long as nobody ticked, changed or removed it. An item that somebody touched stays as it is, and its amount
/// is needed no more.
struct Filling {
    /// The need of one meal for one thing.
    struct Need: Hashable, Sendable {
        let meal: Identifier
        let date: String
        let text: String
        let section: String?
        var measure: Measure

        var key: Key { Key(text, measure) }
    }

    /// The key of one item of the list: the same thing in amounts that can be added up.
    struct Key: Hashable, Sendable, Comparable {
        let hash: Int64

        init(hash: Int64) { self.hash = hash }

        init(_ text: String, _ measure: Measure) {
            let kind =
                switch measure.kind {
                case .mass: "mass"
                case .volume: "volume"
                case .pieces: "pieces"
                case .other(let unit): "of " + unit
                }
            let name = text.lowercased().split(separator: " ").joined(separator: " ")
            hash = Filling.hash("\(name)\n\(kind)\n\(measure.thousandths == nil ? "some" : "much")")
        }

        static func < (one: Key, other: Key) -> Bool { one.hash < other.hash }
    }

    /// The part of an item that is for one meal.
    struct Share: Hashable, Sendable {
        let item: Identifier
        let key: Key
        let meal: Identifier
        let date: String
        let thousandths: Int64?
    }

    /// An item that meals put there, with what it said then.
    struct Put: Hashable, Sendable {
        let item: Identifier
        let key: Key
        let said: Int64
    }

    /// The items that the list is to have.
    struct Wanted: Sendable {
        /// The item that is there already; `nil`: a new one.
        let item: Identifier?
        let key: Key
        let text: String
        let section: String?
        let measure: Measure
        /// The parts of it, by the meal each is for.
        let shares: [(meal: Identifier, date: String, thousandths: Int64?)]
    }

    private(set) var wanted: [Wanted] = []
    /// Items that no meal needs any more.
    private(set) var needless: [Identifier] = []
    /// Items that no meal needs any more, and that people have changed. They stay, and belong to those people.
    private(set) var given: [Identifier] = []
    /// The number of items that are left as people changed them.
    private(set) var left = 0

    /// - Parameters:
    ///   - needs: What the meals need, a meal's same thing added up.
    ///   - meals: All meals that are looked at.
    ///   - items: What stands on the list.
    ///   - isJudged: Whether a meal may be said to need nothing: it is gone, or the caller sees it.
    init(
        _ needs: [Need], of meals: Set<Identifier>, on items: [ListItem], put: [Put], shares: [Share],
        from: String, to: String, isJudged: (Identifier) -> Bool
    ) {
        let standing = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        var open: [Key: ListItem] = [:]
        for one in put.sorted(by: { $0.item < $1.item }) {
            guard let item = standing[one.item], !item.isTicked, Self.said(item) == one.said, open[one.key] == nil
            else { continue }
            open[one.key] = item
        }
        let opened = Set(open.values.map(\.id))
        struct Have: Hashable {
            let meal: Identifier
            let key: Key
        }
        // The amounts that a meal needs no more, because people ticked, changed or removed the item.
        var had: [Have: Int64] = [:]
        var kept: [Key: [Share]] = [:]
        // Things that stand on the list for meals that are looked at now, or that are gone.
        var changed: Set<Key> = []
        for share in shares {
            if !opened.contains(share.item) {
                had[Have(meal: share.meal, key: share.key), default: 0] += share.thousandths ?? 0
            } else if !meals.contains(share.meal),
                !(from...to).contains(share.date) || !isJudged(share.meal)
            {
                kept[share.key, default: []].append(share)
            } else {
                changed.insert(share.key)
            }
        }
        var news: [Key: [Need]] = [:]
        for var need in needs {
            if let before = had[Have(meal: need.meal, key: need.key)] {
                let rest = (need.measure.thousandths ?? 0) - before
                left += 1
                guard rest > 0 else { continue }
                need.measure.thousandths = rest
            }
            news[need.key, default: []].append(need)
        }
        for key in Set(open.keys).union(news.keys).sorted() {
            let (needs, old, item) = (news[key] ?? [], kept[key] ?? [], open[key])
            // An item that only other meals need is there already. It is not reported, because the caller may not see
            // those meals.
            if needs.isEmpty, !old.isEmpty, !changed.contains(key) { continue }
            guard !needs.isEmpty || !old.isEmpty else {
                guard let item else { continue }
                if item.note == nil, item.member == nil, item.due == nil {
                    needless.append(item.id)
                } else {
                    given.append(item.id)
                    left += 1
                }
                continue
            }
            let sum = (needs.map(\.measure.thousandths) + old.map(\.thousandths)).compactMap(\.self).reduce(0, +)
            guard let kind = needs.first?.measure.kind ?? item.map({ Measure($0.amount, $0.unit).kind }) else {
                continue
            }
            let isSome = needs.first.map { $0.measure.thousandths == nil } ?? (item?.amount == nil)
            wanted.append(
                Wanted(
                    item: item?.id, key: key, text: item?.text ?? needs.first?.text ?? "",
                    section: needs.compactMap(\.section).first,
                    measure: Measure(kind: kind, thousandths: isSome ? nil : sum),
                    shares: needs.map { ($0.meal, $0.date, $0.measure.thousandths) }
                        + old.map { ($0.meal, $0.date, $0.thousandths) }))
        }
    }

    /// An item's text as a number: it is compared, and the text is not kept.
    static func said(_ item: ListItem) -> Int64 {
        hash("\(item.text)\n\(item.amount.map { JSON.double($0).text } ?? "")\n\(item.unit ?? "")")
    }

    /// FNV-1a of 64 bits.
    static func hash(_ text: String) -> Int64 {
        Int64(bitPattern: text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }
}
