import KinModel

/// What an event says to a person: names, never ids. One sentence for each type of event, in the message files.
enum Sentence {
    static func of(_ event: Event, _ names: Names, now: Instant = LocalTime.now) -> String {
        let voice = Voice(event, names, now: now)
        let sentence = voice.family() ?? voice.meeting() ?? voice.inbox() ?? voice.map()
        let by = voice.by ?? phrase("by.daemon")
        let text = sentence ?? phrase("event.other", ["by": by, "type": Plain.line(event.type)])
        // A line of the inbox says it by itself.
        let isSaid = InboxVoice(names: names, now: now).saysMachine(event.data["entry"]?["lines"]?.array?.last)
        return event.isAtMachine && !isSaid ? phrase("by.at-machine", ["text": text, "name": by]) : text
    }

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

    /// A number with so many decimals, without the C library's idea of a decimal point.
    static func decimal(_ number: Double, places: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        guard let scaled = Int64(exactly: (number * Double(scale)).rounded()) else { return "?" }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
        guard places > 0 else { return (scaled < 0 ? "-" : "") + whole.description }
        let digits = rest.description
        return (scaled < 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }

    static func whole(_ number: Double) -> String { decimal(number, places: 0) }
}
