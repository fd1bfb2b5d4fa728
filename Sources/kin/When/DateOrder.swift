import KinLoop

/// Whether the day or the month comes first in `12/25`, which depends on the territory.
enum DateOrder {
    case monthFirst
    case dayFirst

    /// The order by a locale such as `en_US.UTF-8`, as CLDR 44 writes short dates there. It is `nil` without a
    /// territory, for one that begins with the year, and for one where both orders are usual.
    init?(locale: String) {
        let subtags = locale.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        guard let territory = subtags.dropFirst().first(where: { $0.utf8.count == 2 })?.uppercased(),
            !Self.undecided.contains(territory)
        else { return nil }
        self = Self.ofMonths.contains(territory) ? .monthFirst : .dayFirst
    }

    /// The order at this terminal: the first of `LC_ALL`, `LC_TIME` and `LANG` that is set and not empty counts (POSIX,
    /// XBD 8.2).
    static func here(_ variable: (String) -> String? = Machine.environment) -> DateOrder? {
        let locale = ["LC_ALL", "LC_TIME", "LANG"].compactMap { variable($0) }.first { !$0.isEmpty }
        return locale.flatMap { DateOrder(locale: $0) }
    }

    private static let ofMonths: Set = ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "UM", "US", "VI"]
    private static let undecided: Set = [
        "BT", "CA", "CN", "HU", "IR", "JP", "KE", "KP", "KR", "LT", "MN", "NP", "PA", "PH", "SE", "TW", "ZA",
    ]
}
