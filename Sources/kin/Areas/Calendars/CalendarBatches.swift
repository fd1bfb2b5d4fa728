import Glibc

/// A calendar file on its way to the daemon: cut into batches that fit into a request. Every batch is a calendar of its own,
/// with the file's zones. Events of one UID go together, wherever they stand in the file, because they are one entry.
struct CalendarBatches {
    /// Items in one batch. The daemon reports about each.
    static let itemsMax = 250
    /// Bytes from which on a batch is sent. With the zones and the last item it fits into a message of 1 MiB, in which
    /// it stands as Base64.
    static let bytesMax = 192 << 10
    /// Bytes from which on the remaining components of an item are left out. The daemon reports that the item is too
    /// long.
    static let itemBytesMax = 128 << 10
    /// Bytes before the items from which on no more zones are sent along.
    static let headBytesMax = 128 << 10
    /// Bytes of one component. Further lines are left out, and the daemon reports that it is too long.
    static let componentBytesMax = 128 << 10
    /// Zones that are sent along.
    static let zonesMax = 100

    /// A part of the file, and the number of its items.
    struct Batch {
        let bytes: [UInt8]
        let items: Int
    }

    private let file: [UInt8]
    /// The places of the components of each item. The daemon reports about an item as one.
    private var items: [[Range<Int>]] = []
    /// The lines about the calendar itself.
    private var head: [Range<Int>] = []
    private var zones: [Range<Int>] = []
    /// Whether a calendar begins in it.
    private(set) var isCalendar = false
    /// Whether the last component has no end.
    private var isBroken = false
    /// The number of items that are in batches already.
    private(set) var done = 0

    /// The number of items.
    var count: Int { items.count }

    init(_ file: [UInt8]) {
        self.file = file
        survey()
    }

    // MARK: Cutting

    /// The next batch; `nil` after the last one. A file that fits into one batch stays as it is.
    mutating func next() -> Batch? {
        guard done < items.count else { return nil }
        if done == 0, items.count <= Self.itemsMax, file.count <= Self.bytesMax {
            done = items.count
            return Batch(bytes: file, items: items.count)
        }
        var bytes = Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".utf8)
        // The daemon reports which of these lines it does not import. That is needed only once.
        if done == 0 { for line in head where bytes.count + line.count <= Self.headBytesMax { bytes += file[line] } }
        for zone in zones where bytes.count < Self.headBytesMax { add(zone, &bytes) }
        let room = bytes.count + Self.bytesMax
        let first = done
        while done < items.count, done - first < Self.itemsMax, bytes.count < room {
            let most = bytes.count + Self.itemBytesMax
            for component in items[done] where bytes.count < most { add(component, &bytes) }
            done += 1
        }
        // A calendar that has no end in the file gets none here.
        if done < items.count || !isBroken { bytes += Array("END:VCALENDAR\r\n".utf8) }
        return Batch(bytes: bytes, items: done - first)
    }

    /// Adds a component. If it is far too long, only its beginning and end are sent.
    private func add(_ component: Range<Int>, _ bytes: inout [UInt8]) {
        guard component.count > Self.componentBytesMax else {
            bytes += file[component]
            if bytes.last != 0x0A { bytes += [0x0D, 0x0A] }
            return
        }
        let most = bytes.count + Self.componentBytesMax
        var at = component.lowerBound
        var open: [Range<Int>] = []
        while at < component.upperBound {
            let line = at..<min(end(at), component.upperBound)
            at = line.upperBound
            let key = key(line)
            let isNesting = key == "BEGIN" || key == "END"
            guard bytes.count + line.count <= most else {
                if !isNesting { bytes += file[line].prefix(most - bytes.count) }
                break
            }
            bytes += file[line]
            if key == "BEGIN" { open.append(line) } else if key == "END" { _ = open.popLast() }
        }
        if bytes.last != 0x0A { bytes += [0x0D, 0x0A] }
        for line in open.reversed() { bytes += Array("END:\(value(line))\r\n".utf8) }
    }

    // MARK: Reading

    /// Finds the components, and those that belong together.
    private mutating func survey() {
        var places: [String: Int] = [:]
        var depth = 0
        var (start, name, uid) = (0, "", String?.none)
        var at = 0
        func take(_ component: Range<Int>) {
            if name == "VTIMEZONE" {
                if zones.count < Self.zonesMax { zones.append(component) }
                return
            }
            if name == "VEVENT", let uid {
                if let place = places[uid] { return items[place].append(component) }
                places[uid] = items.count
            }
            items.append([component])
        }
        while at < file.count {
            let line = at..<end(at)
            at = line.upperBound
            guard file[line.lowerBound] != 0x20, file[line.lowerBound] != 0x09 else {
                if depth == 0, let last = head.last, last.upperBound == line.lowerBound {
                    head[head.count - 1] = last.lowerBound..<line.upperBound
                }
                continue
            }
            let key = key(line)
            switch key {
            case "BEGIN" where depth == 0 && value(line) == "VCALENDAR": isCalendar = true
            case "BEGIN":
                if depth == 0 { (start, name, uid) = (line.lowerBound, value(line), nil) }
                depth += 1
            case "END" where depth > 0:
                depth -= 1
                if depth == 0 { take(start..<line.upperBound) }
            case "END": break
            case "UID" where depth == 1: uid = uid ?? whole(line)
            default: if depth == 0, head.count < Self.zonesMax { head.append(line) }
            }
        }
        guard depth > 0 else { return }
        isBroken = true
        uid = nil
        name = ""
        take(start..<file.count)
    }

    /// The end of the line that begins at a place, behind its line feed.
    private func end(_ start: Int) -> Int {
        file.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let feed = memchr(base + start, 0x0A, buffer.count - start) else {
                return buffer.count
            }
            return UnsafeRawPointer(feed) - base + 1
        }
    }

    /// The text before a line's first colon or semicolon, in upper case; empty if it is long.
    private func key(_ line: Range<Int>) -> String {
        let head = file[line].prefix(16)
        guard let end = head.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }) else {
            return ""
        }
        return String(decoding: head[..<end], as: UTF8.self).uppercased()
    }

    private func value(_ line: Range<Int>) -> String {
        let value = file[line].drop { $0 != UInt8(ascii: ":") }.dropFirst().prefix { $0 != 0x0D && $0 != 0x0A }
        return String(decoding: value.prefix(80), as: UTF8.self).uppercased()
    }

    /// The whole line, with its continuation lines.
    private func whole(_ line: Range<Int>) -> String {
        var text: [UInt8] = []
        var part = line
        while true {
            text += file[part].prefix { $0 != 0x0D && $0 != 0x0A }
            guard part.upperBound < file.count, text.count < 1024,
                file[part.upperBound] == 0x20 || file[part.upperBound] == 0x09
            else { break }
            part = part.upperBound + 1..<end(part.upperBound + 1)
        }
        return String(decoding: text.drop { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
}
