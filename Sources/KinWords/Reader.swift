package import KinCalendar
package import KinModel

/// Somebody who reads: in which language, by which clock, and what the clock on their wall shows.
package struct Reader: Sendable {
    /// How many hours a clock has.
    package enum Clock: Sendable { case hours24, hours12 }

    package let language: Language
    package let clock: Clock
    private let wall: @Sendable (Instant) -> Civil

    /// A reader whose clock on the wall is known otherwise than by a zone.
    package init(_ language: Language, clock: Clock = .hours24, wall: @escaping @Sendable (Instant) -> Civil) {
        self.language = language
        self.clock = clock
        self.wall = wall
    }

    /// A reader in a zone.
    package init(_ language: Language, _ zone: Zone, clock: Clock = .hours24) {
        self.init(language, clock: clock) { zone.civil(at: $0) }
    }

    /// What the reader's clock on the wall shows at a moment.
    package func civil(_ instant: Instant) -> Civil { wall(instant) }

    /// The text under a key of the message files, with its placeholders filled. A key that no file has is said as it is;
    /// the tests see to it that there is none.
    package func phrase(
        _ key: String, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
    ) -> String {
        language.phrases[key]?.filled(values, in: language) ?? key
    }

    /// Whether there is a text under a key: words that a newer daemon sends have none.
    package func knows(_ key: String) -> Bool { language.phrases[key] != nil }
}

extension Reader.Clock {
    /// The clock of a locale such as `en-US` or `de_AT.UTF-8`: twelve hours where CLDR prefers them for the territory.
    /// Without a territory 24, as on the screens of the command line.
    package init(locale: some StringProtocol) {
        let subtags = locale.split { !$0.isLetter && !$0.isNumber }
        let territory = subtags.dropFirst().first { $0.utf8.count == 2 }?.uppercased()
        self = territory.map { Self.ofTwelve.contains($0) } ?? false ? .hours12 : .hours24
    }

    /// Of the territories where English or German is spoken (CLDR 44, timeData: `h` is preferred).
    private static let ofTwelve: Set = [
        "AU", "BD", "BS", "BZ", "CA", "CO", "EG", "FJ", "GH", "GY", "HK", "IN", "JM", "MY", "NZ", "PH", "PK", "PR",
        "SA",
        "SG", "TT", "TW", "US", "ZM",
    ]
}
