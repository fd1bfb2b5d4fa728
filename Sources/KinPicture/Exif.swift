/// What is read of Exif data (TIFF 6.0, CIPA DC-008): which way is up, and when the picture was taken. Nothing else of it is
/// looked at.
///
/// Read here rather than by a C library: a few tags, on bytes from anybody, that cannot overrun.
public struct Exif: Sendable {
    /// How it has to be turned. Whatever cannot be read counts as upright.
    package private(set) var orientation = Orientation.upright
    /// When it was taken; `nil` where it does not say.
    public private(set) var taken: Taken?

    /// Reads Exif data, with or without its `Exif` preamble.
    public init(_ exif: ArraySlice<UInt8>) {
        let hasPreamble = ByteReader(exif).holds([0x45, 0x78, 0x69, 0x66, 0, 0])
        var reader = ByteReader(hasPreamble ? exif.dropFirst(6) : exif)
        if reader.holds("II") { reader.isLittleEndian = true } else if !reader.holds("MM") { return }
        guard reader.number(2, bytes: 2) == 42, let directory = reader.number(4, bytes: 4) else { return }
        let main = Self.entries(reader, at: directory)
        // Type 3 is a 16-bit number, left-aligned in the value field.
        if let entry = main[0x0112], reader.number(entry + 2, bytes: 2) == 3,
            let tag = reader.number(entry + 8, bytes: 2)
        {
            orientation = Orientation(tag: tag)
        }
        guard let entry = main[0x8769], let place = reader.number(entry + 8, bytes: 4) else { return }
        let inner = Self.entries(reader, at: place)
        // DateTimeOriginal, else the time at which it was made digital; the zone stands in a tag of its own.
        guard let clock = Self.text(reader, inner[0x9003], max: 20) ?? Self.text(reader, inner[0x9004], max: 20) else {
            return
        }
        taken = Taken(exif: clock, offset: Self.text(reader, inner[0x9011], max: 7))
    }

    /// Where the entry of each tag of a directory stands.
    private static func entries(_ reader: ByteReader, at directory: Int) -> [Int: Int] {
        guard let count = reader.number(directory, bytes: 2) else { return [:] }
        var entries: [Int: Int] = [:]
        for index in 0..<min(count, 1000) {
            let entry = directory + 2 + index * 12
            guard let tag = reader.number(entry, bytes: 2) else { break }
            if entries[tag] == nil { entries[tag] = entry }
        }
        return entries
    }

    /// A text of an entry; those of up to four bytes stand in the entry itself.
    private static func text(_ reader: ByteReader, _ entry: Int?, max: Int) -> String? {
        guard let entry, reader.number(entry + 2, bytes: 2) == 2, let count = reader.number(entry + 4, bytes: 4),
            (1...max).contains(count)
        else { return nil }
        guard let place = count <= 4 ? entry + 8 : reader.number(entry + 8, bytes: 4) else { return nil }
        let bytes = reader.part(place, count)
        guard bytes.count == count else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// When a picture was taken, as its camera's clock said: a time of day on a day, and how far that was from UTC where the
/// camera knew.
public struct Taken: Sendable, Equatable {
    /// 1800 to 2200.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31; a day that the month has.
    public let day: Int
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 59.
    public let second: Int
    /// Minutes before UTC's clock, east counted up; `nil`: whatever the zone was.
    public let offsetMinutes: Int?

    /// From `2024:05:01 12:34:56` and `+02:00`. `nil` where that is no time.
    public init?(exif text: String, offset: String?) {
        let digits = text.utf8.map { (0x30...0x39).contains($0) ? Int($0) - 0x30 : -1 }
        guard digits.count >= 19 else { return nil }
        func number(_ start: Int, _ count: Int) -> Int? {
            var value = 0
            for index in start..<(start + count) {
                guard digits[index] >= 0 else { return nil }
                value = value * 10 + digits[index]
            }
            return value
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), (1800...2200).contains(year),
            (1...12).contains(month), (1...Self.days(month, of: year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
        offsetMinutes = offset.flatMap(Self.minutes)
    }

    private static func days(_ month: Int, of year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// `+02:00`, or `Z`.
    private static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        if bytes == [0x5A] { return 0 }
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A else { return nil }
        let digits = [bytes[1], bytes[2], bytes[4], bytes[5]]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let numbers = digits.map { Int($0) - 0x30 }
        let minutes = (numbers[0] * 10 + numbers[1]) * 60 + numbers[2] * 10 + numbers[3]
        guard minutes <= 14 * 60 else { return nil }
        return bytes[0] == 0x2D ? -minutes : minutes
    }

    /// As one process tells another: as Exif has it, the offset behind it.
    package var line: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = "\(year):\(two(month)):\(two(day)) \(two(hour)):\(two(minute)):\(two(second))"
        if let offsetMinutes {
            let size = abs(offsetMinutes)
            text += " \(offsetMinutes < 0 ? "-" : "+")\(two(size / 60)):\(two(size % 60))"
        }
        return text
    }

    package init?(line: Substring) {
        let words = line.split(separator: " ")
        guard (2...3).contains(words.count) else { return nil }
        self.init(exif: words[0] + " " + words[1], offset: words.count == 3 ? String(words[2]) : nil)
    }
}
