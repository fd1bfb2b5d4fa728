import KinModel

extension Sentence {
    /// `45.2735, 13.7142 (±8 m)`: four decimals are eleven metres.
    static func place(_ position: Position) -> String {
        if position.precision == .coarse {
            let middle = "\(decimal(position.lat, places: 2)), \(decimal(position.lon, places: 2))"
            return phrase("dot.coarse", ["place": middle])
        }
        let accuracy = position.accuracy.map { " (±\(whole($0)) m)" } ?? ""
        return "\(decimal(position.lat, places: 4)), \(decimal(position.lon, places: 4))\(accuracy)"
    }

    /// `at School`, `not at home`.
    static func place(_ presence: Presence) -> String {
        guard presence.precision == .home else {
            return presence.place.map { phrase("dot.at", ["place": Plain.line($0)]) } ?? phrase("dot.nowhere")
        }
        guard let isHome = presence.isHome else { return phrase("dot.home-unknown") }
        return phrase(isHome ? "dot.home" : "dot.not-home")
    }

    static func state(of sharing: Sharing, now: Instant = LocalTime.now) -> String {
        guard sharing.isOn else { return phrase("sharing.off") }
        guard let until = sharing.until else { return phrase("sharing.on") }
        return phrase("sharing.on-until", ["time": LocalTime.short(until, now: now)])
    }

    /// Why a phone is silent, and what can be done about it; `nil` for a word that is not known here.
    static func trouble(_ word: String?) -> String? {
        guard let word, Language.current.phrases["trouble.\(word)"] != nil else { return nil }
        return phrase("trouble.\(word)")
    }

    /// `71 %`, `71 %, charging`.
    static func charge(_ battery: Double?, _ isCharging: Bool?) -> String {
        guard let battery else { return isCharging == true ? phrase("charge.charging") : "" }
        return "\(whole(battery)) %" + (isCharging == true ? ", \(phrase("charge.charging"))" : "")
    }

    /// `moving for 5 min`, `here for 2 h`.
    static func motion(_ motion: Motion?, now: Instant) -> String {
        switch motion {
        case .moving(let since):
            phrase("motion.moving", ["span": Words.span(seconds: max(0, now.milliseconds(since: since) / 1000))])
        case .still(let since):
            phrase("motion.still", ["span": Words.span(seconds: max(0, now.milliseconds(since: since) / 1000))])
        case nil: ""
        }
    }
}
