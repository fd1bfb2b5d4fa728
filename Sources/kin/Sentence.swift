import KinModel

/// What an event says to a person: names, never ids.
enum Sentence {
    static func of(_ event: Event, _ names: Names, now: Instant = LocalTime.now) -> String {
        let data = event.data
        let by = event.by.map { names.member($0) }
        switch event.type {
        case "family.founded": return "The family \(name(data["family"])) was founded"
        case "family.renamed": return "The family is now called \(name(data["family"]))"
        case "household.founded":
            let household = name(data["household"])
            return by.map { "\($0) founded the household \(household)" } ?? "The household \(household) was founded"
        case "household.renamed":
            return "\(by ?? "An administrator") renamed a household to \(name(data["household"]))"
        case "household.removed": return "The household \(names.household(data["household"]?.identifier)) is gone"
        case "member.joined": return "\(member(data)) joined the household \(home(data, names))"
        case "member.added":
            return "\(by ?? "An administrator") added \(member(data)) to the household \(home(data, names))"
        case "member.updated": return "Something about \(member(data)) changed"
        case "member.moved": return "\(member(data)) moved to the household \(home(data, names))"
        case "member.removed": return "\(names.member(data["member"]?.identifier)) is no longer in the family"
        case "invite.created":
            let invite = data["invite"]
            let until = invite?["expires"]?.instant.map { ", good until \(LocalTime.short($0, now: now))" } ?? ""
            let household = names.household(invite?["household"]?.identifier)
            return "\(by ?? "An administrator") made an invite into the household \(household)\(until)"
        case "invite.revoked": return "\(by ?? "An administrator") revoked an invite"
        case "session.opened": return "You signed in: \(Plain.line(data["device"]?.string ?? "another device"))"
        case "activity.announced": return "\(by ?? "Kinwire"): \(Plain.line(data["text"]?.string ?? ""))"
        case "activity.deleted": return "An announcement was deleted"
        case "position":
            guard let position = Position(data) else { break }
            return "\(names.member(position.member)) is at \(place(position))"
        case "position.hidden", "position.deleted":
            return "\(names.member(data["member"]?.identifier)) no longer shows a position"
        case "sharing.changed":
            guard let sharing = data["sharing"].flatMap(Sharing.init) else { break }
            return state(of: sharing, now: now)
        default: break
        }
        return "\(by ?? "The daemon"): \(Plain.line(event.type))"
    }

    /// `45.2735, 13.7142 (±8 m)`: four decimals are eleven metres.
    static func place(_ position: Position) -> String {
        let accuracy = position.accuracy.map { " (±\(whole($0)) m)" } ?? ""
        return "\(decimal(position.lat, places: 4)), \(decimal(position.lon, places: 4))\(accuracy)"
    }

    static func state(of sharing: Sharing, now: Instant = LocalTime.now) -> String {
        guard sharing.isOn else { return "Your position is shown to nobody" }
        return "Your position is shown to the family"
            + (sharing.until.map { " until \(LocalTime.short($0, now: now))" } ?? "")
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

    private static func name(_ json: JSON?) -> String { Plain.line(json?["name"]?.string ?? "") }
    private static func member(_ data: JSON) -> String {
        Plain.line(data["member"]?["displayName"]?.string ?? "Somebody")
    }
    private static func home(_ data: JSON, _ names: Names) -> String {
        data["household"].flatMap(Household.init).map { Plain.line($0.name) }
            ?? names.household(data["member"]?["household"]?.identifier)
    }
}
