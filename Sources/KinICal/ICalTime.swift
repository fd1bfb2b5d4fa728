internal import CICal
public import KinCalendar
public import KinModel

/// A DATE or DATE-TIME of iCalendar (RFC 5545, 3.3.4 and 3.3.5): as a clock shows it, without its zone, which stands in a
/// parameter beside it.
public struct ICalTime: Sendable, Hashable, CustomStringConvertible {
    /// What the clock shows; midnight for a date.
    public let civil: Civil
    /// Whether it is a date alone.
    public let isDate: Bool
    /// Whether it ends in Z.
    public let isUTC: Bool

    /// A time.
    public init(_ civil: Civil, isDate: Bool = false, isUTC: Bool = false) {
        self.civil = isDate ? civil.startOfDay : civil
        self.isDate = isDate
        self.isUTC = isUTC && !isDate
    }

    /// Reads `20261124`, `20261124T180000` or `20261124T180000Z`; `nil` for anything else. A second 60 is 59.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 8 || bytes.count == 15 || (bytes.count == 16 && bytes[15] == UInt8(ascii: "Z")) else {
            return nil
        }
        let line = String(decoding: bytes, as: UTF8.self)
        let read = unsafe Library.use { unsafe icaltime_from_string(line) }
        guard let time = unsafe ICalTime(read) else { return nil }
        self = time
    }

    init?(_ time: icaltimetype) {
        guard
            let civil = unsafe Civil(
                year: Int(time.year), month: Int(time.month), day: Int(time.day),
                hour: time.is_date == 1 ? 0 : Int(time.hour), minute: time.is_date == 1 ? 0 : Int(time.minute),
                second: time.is_date == 1 ? 0 : min(59, Int(time.second)))
        else { return nil }
        unsafe self.init(civil, isDate: time.is_date == 1, isUTC: icaltime_is_utc(time) == 1)
    }

    /// The moment, as if it were in universal time.
    public var moment: Instant { instant }

    /// A moment in universal time and whole seconds.
    public init(moment: Instant) {
        let whole = Instant(milliseconds: moment.milliseconds / 1000 * 1000)
        self.init(Zone.utc.civil(at: whole), isUTC: true)
    }

    /// The same for libical, without a zone.
    var floating: icaltimetype {
        var time = unsafe icaltime_null_time()
        unsafe time.year = Int32(civil.year)
        unsafe time.month = Int32(civil.month)
        unsafe time.day = Int32(civil.day)
        unsafe time.hour = Int32(civil.hour)
        unsafe time.minute = Int32(civil.minute)
        unsafe time.second = Int32(civil.second)
        unsafe time.is_date = isDate ? 1 : 0
        return unsafe time
    }

    /// The moment, where it ends in Z; else as if it did.
    var instant: Instant {
        if case .one(let instant) = Zone.utc.instant(of: civil) { instant } else { Instant(milliseconds: 0) }
    }

    /// As iCalendar writes it.
    public var description: String {
        let digits = String(civil.description.filter(\.isNumber))
        if isDate { return String(digits.prefix(8)) }
        let time = digits.dropFirst(8)
        return digits.prefix(8) + "T" + time + (time.count == 4 ? "00" : "") + (isUTC ? "Z" : "")
    }
}
