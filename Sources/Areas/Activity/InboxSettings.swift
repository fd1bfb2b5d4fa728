import KinKeeper
import KinModel
import KinStore

/// A member's wishes about what to be told, and when; or those for one of the member's devices.
struct InboxSettings: WireRecord {
    /// The owner of the settings.
    enum Owner {
        /// A member: what comes into the inbox, and rings anywhere.
        case member(Identifier)
        /// One device of a member, of what the member's own settings let through.
        case device(Identifier, of: Identifier)
    }

    /// Names of kinds.
    var muted: [String] = []
    /// Names of kinds that ring for a member although they only wait for others. Devices have none of their own.
    var ringing: [String] = []
    /// When a member is told nothing; when a device makes no sound.
    var quiet: QuietHours?
    /// Members whose acts ring nowhere.
    var still: [Identifier] = []
    /// The only members whose acts make phones sound; `nil`: everybody's acts do.
    var sound: [Identifier]?

    private static let columns = "muted, quiet_from, quiet_to, quiet_zone, quiet_days, still, sound_from"

    /// Nothing of one's own: everything comes, and rings as it does.
    init() {}

    private init(
        muted: [String], ringing: [String], quiet: QuietHours?, still: [Identifier], sound: [Identifier]?
    ) {
        self.muted = muted
        self.ringing = ringing
        self.quiet = quiet
        self.still = still
        self.sound = sound
    }

    private init(_ row: borrowing Row) {
        muted = row.text("muted").split(separator: " ").map { String($0) }
        quiet = QuietHours(
            from: row.optionalInt("quiet_from"), to: row.optionalInt("quiet_to"), zone: row.optionalText("quiet_zone"),
            days: row.optionalText("quiet_days"))
        still = Self.ids(row.text("still"))
        sound = row.optionalText("sound_from").map(Self.ids)
    }

    /// A member's settings; `nil` when there is no such member.
    static func of(_ member: Identifier, _ act: Act) throws(Rejection) -> InboxSettings? {
        try act.first("SELECT \(columns), ringing FROM inbox_members WHERE member = ?", .id(member)) { row in
            var settings = InboxSettings(row)
            settings.ringing = row.text("ringing").split(separator: " ").map { String($0) }
            return settings
        }
    }

    /// Those of a member, or of one device; `nil` when there is no such member.
    static func of(_ owner: Owner, _ act: Act) throws(Rejection) -> InboxSettings? {
        switch owner {
        case .member(let member): return try of(member, act)
        case .device(let device, let member):
            guard try of(member, act) != nil else { return nil }
            let own = try act.first("SELECT \(columns) FROM inbox_devices WHERE device = ?", .id(device)) { row in
                InboxSettings(row)
            }
            return own ?? InboxSettings()
        }
    }

    /// Writes them down. A device that says nothing of its own has no row.
    func save(for owner: Owner, _ act: Act) throws(Rejection) {
        let values: [Value] = [
            .text(muted.joined(separator: " ")), Value(quiet?.from), Value(quiet?.to), Value(quiet?.zone),
            Value(quiet?.daysText), .text(Self.text(still)), Value(sound.map(Self.text)),
        ]
        switch owner {
        case .member(let member):
            try act.run(
                """
                UPDATE inbox_members SET muted = ?, quiet_from = ?, quiet_to = ?, quiet_zone = ?, quiet_days = ?,
                still = ?, sound_from = ?, ringing = ? WHERE member = ?
                """, values: values + [.text(ringing.joined(separator: " ")), .id(member)])
        case .device(let device, let member):
            try Self.forget(device: device, act)
            if muted.isEmpty, quiet == nil, still.isEmpty, sound == nil { return }
            try act.run(
                "INSERT INTO inbox_devices (\(Self.columns), device, member) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values: values + [.id(device), .id(member)])
        }
    }

    static let fields: Fields<InboxSettings> = fields(mute: .any, ring: .any)

    /// The same, where it is known which kinds can be muted, and which can be told to ring.
    static func fields(mute: Shape, ring: Shape) -> Fields<InboxSettings> {
        let kinds = Form<[String]>.list(Form<String>.text(.any), max: .max)
        let people = Form<[Identifier]>.list(.id, max: Limits.inboxRuleMembersMax)
        return Fields(
            nil, InboxSettings.init(muted:ringing:quiet:still:sound:),
            .required("mute", \.muted, kinds.shaped(mute)), .required("ring", \.ringing, kinds.shaped(ring)),
            .required("quiet", \.quiet, .nullable(QuietHours.form)), .required("still", \.still, people),
            .required("soundFrom", \.sound, .nullable(people)))
    }

    private static func ids(_ text: String) -> [Identifier] { text.split(separator: " ").compactMap { Identifier($0) } }
    private static func text(_ ids: [Identifier]) -> String { ids.map(\.description).joined(separator: " ") }

    /// Somebody leaves: no rule names them any more.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        for (table, column) in ["inbox_members", "inbox_devices"].flatMap({ [($0, "still"), ($0, "sound_from")] }) {
            try act.run(
                """
                UPDATE \(table) SET \(column) = trim(replace(' ' || \(column) || ' ', ' ' || ?1 || ' ', ' '))
                WHERE instr(\(column), ?1)
                """, .text(member.description))
        }
    }

    /// A device is gone.
    static func forget(device: Identifier, _ act: Act) throws(Rejection) {
        try act.run("DELETE FROM inbox_devices WHERE device = ?", .id(device))
    }

    /// How an entry rings on the member's devices that have settings of their own; `nil`: many entries, told together.
    static func loudnessOnDevices(
        of entry: InboxEntry?, for member: Identifier, _ act: Act
    ) throws(Rejection) -> [Identifier: InboxHook.Loudness] {
        if entry?.isOfficial ?? false { return [:] }
        let rows = try act.rows("SELECT device, \(columns) FROM inbox_devices WHERE member = ?", .id(member)) { row in
            (device: row.identifier("device"), settings: InboxSettings(row))
        }
        let line = entry?.lines.last
        // A digest is of the kinds that it sums up.
        let kinds =
            line?["kinds"]?.array?.compactMap { $0["kind"]?.string } ?? [line?["kind"]?.string].compactMap(\.self)
        var found: [Identifier: InboxHook.Loudness] = [:]
        for (device, settings) in rows {
            let isMuted = !kinds.isEmpty && kinds.allSatisfy(settings.muted.contains)
            let isQuiet = settings.quiet?.end(at: act.now) != nil
            let loudness = isMuted ? .still : settings.loudness(of: line, by: line?["by"]?.identifier)
            found[device] = isQuiet && loudness == .sound ? .silent : loudness
        }
        return found
    }

    /// How loud a line is, by the member who caused it; many lines have no single author.
    private func loudness(of line: JSON?, by member: Identifier?) -> InboxHook.Loudness {
        if let member, still.contains(member) { return .still }
        guard let sound, line != nil else { return .sound }
        return member.map(sound.contains) ?? false ? .sound : .silent
    }

    /// How an entry rings, by its newest line. Official entries always sound. A digest has no author.
    static func loudness(
        of entry: InboxEntry, for member: Identifier, _ act: Act
    ) throws(Rejection) -> InboxHook.Loudness {
        let line = entry.lines.last
        let kind = line?["kind"]?.string.flatMap { act.inboxKinds[$0] }
        if entry.isOfficial { return kind?.isQuiet ?? false ? .still : .sound }
        let settings = try of(member, act)
        if let kind, kind.isQuiet, !(settings?.ringing.contains(kind.name) ?? false) { return .still }
        guard let settings else { return .sound }
        return settings.loudness(of: line ?? .null, by: line?["by"]?.identifier)
    }

    /// Until when the member is not to be told; `nil` when now is fine.
    func quietUntil(_ now: Instant) -> Instant? { quiet?.end(at: now) }
}
