import Glibc
public import KinModel

/// A time zone of the IANA database, as Debian's `tzdata` has it under `/usr/share/zoneinfo`, or as it lies under `TZDIR`.
///
/// Read by a strict reader of TZif (RFC 8536) of our own, and not through libical. Tried was libical 3.0.16, which reads
/// the same files: for every hour of 2020 to 2040 its offsets were compared with Python's `zoneinfo`. They agree in
/// Berlin, New York, Casablanca, Kolkata, Dublin and São Paulo; in Pacific/Chatham and Australia/Lord_Howe they are
/// wrong for hours around every change from 2038 on, where the rule at the end of the file takes over. And libical brings
/// ICU's 30 MB with it.
public struct Zone: Sendable, Hashable {
    /// Such as `Europe/Berlin`.
    public let name: String
    private let rules: ZoneFile

    /// A zone by its name, as the database writes it; `nil` for names it does not have. `UTC` is known without it.
    ///
    /// A name's parts begin with a capital letter and hold letters, digits, `_`, `+` and `-`: neither the way out of the
    /// folder nor the files beside the zones can be written so.
    public init?(_ name: some StringProtocol) {
        self.init(name, folder: Zone.folder)
    }

    /// Universal time.
    public static let utc = Zone(name: "UTC", rules: .utc)

    private init(name: String, rules: ZoneFile) {
        self.name = name
        self.rules = rules
    }

    init?(_ name: some StringProtocol, folder: String) {
        let text = String(name)
        guard Zone.isName(text) else { return nil }
        self.name = text
        if text == "UTC" || text == "Etc/UTC" {
            rules = .utc
        } else {
            guard let bytes = Zone.read(folder + "/" + text), let rules = ZoneFile(bytes) else { return nil }
            self.rules = rules
        }
    }

    /// Whether the database is installed.
    public static var areInstalled: Bool { unsafe access(folder + "/Etc/UTC", R_OK) == 0 }

    /// Seconds east of UTC at a moment.
    public func offset(at instant: Instant) -> Int {
        Int(rules.offset(at: instant.milliseconds.flooredDivision(by: 1000)))
    }

    /// The same through all of a time, from one second since 1970 to another; `nil` where it may change in it.
    func steadyOffset(from: Int64, to: Int64) -> Int64? { rules.steadyOffset(from: from, to: to) }

    /// What the zone's time is called at a moment: `CET`, `CEST`; `UTC+0530` where the database has no abbreviation.
    public func abbreviation(at instant: Instant) -> String {
        let name = rules.name(at: instant.milliseconds.flooredDivision(by: 1000))
        return name.hasPrefix("+") || name.hasPrefix("-") ? "UTC" + name : name
    }

    /// The zone of this machine: what `/etc/localtime` leads to, else what `/etc/timezone` names, and UTC where neither is
    /// there. `nil` when the machine's zone has no name in the database.
    public static var system: Zone? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/etc/localtime", &buffer, buffer.count)
        if count > 0 {
            let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let parts = path.split(separator: "/")
            if let folder = parts.firstIndex(of: "zoneinfo") {
                return Zone(parts[(folder + 1)...].joined(separator: "/"))
            }
        }
        guard let bytes = read("/etc/timezone") else {
            return unsafe access("/etc/localtime", F_OK) == 0 ? nil : Zone("UTC")
        }
        return Zone(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
    }

    /// What a clock on the wall shows at a moment.
    public func civil(at instant: Instant) -> Civil {
        Civil(milliseconds: instant.milliseconds + Int64(offset(at: instant)) * 1000)
    }

    /// Which moments a clock on the wall shows something at.
    public enum Reading: Sendable, Hashable {
        /// Exactly one.
        case one(Instant)
        /// None: the clock is put forward over it. `before` is what it would be by the offset after the change, a moment
        /// before it; `after` by the offset before the change, a moment after it (RFC 5545, 3.3.5).
        case skipped(before: Instant, after: Instant)
        /// Two: the clock is put back over it.
        case repeated(first: Instant, second: Instant)
    }

    /// Which moments a clock on the wall shows this at. No zone changes twice within two days.
    public func instant(of civil: Civil) -> Reading {
        let wall = civil.milliseconds.flooredDivision(by: 1000)
        let before = rules.offset(at: wall - 86_400)
        let after = rules.offset(at: wall + 86_400)
        func moment(_ offset: Int64) -> Instant { Instant(milliseconds: civil.milliseconds - offset * 1000) }
        if before == after { return .one(moment(before)) }
        let isBefore = rules.offset(at: wall - before) == before
        let isAfter = rules.offset(at: wall - after) == after
        switch (isBefore, isAfter) {
        case (true, true): return .repeated(first: moment(before), second: moment(after))
        case (true, false): return .one(moment(before))
        case (false, true): return .one(moment(after))
        case (false, false): return .skipped(before: moment(after), after: moment(before))
        }
    }

    /// By name.
    public static func == (left: Self, right: Self) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }
    /// By name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    // MARK: Inside

    /// Where the database lies: `TZDIR`, as for the C library, else where Debian has it.
    private static let folder = unsafe getenv("TZDIR").map { unsafe String(cString: $0) } ?? "/usr/share/zoneinfo"
    /// The largest file of the database has less than 4 kB.
    private static let fileBytesMax = 64 << 10

    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...64).contains(bytes.count) else { return false }
        return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
            return part.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            }
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: fileBytesMax)
        var count = 0
        while count < bytes.count {
            // Rule: the kernel writes at most the bytes that are left.
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            guard got >= 0 else { return nil }
            if got == 0 { return Array(bytes.prefix(count)) }
            count += got
        }
        return nil
    }
}
