/// A day of birth, whose year need not be known. The 29th of February is one, in a year that has it or without a year.
public struct Birthday: Hashable, Sendable {
    /// 1 to 9999; `nil` where it is not known.
    public let year: Int?
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// A day that there is; `nil` for others.
    public init?(year: Int?, month: Int, day: Int) {
        guard year.map({ (1...9999).contains($0) }) ?? true, (1...12).contains(month),
            (1...Self.days(of: month, in: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads `1984-02-29` or `--02-29`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?.some(0)) { sum, byte in
                guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                return sum * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        let dash = UInt8(ascii: "-")
        if bytes.count == 7, bytes[0] == dash, bytes[1] == dash, bytes[4] == dash,
            let month = number(2..<4), let day = number(5..<7)
        {
            self.init(year: nil, month: month, day: day)
        } else if bytes.count == 10, bytes[4] == dash, bytes[7] == dash, let year = number(0..<4),
            let month = number(5..<7), let day = number(8..<10)
        {
            self.init(year: year, month: month, day: day)
        } else {
            return nil
        }
    }

    /// `1984-02-29` or `--02-29`.
    public var text: String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return (year.map { digits($0, 4) } ?? "-") + "-" + digits(month, 2) + "-" + digits(day, 2)
    }

    private static func days(of month: Int, in year: Int?) -> Int {
        switch month {
        case 2: year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Form where Value == Birthday {
    /// A day of birth: `1984-02-29`, or `--02-29` without its year.
    public static var birthday: Form {
        Form(.token(max: 10), read: { $0.string.flatMap { Birthday($0) } }, write: { .string($0.text) })
    }
}
