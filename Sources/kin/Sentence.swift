import KinModel

/// What an event says to a person: names, never ids. One sentence for each type of event, in the message files.
enum Sentence {
    static func of(_ event: Event, _ names: Names, now: Instant = LocalTime.now) -> String {
        let voice = Voice(event, names, now: now)
        let sentence = voice.sentence
        let by = voice.by ?? phrase("by.daemon")
        let text = sentence ?? phrase("event.other", ["by": by, "type": Plain.line(event.type)])
        // A line of the inbox says it by itself.
        let isSaid = InboxVoice(names: names, now: now).saysMachine(event.data["entry"]?["lines"]?.array?.last)
        return event.isAtMachine && !isSaid ? phrase("by.at-machine", ["text": text, "name": by]) : text
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
