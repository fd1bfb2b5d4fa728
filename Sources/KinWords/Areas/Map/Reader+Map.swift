package import KinModel

extension Reader {
    /// `45.2735, 13.7142 (±8 m)`: four decimals are eleven metres.
    package func place(_ position: Position) -> String {
        if position.precision == .coarse {
            let middle = "\(Self.decimal(position.lat, places: 2)), \(Self.decimal(position.lon, places: 2))"
            return phrase("position.coarse", ["place": middle])
        }
        let accuracy = position.accuracy.map { " (±\(Self.whole($0)) m)" } ?? ""
        return "\(Self.decimal(position.lat, places: 4)), \(Self.decimal(position.lon, places: 4))\(accuracy)"
    }

    /// `at School`, `not at home`.
    package func place(_ presence: Presence) -> String {
        guard presence.precision == .home else {
            return presence.place.map { phrase("position.at", ["place": Plain.line($0)]) } ?? phrase("position.nowhere")
        }
        guard let isHome = presence.isHome else { return phrase("position.home-unknown") }
        return phrase(isHome ? "position.home" : "position.not-home")
    }

    package func state(of sharing: Sharing, now: Instant) -> String {
        guard sharing.isOn else { return phrase("sharing.off") }
        guard let until = sharing.until else { return phrase("sharing.on") }
        return phrase("sharing.on-until", ["time": short(until, now: now)])
    }

    /// What somebody sees, in a word or two; a word that is not known here as it came.
    package func precision(_ word: String) -> String {
        switch Precision(rawValue: word) {
        case .off: phrase("share.off")
        case .home: phrase("share.home")
        case .place: phrase("share.place")
        case .coarse: phrase("share.coarse")
        case .exact: phrase("share.exact")
        case nil: Plain.line(word)
        }
    }

    /// Why a phone is silent, and what can be done about it; `nil` for a word that is not known here.
    package func trouble(_ word: String?) -> String? {
        guard let word, knows("trouble.\(word)") else { return nil }
        return phrase("trouble.\(word)")
    }

    /// `71 %`, `71 %, charging`.
    package func charge(_ battery: Double?, _ isCharging: Bool?) -> String {
        guard let battery else { return isCharging == true ? phrase("charge.charging") : "" }
        return "\(Self.whole(battery)) %" + (isCharging == true ? ", \(phrase("charge.charging"))" : "")
    }

    /// `moving for 5 min`, `here for 2 h`.
    package func motion(_ motion: Motion?, now: Instant) -> String {
        switch motion {
        case .moving(let since):
            phrase("motion.moving", ["span": span(seconds: max(0, now.milliseconds(since: since) / 1000))])
        case .still(let since):
            phrase("motion.still", ["span": span(seconds: max(0, now.milliseconds(since: since) / 1000))])
        case nil: ""
        }
    }
}
