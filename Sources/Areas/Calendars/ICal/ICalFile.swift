import KinCalendar
import KinICal
import KinKeeper
import KinModel
import KinStore

/// A file of iCalendar, whatever it contains. Each event is accepted or refused by itself, with the reason. No more
/// than one component of the file, and the results, are in memory.
struct ICalFile: ImportedFile {
    /// Its events, in the order in which they first appear.
    let items: [ICalItem]
    /// Whether the file has more events than are read at once.
    let isCut: Bool
    /// The calendar's own properties.
    let lines: [ICalLine]
    /// The number under which the file is kept, if it is read again.
    var kept: Int64?
    private static let linesMax = 100
    private static let zonesMax = 100

    init(_ bytes: [UInt8], reader: Zone = .utc, itemsMax: Int = Limits.importItemsMax) {
        // Components of one UID belong together, wherever they stand.
        var groups: [[ICalComponent]] = []
        var places: [String: Int] = [:]
        var refused: [(place: Int, sentence: String, isOther: Bool)] = []
        var count = 0
        var isCut = false
        var lines: [ICalLine] = []
        var zones: [String: ICalComponent] = [:]
        func add(_ component: ICalComponent) {
            if let uid = component["UID"]?.value {
                if let place = places[uid] { return groups[place].append(component) }
                places[uid] = groups.count
            }
            groups.append([component])
            count += 1
        }
        func refuse(_ sentence: String, isOther: Bool = false) {
            refused.append((groups.count, sentence, isOther))
            count += 1
        }
        func take(_ piece: ICalStream.Piece) {
            if case .line(let line) = piece {
                if lines.count < Self.linesMax { lines.append(line) }
                return
            }
            guard count < itemsMax else {
                isCut = true
                return
            }
            switch piece {
            case .line: break
            case .tooLarge(let name):
                refuse(
                    "It is a \(Text.quoted(String(name.prefix(20)))) of more than \(Limits.componentBytesMax >> 10) KiB."
                )
            case .component(let bytes):
                guard let component = try? ICalComponent(bytes) else {
                    return refuse("It cannot be read: its lines are none, or it is in no UTF-8.")
                }
                switch component.name {
                case "VEVENT": add(component)
                case "VTIMEZONE":
                    guard let name = component["TZID"]?.text, zones.count < Self.zonesMax else { break }
                    zones[name] = component
                case let other:
                    refuse("It is a \(Text.quoted(String(other.prefix(20)))); only events are taken.", isOther: true)
                }
            }
        }
        var stream = ICalStream()
        stream.take(bytes, take)
        stream.take([], isEnd: true, take)
        if stream.isWithin { refuse("The file breaks off.") }
        var items: [ICalItem] = []
        var rest = refused[...]
        let known = FileZones(reader: reader, zones)
        for (place, group) in groups.enumerated() {
            while let first = rest.first, first.place <= place {
                items.append(
                    ICalItem(number: items.count + 1, refused: first.sentence, isOtherThanEvent: first.isOther))
                rest.removeFirst()
            }
            items.append(ICalItem(number: items.count + 1, group, known))
        }
        for one in rest {
            items.append(ICalItem(number: items.count + 1, refused: one.sentence, isOtherThanEvent: one.isOther))
        }
        self.items = items
        self.isCut = isCut
        self.lines = lines
    }

    /// Remarks about properties of the file itself. None of them is kept: a calendar here has a name of its own.
    var remarks: [(name: String, value: JSON)] {
        let names = Set(lines.map(\.name)).subtracting(["VERSION", "PRODID", "CALSCALE"]).sorted().prefix(20)
        guard !names.isEmpty else { return [("remarks", [])] }
        // Names of lines have only letters, digits and hyphens.
        let some = String(names.joined(separator: ", ").prefix(300))
        return [("remarks", [.string("Of the file itself \(some) was not taken.")])]
    }

    /// Whether each item is an entry within bounds, or has a reason why it is none.
    var isSound: Bool {
        items.enumerated().allSatisfy { index, item in
            guard item.number == index + 1, item.remarks.count <= Limits.importRemarksMax else { return false }
            guard let entry = item.entry else { return !item.remarks.isEmpty }
            return Timing(entry.times) != nil && (try? Entry.shape.check(entry.json, field: "entry")) != nil
        }
    }

    /// Checks that a file keeps what is promised, for the fuzzer.
    static let judge: @Sendable ([UInt8], Bool) -> Void = { input, isPlanted in
        let file = ICalFile(input, itemsMax: 50)
        precondition(file.isSound && file.items.count <= 51, "each event is an entry within bounds, or says why not")
        precondition(!isPlanted || !file.items.contains { $0.name == "planted" }, "a planted bug")
        // An accepted entry is written so that it reads the same again.
        for item in file.items {
            guard var entry = item.entry else { continue }
            entry.changed = Instant(milliseconds: 0)
            var stored = StoredEntry(entry, uid: item.uid)
            stored.raw = item.raw
            let text = EntryWriter(names: [:]).components(of: stored).map(\.text).joined()
            let again = ICalFile(Array(text.utf8))
            precondition(again.items.count == 1, "what is written is read as one event")
        }
    }
}
