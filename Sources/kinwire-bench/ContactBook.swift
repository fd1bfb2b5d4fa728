import KinClient
import KinFamily
import KinKeeper
import KinModel
import KinStore

/// What a list and a search cost among five thousand contacts, beside the same questions of a family with one page of
/// them. Both families answer a page of fifty where there are as many.
enum ContactBook {
    private static let contacts = 5_000
    private static let page = 50
    private static let first = [
        "Ada", "Björn", "Clara", "Dmitri", "Élodie", "Fatma", "Grace", "Hana", "Ibrahim", "Jonas",
    ]
    private static let last = [
        "Müller", "Schmidt", "Yılmaz", "García", "Nguyen", "Kowalski", "Rossi", "Andersen", "Novák", "O'Brien", "Weiß",
        "Silva", "Haddad",
    ]
    private static let categories = ["Doctors", "School", "Crafts", "Neighbours", "Club"]

    private static let queries: [(name: String, params: JSON)] = [
        ("first page", [:]), ("one category", ["category": "School"]), ("search, one word", ["words": "muller"]),
        ("search, two beginnings", ["words": "gra and"]), ("search, the end of a number", ["words": "4711"]),
        ("search, no hit", ["words": "submarine"]),
    ]

    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        say("Making a family of \(contacts) contacts.")
        let spent = try build(place.path + "/many", contacts)
        _ = try build(place.path + "/few", page)
        let many = try House(place.path + "/many", options)
        let few = try House(place.path + "/few", options)
        // Answers are read and not parsed, so that a client's work is no part of it.
        let asked = try many.client(.lines, token: try many.signIn(), follows: false)
        let compared = try few.client(.lines, token: try few.signIn(), follows: false)
        let count = options.count ?? 500
        var report = Report("\(contacts) contacts, p99 in microseconds, best of \(options.rounds)")
        report.add("added one by one, contacts/s", (Double(contacts) / spent * 1e6).rounded(0))
        for query in queries {
            var best: (ratio: Double, ours: Double, floor: Double, middle: Double)?
            for _ in 0..<options.rounds {
                var (ours, floor): ([Double], [Double]) = ([], [])
                for _ in 0..<count {
                    floor.append(try compared.time("contact.list", query.params))
                    ours.append(try asked.time("contact.list", query.params))
                }
                let ratio = ours.percentile(0.99) / floor.percentile(0.99)
                if ratio < best?.ratio ?? .infinity {
                    best = (ratio, ours.percentile(0.99), floor.percentile(0.99), ours.percentile(0.5))
                }
            }
            guard let best else { continue }
            report.add(
                query.name, "\(best.ours.rounded(0)) (p50 \(best.middle.rounded(0)))",
                floor: "\(page) contacts: \(best.floor.rounded(0))", verdict: "\(best.ratio.rounded(2)) x")
        }
        return report
    }

    /// Makes a family by its keeper, and answers the microseconds that the contacts took.
    private static func build(_ directory: String, _ count: Int) throws(Trouble) -> Double {
        let now = Instant(milliseconds: Clock.wallMilliseconds)
        let store = try attempt { try Store(directory: directory, migrations: Registry.family.migrations, now: now) }
        let founder = try Founding(store, now: now).member
        let keeper = try attempt { try Keeper(store: store, registry: .family) }
        let start = Clock.microseconds
        for index in 0..<count {
            let number = "+49 171 \((index * 7_919 + 4_711) % 10_000_000)"
            try Founding.ask(
                keeper, now, .machineAs(founder), "contact.add",
                [
                    "firstName": .string(first[index % first.count]),
                    "lastName": .string("\(last[index / first.count % last.count]) \(index)"),
                    "category": .string(categories[index % categories.count]),
                    "company": .string("Company \(index % 400)"),
                    "phones": [["label": "mobile", "value": .string(number)]],
                    "emails": [["value": .string("person\(index)@example.org")]],
                    "note": "Met on the market; calls back in the evening.",
                ])
        }
        return Clock.microseconds - start
    }
}
