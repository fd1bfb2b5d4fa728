import KinCalendar
import KinCrypto
import KinICal
package import KinKeeper
import KinModel

/// Reads a calendar outside, and parses its file.
package struct SubscriptionWork: SlowWork {
    /// The address to look at.
    package let look: OutsideLook
    private let id: Identifier
    private let digest: [UInt8]?
    /// The zone for times that name none: that of the member who added the calendar.
    private let reader: Zone
    private let now: Instant

    package var sort: WorkSort { .outside }

    init(_ subscription: Subscription, _ act: Act) throws(Rejection) {
        reader = try Calendars.zone(of: subscription.owner, act)
        // In another zone, times without a zone are other moments, although the file is the same.
        let isSame = subscription.digest?.dropFirst(Digest.sha256([]).count).elementsEqual(reader.name.utf8) == true
        look = OutsideLook(
            at: subscription.address, accept: "text/calendar, */*;q=0.1", purpose: "calendars", hosts: nil,
            bytesMax: Limits.subscriptionBytesMax, milliseconds: Limits.subscriptionMilliseconds,
            perMinute: Limits.subscriptionsPerMinute, isPrivate: true,
            validators: isSame ? subscription.validators : nil)
        id = subscription.id
        digest = subscription.digest
        now = act.now
    }

    /// The result.
    struct Made: Sendable {
        enum Outcome: Sendable {
            /// Nothing has changed.
            case same
            /// The calendar has this content now.
            case file(SubscriptionFile)
            case failed(Subscription.Trouble, retryAfter: Int64?)
            /// No request was made, because there were too many at once.
            case crowded
        }

        let id: Identifier
        /// The address at which it was read; by now the calendar may have another one.
        let address: String
        var validators: String?
        let outcome: Outcome

        var isCrowded: Bool { if case .crowded = outcome { true } else { false } }
    }

    package func run(at place: borrowing Workplace) -> SlowResult {
        func made(_ outcome: Made.Outcome, validators: String? = nil) -> SlowResult {
            .made(Made(id: id, address: look.address, validators: validators, outcome: outcome))
        }
        switch look.read(at: place) as OutsideReading<Subscription.Trouble> {
        case .same: return made(.same, validators: look.validators)
        case .crowded: return made(.crowded)
        case .failed(let trouble, let retryAfter): return made(.failed(trouble, retryAfter: retryAfter))
        case .page(let page):
            let found = Array(Digest.sha256(page.content)) + Array(reader.name.utf8)
            guard found != digest else { return made(.same, validators: page.validators) }
            do throws(SubscriptionFile.NoCalendar) {
                let file = try SubscriptionFile(page.content, digest: found, reader: reader, now: now)
                return made(.file(file), validators: page.validators)
            } catch { return made(.failed(error.trouble, retryAfter: nil)) }
        }
    }
}

extension FamilyCalendar.Trouble: OutsideTrouble {}

/// The file of a calendar outside: the events that are taken, and its own properties.
struct SubscriptionFile: Sendable {
    struct NoCalendar: Error {
        let trouble: FamilyCalendar.Trouble
    }

    /// The events that are taken. An event that has been over for a year is not. If there are too many, these are the
    /// nearest.
    let items: [ICalItem]
    /// Events that are not taken.
    let leftOut: Int
    let digest: [UInt8]
    /// The name that the calendar has there.
    let name: String?
    /// The colour that it has there.
    let color: String?
    /// Seconds from one reading to the next, by the calendar's own wish.
    let everySeconds: Int64

    init(_ bytes: [UInt8], digest: [UInt8], reader: Zone, now: Instant) throws(NoCalendar) {
        guard Self.begins(bytes) else { throw NoCalendar(trouble: .notCalendar) }
        guard Self.ends(bytes) else { throw NoCalendar(trouble: .broken) }
        let file = ICalFile(bytes, reader: reader, itemsMax: Limits.subscriptionItemsMax)
        guard !file.isCut else { throw NoCalendar(trouble: .tooLarge) }
        self.digest = digest
        let early = now.adding(days: -Limits.subscriptionPastDays)
        var near: [(item: ICalItem, distance: Int64)] = []
        for item in file.items {
            guard let entry = item.entry, let timing = Timing(entry.times) else { continue }
            let (first, last) = timing.bounds(entry.exceptions)
            guard last >= early else { continue }
            let distance = first > now ? first.milliseconds(since: now) : max(0, now.milliseconds(since: last))
            near.append((item.asShown, distance))
        }
        let events = file.items.count { !$0.isOtherThanEvent }
        if near.count > Limits.subscriptionEntriesMax {
            near.sort { ($0.distance, $0.item.number) < ($1.distance, $1.item.number) }
            near = near[..<Limits.subscriptionEntriesMax].sorted { $0.item.number < $1.item.number }
        }
        items = near.map(\.item)
        leftOut = max(0, events - items.count)
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { name in file.lines.first { $0.name == name }?.text }.first { !$0.isEmpty }
        }
        name = text("X-WR-CALNAME", "NAME").flatMap { Self.name($0) }
        color = text("X-APPLE-CALENDAR-COLOR", "COLOR").flatMap { Self.color($0) }
        // The property of RFC 7986, 5.7, and the one that Outlook wrote before.
        let wanted = text("REFRESH-INTERVAL", "X-PUBLISHED-TTL").flatMap { ICalText.seconds(ofDuration: $0) }
        everySeconds =
            wanted.map { min(max(Int64($0), Limits.subscriptionSecondsMin), Limits.subscriptionSecondsMax) }
            ?? Limits.subscriptionSeconds
    }

    /// Whether the bytes begin a calendar, whatever their media type is.
    private static func begins(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(256).drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0D, 0x0A].contains($0) }
        return String(decoding: head.prefix(15), as: UTF8.self).uppercased() == "BEGIN:VCALENDAR"
    }

    /// Whether the calendar has its end: a server that fails midway leaves it out.
    private static func ends(_ bytes: [UInt8]) -> Bool {
        let rest = bytes.suffix(256).reversed().drop { [0x20, 0x09, 0x0D, 0x0A, 0].contains($0) }
        return String(decoding: rest.prefix(13).reversed(), as: UTF8.self).uppercased() == "END:VCALENDAR"
    }

    private static func name(_ text: String) -> String? {
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        let name = String(String.UnicodeScalarView(plain.prefix(Limits.nameCharactersMax)))
        return name.allSatisfy(\.isWhitespace) ? nil : name
    }

    /// The `#rrggbb` of a colour, if it is written in that form.
    private static func color(_ text: String) -> String? {
        let color = String(text.prefix(7)).lowercased()
        return (try? Calendars.check(color: color)) == nil ? nil : color
    }
}

extension ICalItem {
    /// The item without its invitees and alarms, which concern people elsewhere and not the family.
    fileprivate var asShown: ICalItem {
        var item = self
        item.withoutVersion()
        item.keep { component in
            for index in component.components.indices where component.components[index].name == GivenLines.name {
                component.components[index].components.removeAll { $0.name == "VEVENT" }
            }
            for index in component.components.indices {
                component.components[index].lines.removeAll { Self.ofOthers.contains($0.name) }
            }
            component.lines.removeAll { Self.ofOthers.contains($0.name) }
        }
        return item
    }

    private static let ofOthers: Set = ["ATTENDEE", "ORGANIZER", "REQUEST-STATUS", "ATTACH"]
}
