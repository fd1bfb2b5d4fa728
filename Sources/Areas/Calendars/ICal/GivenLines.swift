import KinCalendar
import KinICal
import KinModel

/// Lines of an event's file that the daemon would write differently, because it cuts a title or drops a parameter or
/// the seconds of an end. They are kept with the lines that the daemon does not know (``StoredEntry/raw``), each group
/// with a digest of the lines that the daemon would write instead. As long as the daemon would still write the same,
/// the file's lines are given back. So a part that is changed here is written in its present form, and every other part
/// as it came.
enum GivenLines {
    /// The name of the component in which they are kept.
    static let name = "X-KINWIRE-GIVEN"
    /// The name of the line before a group.
    static let head = "X-KINWIRE-WHILE"

    /// Lines that belong together.
    private struct Group {
        let name: String
        let lines: Set<String>
        /// Whether it is no loss if these lines are written although the file has none.
        var isFree = false
    }

    /// The lines of its times, which only make sense together.
    private static let series = Group(
        name: "DTSTART", lines: ["DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "RRULE", "RDATE", "EXDATE"])
    /// The lines that name its version. They are the file's as long as nothing of the event has changed.
    private static let version = Group(
        name: "DTSTAMP", lines: ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"], isFree: true)
    private static let made = Group(name: "CREATED", lines: ["CREATED"], isFree: true)
    private static let groups =
        [series, version, made, Group(name: "STATUS", lines: ["STATUS"], isFree: true)]
        + ["SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "CLASS", "CATEGORIES"].map { Group(name: $0, lines: [$0]) }
    /// Lines that do not count for the state: identifiers, and lines about members, whose names differ between readers.
    private static let free: Set = ["UID", "CREATED", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "ORGANIZER", "ATTENDEE"]

    /// All lines of an event that the daemon writes as well.
    static func all(of event: ICalComponent) -> ICalComponent {
        var lines: [ICalLine] = []
        for group in groups {
            let own = event.lines.filter { group.lines.contains($0.name) }
            guard !own.isEmpty || !group.isFree else { continue }
            lines += [line(group, "-")] + own
        }
        return ICalComponent(name, lines)
    }

    private static func line(_ group: Group, _ digest: String) -> ICalLine {
        ICalLine(head, [ICalLine.Parameter("X-OF", group.name)], value: digest)
    }

    /// The groups that are kept, with their digests.
    private static func read(_ kept: ICalComponent) -> [(group: Group, digest: String, lines: [ICalLine])] {
        var read: [(group: Group, digest: String, lines: [ICalLine])] = []
        for line in kept.lines {
            if line.name == head {
                guard let group = groups.first(where: { $0.name == line["X-OF"] }) else { continue }
                read.append((group, line.value, []))
            } else if !read.isEmpty {
                read[read.count - 1].lines.append(line)
            }
        }
        return read
    }

    // MARK: Signing

    /// An event as it is written without the kept lines, and the lines that are kept of it.
    struct Written {
        var component: ICalComponent
        var kept: ICalComponent?
        /// Whether it says more than who comes.
        var isState = true
    }

    /// Decides which kept lines are still needed. Lines that are written again as they are get dropped; each of the
    /// others is bound to what is written in its place. The first event is the one that has all kept lines.
    static func sign(_ all: inout [Written]) {
        guard let first = all.first?.component else { return }
        let whole = Self.whole(all)
        for index in all.indices {
            guard let kept = all[index].kept else { continue }
            var lines: [ICalLine] = []
            for one in read(kept) {
                let written = all[index].component.lines.filter { one.group.lines.contains($0.name) }
                let isVersion = one.group.name == version.name || one.group.name == made.name
                guard isVersion || written.map(\.description).sorted() != one.lines.map(\.description).sorted() else {
                    continue
                }
                let digest = Self.digest(of: one.group, all[index].component, first, whole)
                lines += [line(one.group, digest)] + one.lines
            }
            // Components that are given back beside it depend on its times.
            if !kept.components.isEmpty, !lines.contains(where: { $0["X-OF"] == series.name }) {
                let own = all[index].component.lines.filter { series.lines.contains($0.name) }
                lines += [line(series, Self.digest(of: series, all[index].component, first, whole))] + own
            }
            all[index].kept =
                lines.isEmpty && kept.components.isEmpty
                ? nil : ICalComponent(name, lines, components: kept.components)
        }
    }

    /// The kept lines of an entry that is written differently from the file it came from, each bound to what is written
    /// now.
    static func signed(_ stored: StoredEntry) -> String? {
        guard let raw = stored.raw, var component = try? ICalComponent(raw.utf8) else { return stored.raw }
        var written = EntryWriter(names: [:]).written(of: stored)
        sign(&written)
        func put(_ kept: ICalComponent?, into component: inout ICalComponent) {
            component.components.removeAll { $0.name == name }
            if let kept { component.components.insert(kept, at: 0) }
        }
        put(written.first?.kept, into: &component)
        for index in component.components.indices where component.components[index].name == "VEVENT" {
            let value = component.components[index]["RECURRENCE-ID"]?.value
            let one = written.dropFirst().first { $0.component["RECURRENCE-ID"]?.value == value }
            put(one?.kept, into: &component.components[index])
        }
        return component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }

    // MARK: Giving back

    /// Events with the lines of their files, as far as nothing of them has changed.
    static func restored(_ all: [Written]) -> [ICalComponent] {
        guard let first = all.first?.component, all.contains(where: { $0.kept != nil }) else {
            return all.map(\.component)
        }
        let whole = Self.whole(all)
        var aside: [ICalComponent] = []
        let restored = all.map { one -> ICalComponent in
            guard let kept = one.kept else { return one.component }
            var component = one.component
            for group in read(kept) {
                let isSame = digest(of: group.group, one.component, first, whole).hasSameBytes(as: group.digest)
                if group.group.name == series.name, isSame {
                    aside += kept.components.filter { $0.name == "VEVENT" }
                }
                put(group.lines, of: group.group, isSame: isSame, into: &component)
            }
            return component
        }
        // All components of one entry have the same names.
        let uid = first["UID"]
        aside = aside.map { one in
            var one = one
            one.lines.removeAll { $0.name == "UID" }
            if let uid { one.lines.insert(uid, at: 0) }
            return one
        }
        return restored + aside
    }

    private static func put(_ lines: [ICalLine], of group: Group, isSame: Bool, into component: inout ICalComponent) {
        if group.name == version.name {
            guard isSame else {
                // Programs take a smaller number for an older version (RFC 5545, 3.8.7.4).
                guard let given = lines.first(where: { $0.name == "SEQUENCE" }).flatMap({ Int64($0.value) }),
                    let at = component.lines.firstIndex(where: { $0.name == "SEQUENCE" }),
                    let own = Int64(component.lines[at].value), (0...Int64(Int32.max)).contains(given)
                else { return }
                component.lines[at] = ICalLine("SEQUENCE", value: String(given + max(1, own)))
                return
            }
            let names = Set(lines.map(\.name))
            component.lines.removeAll { names.contains($0.name) }
            component.lines += lines
        } else if isSame || group.name == made.name {
            let place = component.lines.firstIndex { group.lines.contains($0.name) } ?? component.lines.endIndex
            component.lines.removeAll { group.lines.contains($0.name) }
            component.lines.insert(contentsOf: lines, at: min(place, component.lines.endIndex))
        }
    }

    // MARK: States

    private static func whole(_ all: [Written]) -> String {
        var digest = State()
        for one in all where one.isState {
            for line in one.component.lines where !free.contains(line.name) && !line.isOfRinging { digest.take(line) }
        }
        return digest.text
    }

    private static func digest(
        of group: Group, _ component: ICalComponent, _ first: ICalComponent, _ whole: String
    ) -> String {
        if group.name == version.name || group.name == made.name { return whole }
        var digest = State()
        for line in component.lines where group.lines.contains(line.name) { digest.take(line) }
        if group.name == series.name {
            for line in first.lines where group.lines.contains(line.name) { digest.take(line) }
        }
        return digest.text
    }

    /// A digest that protects nothing (FNV-1a, 64 bits). It is calculated for each entry of a file.
    private struct State {
        private var state: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func take(_ line: ICalLine) {
            for byte in line.description.utf8 { take(byte) }
            take(0x0A)
        }

        private mutating func take(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

        var text: String { String(state, radix: 16) }
    }

    // MARK: Comparing

    /// Whether the kept lines are the same, apart from the version of the file: another download of the same file is no
    /// change.
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        if one == other { return true }
        return withoutVersion(one) == withoutVersion(other)
    }

    /// The kept lines without those that say which version of the file it was.
    static func withoutVersion(_ raw: String?) -> String? {
        guard let raw, var component = try? ICalComponent(raw.utf8) else { return raw }
        drop(&component)
        for index in component.components.indices where component.components[index].name == "VEVENT" {
            drop(&component.components[index])
        }
        component.components.removeAll { $0.name == "VEVENT" && $0.lines.count == 1 && $0.components.isEmpty }
        // Programs write changed occurrences in any order.
        component.components.sort { $0.text < $1.text }
        return component.lines.isEmpty && component.components.isEmpty ? nil : component.text
    }

    private static func drop(_ component: inout ICalComponent) {
        for index in component.components.indices where component.components[index].name == name {
            let left = read(component.components[index]).filter {
                $0.group.name != version.name && $0.group.name != made.name
            }
            component.components[index].lines = left.flatMap { [line($0.group, $0.digest)] + $0.lines }
        }
        component.components.removeAll { $0.name == name && $0.lines.isEmpty && $0.components.isEmpty }
    }
}
