import KinKeeper
import KinModel

/// Days as meals name them: `2026-11-24`.
enum MealDay {
    /// The day, if it exists and is from the year 2000 to 2099.
    static func checked(_ text: String) -> String? {
        guard text.utf8.count == 10, text.hasPrefix("20"), Instant(text + "T00:00:00Z") != nil else { return nil }
        return text
    }

    /// The day of a moment, by UTC.
    static func of(_ moment: Instant) -> String { String(moment.description.prefix(10)) }

    /// The same for a parameter; anything else is refused with a sentence.
    static func checked(_ params: Params, _ name: String) throws(Rejection) -> String {
        guard let day = checked(try params.string(name)) else {
            throw Rejection(.invalid, "\(name) is a day that there is, such as 2026-11-24.", field: name)
        }
        return day
    }

    /// The days from `from` to `to`.
    static func range(_ params: Params, max most: Int64) throws(Rejection) -> (from: String, to: String) {
        let (from, to) = (try checked(params, "from"), try checked(params, "to"))
        guard from <= to else { throw Rejection(.invalid, "to is before from.", field: "to") }
        let days =
            (Instant(to + "T00:00:00Z")?.milliseconds(since: Instant(from + "T00:00:00Z") ?? .earliest) ?? 0)
            / 86_400_000
        guard days < most else {
            throw Rejection(.tooLarge, "Ask for \(most) days at once at most.", field: "to")
        }
        return (from, to)
    }
}
