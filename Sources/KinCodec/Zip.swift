import CZlib

/// Archives of plain files in the format ZIP (PKWARE's APPNOTE 6.3.3), which every family's computers and phones open. The files
/// are stored as they are: pictures are compressed already. A file's length and checksum stand before its bytes, so that no
/// reader must guess where it ends. Lengths and places from 4 GiB on, and more than 65,534 files, stand in the fields of Zip64.
public struct Zip {
    /// How far the archive is.
    private var offset: UInt64 = 0
    /// What its end says of each file, about 150 bytes.
    private var directory: [UInt8] = []
    private var files: UInt64 = 0

    /// An archive of no files yet.
    public init() {}

    /// The checksum of bytes that follow others, whose checksum `before` is.
    public static func checksum(_ bytes: [UInt8], after before: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe UInt32(truncatingIfNeeded: crc32(UInt(before), bytes.baseAddress, UInt32(bytes.count)))
        }
    }

    /// What stands before a file's bytes. `seconds` is its time, since 1970; `ahead` how many seconds the clock on its reader's
    /// wall was ahead of UTC then, since the format knows no zone.
    public mutating func header(
        _ name: String, bytes: UInt64, checksum: UInt32, seconds: Int64, ahead: Int64 = 0
    ) -> [UInt8] {
        let name = Array(name.utf8)
        let moment = Self.moment(seconds + ahead)
        let time =
            Int32(exactly: seconds).map { Fields().u16(0x5455).u16(5).u8(1).u32(UInt32(bitPattern: $0)).bytes } ?? []
        // In front of a file both lengths stand there, or none.
        let isLong = bytes >= Self.long
        let lengths = isLong ? Fields().u16(1).u16(16).u64(bytes).u64(bytes).bytes : []
        let header =
            Fields().u32(0x0403_4B50).u16(isLong ? Self.version64 : Self.version).u16(Self.isUTF8).u16(0).bytes
            + moment
            + Fields().u32(checksum).short(bytes).short(bytes).u16(name.count).u16(lengths.count + time.count).bytes
            + name + lengths + time
        enter(name, bytes, checksum, moment, time)
        offset += UInt64(header.count) + bytes
        files += 1
        return header
    }

    /// Writes a file down for the end of the archive.
    private mutating func enter(
        _ name: [UInt8], _ bytes: UInt64, _ checksum: UInt32, _ moment: [UInt8], _ time: [UInt8]
    ) {
        let long = [bytes, bytes, offset].filter { $0 >= Self.long }
        let extra =
            (long.isEmpty ? [] : long.reduce(Fields().u16(1).u16(8 * long.count)) { $0.u64($1) }.bytes) + time
        let version = long.isEmpty ? Self.version : Self.version64
        directory +=
            Fields().u32(0x0201_4B50).u16(Self.unix | version).u16(version).u16(Self.isUTF8).u16(0).bytes + moment
            + Fields().u32(checksum).short(bytes).short(bytes).u16(name.count).u16(extra.count).u16(0).u16(0).u16(0)
            .u32(Self.mode << 16).short(offset).bytes + name + extra
    }

    /// What stands at the end: what the archive holds, and where.
    public consuming func end() -> [UInt8] {
        let (start, length) = (offset, UInt64(directory.count))
        var end: [UInt8] = []
        if start >= Self.long || length >= Self.long || files >= Self.many {
            end =
                Fields().u32(0x0606_4B50).u64(44).u16(Self.unix | Self.version64).u16(Self.version64).u32(0).u32(0)
                .u64(files).u64(files).u64(length).u64(start)
                // Where this record stands.
                .u32(0x0706_4B50).u32(0).u64(start + length).u32(1).bytes
        }
        let count = Int(min(files, Self.many))
        return directory + end
            + Fields().u32(0x0605_4B50).u16(0).u16(0).u16(count).u16(count).short(length).short(start).u16(0).bytes
    }

    // MARK: Numbers

    /// From these on a field only says that the number stands elsewhere.
    private static let long: UInt64 = 0xFFFF_FFFF
    private static let many: UInt64 = 0xFFFF
    /// 2.0, and 4.5 for what Zip64 has.
    private static let (version, version64) = (20, 45)
    /// The third byte of who made it: the mode below is Unix's. A plain file that its owner reads and writes.
    private static let unix = 3 << 8
    private static let mode: UInt32 = 0o100600
    /// Names are UTF-8.
    private static let isUTF8 = 0x0800

    /// A moment in the fields of MS-DOS: two seconds are its least, and it begins with 1980.
    private static func moment(_ seconds: Int64) -> [UInt8] {
        let (first, last): (Int64, Int64) = (315_532_800, 4_354_819_198)
        let seconds = max(first, min(seconds, last))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        var (year, left) = (Int64(1970), days)
        func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        while left >= (isLeap(year) ? 366 : 365) {
            left -= isLeap(year) ? 366 : 365
            year += 1
        }
        var month: Int64 = 1
        for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as [Int64] where left >= 0 {
            guard left >= length else { break }
            left -= length
            month += 1
        }
        let time = (rest / 3600) << 11 | (rest % 3600 / 60) << 5 | rest % 60 / 2
        return Fields().u16(Int(time)).u16(Int((year - 1980) << 9 | month << 5 | (left + 1))).bytes
    }

    /// Numbers one after the other, the least byte first.
    private struct Fields {
        var bytes: [UInt8] = []

        func u8(_ value: UInt8) -> Fields { Fields(bytes: bytes + [value]) }
        func u16(_ value: Int) -> Fields { adding(UInt64(value), 2) }
        func u32(_ value: UInt32) -> Fields { adding(UInt64(value), 4) }
        func u64(_ value: UInt64) -> Fields { adding(value, 8) }
        /// Four bytes; a number that has no room in them stands elsewhere.
        func short(_ value: UInt64) -> Fields { adding(min(value, Zip.long), 4) }

        private func adding(_ value: UInt64, _ count: Int) -> Fields {
            Fields(bytes: bytes + (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) })
        }
    }
}
