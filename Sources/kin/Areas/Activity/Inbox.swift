import KinCalendar
import KinModel
import KinWords

extension Command {
    static let inbox = Command(
        name: "inbox",
        usage: [
            "inbox [list] [--all]", "inbox read [NUMBER]", "inbox dismiss NUMBER|all", "inbox rules [--device DEVICE]",
            "inbox mute KIND… [--device DEVICE]", "inbox unmute KIND… [--device DEVICE]",
            "inbox quiet FROM-TO|off [--on DAY,…] [--zone ZONE] [--device DEVICE]",
            "inbox still MEMBER…|off [--device DEVICE]", "inbox sound MEMBER…|all [--device DEVICE]",
            "inbox ring KIND…|off",
        ],
        options: [.flag("all"), .value("zone", "ZONE"), .value("on", "DAY,…"), .value("device", "DEVICE")],
        words: 0...20,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("list", ...1): try Inboxes.list(call)
            case ("read", ...2): try Inboxes.read(call)
            case ("dismiss", 2...): try Inboxes.dismiss(call)
            case ("rules", 1): try Inboxes.say(call, try Inboxes.rules(call))
            case ("mute", 2...): try Inboxes.mute(call, true)
            case ("unmute", 2...): try Inboxes.mute(call, false)
            case ("quiet", 2): try Inboxes.quiet(call)
            case ("still", 2...): try Inboxes.still(call)
            case ("sound", 2...): try Inboxes.sound(call)
            case ("ring", 2...): try Inboxes.ring(call)
            default: throw call.misused
            }
        })
}

/// The caller's inbox.
enum Inboxes {
    /// The kinds that can be muted; the daemon decides.
    static let kinds = CommandArea.all.flatMap(\.inboxKinds) + ["quotaNear"]

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("activity.list", ["limit": 50])
        if call.wantsJSON { return call.output.say(result) }
        var entries = (result["entries"]?.array ?? []).compactMap(InboxEntry.init)
        let unread = result["unread"]?.int ?? 0
        if !call.has("all") { entries.removeAll { !$0.isUnread } }
        guard !entries.isEmpty else {
            return call.output.say(phrase(call.has("all") ? "inbox.none" : "inbox.empty"))
        }
        entries = try whole(entries, call)
        var names = try People(call).names
        for area in CommandArea.all { area.explain(call, entries, &names) }
        let screen = InboxScreen(entries, unread: unread, names: names, now: LocalTime.now)
        LastList(call, "inbox")?.keep(screen.ids)
        call.output.say(screen.lines(call.output.width ?? Help.width, isColoured: call.output.isColoured))
    }

    /// The entries. Those with a shortened title get their whole text.
    private static func whole(_ entries: [InboxEntry], _ call: Invocation) throws(Problem) -> [InboxEntry] {
        var whole = entries
        for (index, entry) in entries.enumerated() {
            guard entry.about.hasPrefix("said/") || entry.about.hasPrefix("announcement/"), let id = entry.subject,
                entry.title?.unicodeScalars.last == "…"
            else { continue }
            // A text that was deleted meanwhile stays as it was listed.
            guard let text = try? call.call("activity.show", ["id": .id(id)])["saying"]?["text"]?.string else {
                continue
            }
            whole[index] = InboxEntry(
                id: entry.id, about: entry.about, isOfficial: entry.isOfficial, isUnread: entry.isUnread,
                at: entry.at, title: text, lines: entry.lines, more: entry.more)
        }
        return whole
    }

    /// Marks everything as read, or everything up to an entry.
    static func read(_ call: Invocation) throws(Problem) {
        let isAll = call.words.count == 1 || ["all", "alle"].contains(call.words[1].lowercased())
        let upTo: JSON = isAll ? .time(LocalTime.now) : .id(try entry(call, call.words[1]))
        let result = try call.call("activity.read", ["upTo": upTo])
        call.answer(result, phrase("inbox.read", ["n": result["unread"]?.int ?? 0]))
    }

    static func dismiss(_ call: Invocation) throws(Problem) {
        if call.words.count == 2, ["all", "alle"].contains(call.words[1].lowercased()) {
            let result = try call.call("activity.dismiss", ["upTo": .time(LocalTime.now)])
            return call.answer(result, phrase("inbox.read", ["n": result["unread"]?.int ?? 0]))
        }
        // All numbers are looked up before the first entry is removed.
        var ids: [Identifier] = []
        for word in call.words.dropFirst() { ids.append(try entry(call, word)) }
        var result: JSON = [:]
        for id in ids { result = try call.call("activity.dismiss", ["id": .id(id)]) }
        call.answer(result, phrase("inbox.read", ["n": result["unread"]?.int ?? 0]))
    }

    /// The present rules: the member's, or those of the device that is named.
    static func rules(_ call: Invocation) throws(Problem) -> JSON {
        try call.call("activity.rules", .object(leavingOut: ["device": try device(call)]))
    }

    private static func set(_ call: Invocation, _ rules: JSON.Object) throws(Problem) -> JSON {
        var rules = rules
        if let device = try device(call) { rules["device"] = device }
        return try call.call("activity.setRules", .object(rules))
    }

    private static func device(_ call: Invocation) throws(Problem) -> JSON? {
        guard let name = call.value("device") else { return nil }
        return .string(try Device.id(name, among: try Ringing.devices(call), by: "name"))
    }

    static func mute(_ call: Invocation, _ isMuted: Bool) throws(Problem) {
        var muted = (try rules(call)["rules"]?["mute"]?.array ?? []).compactMap(\.string)
        for word in call.words.dropFirst() {
            let kind = try kind(word)
            muted.removeAll { $0 == kind }
            if isMuted { muted.append(kind) }
        }
        try say(call, try set(call, ["mute": .array(muted.map { .string($0) })]))
    }

    /// Sets the kinds that ring although they only wait for others; `off`: none.
    static func ring(_ call: Invocation) throws(Problem) {
        let isOff = call.words.count == 2 && ["off", "aus"].contains(call.words[1].lowercased())
        var kinds: [JSON] = []
        if !isOff { for word in call.words.dropFirst() { kinds.append(.string(try kind(word))) } }
        try say(call, try set(call, ["ring": .array(kinds)]))
    }

    private static func kind(_ text: String) throws(Problem) -> String {
        let word = text.lowercased()
        guard let kind = kinds.first(where: { $0.lowercased() == word }) else {
            throw .usage(phrase("inbox.no-kind", ["word": Plain.line(word), "kinds": kinds.joined(separator: ", ")]))
        }
        return kind
    }

    /// `22:00-7:00` or `off`.
    static func quiet(_ call: Invocation) throws(Problem) {
        let text = call.words[1].lowercased()
        if ["off", "aus"].contains(text) {
            return try say(call, try set(call, ["quiet": .null]))
        }
        let ends = text.replacing("–", with: "-").split(separator: "-").compactMap { clock(String($0)) }
        guard ends.count == 2 else { throw .usage(phrase("inbox.no-hours", ["text": Plain.line(text)])) }
        guard let zone = call.value("zone") ?? LocalTime.zone?.name else { throw .usage(phrase("when.no-zone")) }
        var quiet: JSON = ["from": .string(ends[0]), "to": .string(ends[1]), "zone": .string(zone)]
        let words = call.values("on").joined(separator: ",").split { $0 == "," || $0 == " " }
        if !words.isEmpty {
            quiet["days"] = .array(try words.map { (word) throws(Problem) in .string(try day(String(word))) })
        }
        try say(call, try set(call, ["quiet": quiet]))
    }

    /// `mon`, `Monday`, `Mo` or `Montag`.
    private static func day(_ text: String) throws(Problem) -> String {
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let german = ["mo", "di", "mi", "do", "fr", "sa", "so"]
        let word = text.lowercased()
        let index =
            days.firstIndex(where: { word.hasPrefix($0) }) ?? german.firstIndex(where: { word.hasPrefix($0) })
        guard let index else { throw .usage(phrase("inbox.no-day", ["text": Plain.line(text)])) }
        return days[index]
    }

    /// Sets the members whose acts ring nowhere; `off`: none.
    static func still(_ call: Invocation) throws(Problem) {
        let isOff = call.words.count == 2 && ["off", "aus"].contains(call.words[1].lowercased())
        try say(call, try set(call, ["still": .array(isOff ? [] : try members(call))]))
    }

    /// Sets the only members whose acts make phones sound; `all`: everybody.
    static func sound(_ call: Invocation) throws(Problem) {
        let isAll = call.words.count == 2 && ["all", "alle"].contains(call.words[1].lowercased())
        try say(call, try set(call, ["soundFrom": isAll ? .null : .array(try members(call))]))
    }

    private static func members(_ call: Invocation) throws(Problem) -> [JSON] {
        let people = try People(call)
        return try call.words.dropFirst().map { (word) throws(Problem) in .id(try people.member(word).id) }
    }

    private static func clock(_ text: String) -> String? {
        guard case .clock(let hour, let minute, nil, _) = TimeWord(text), hour < 24 else { return nil }
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    static func say(_ call: Invocation, _ result: JSON) throws(Problem) {
        if call.wantsJSON { return call.output.say(result) }
        if let device = call.value("device") {
            call.output.say(phrase("inbox.of-device", ["device": Plain.line(device)]))
        }
        let muted = (result["rules"]?["mute"]?.array ?? []).compactMap(\.string)
        call.output.say(
            muted.isEmpty
                ? phrase("inbox.mutes-nothing") : phrase("inbox.mutes", ["kinds": muted.joined(separator: ", ")]))
        let ringing = (result["rules"]?["ring"]?.array ?? []).compactMap(\.string)
        if !ringing.isEmpty { call.output.say(phrase("inbox.rings", ["kinds": ringing.joined(separator: ", ")])) }
        guard let quiet = result["rules"]?["quiet"], let from = quiet["from"]?.string, let to = quiet["to"]?.string
        else {
            call.output.say(phrase("inbox.never-quiet"))
            return try sayPeople(call, result)
        }
        let days = quiet["days"]?.array?.compactMap(\.string).map { phrase("inbox.day.\($0)") }.joined(separator: ", ")
        call.output.say(
            phrase(
                days == nil ? "inbox.quiet" : "inbox.quiet-on",
                ["from": from, "to": to, "zone": Plain.line(quiet["zone"]?.string ?? ""), "days": days ?? ""]))
        try sayPeople(call, result)
    }

    private static func sayPeople(_ call: Invocation, _ result: JSON) throws(Problem) {
        let still = (result["rules"]?["still"]?.array ?? []).compactMap(\.identifier)
        let sound = result["rules"]?["soundFrom"]?.array?.compactMap(\.identifier)
        guard !still.isEmpty || sound != nil else { return }
        let names = try People(call).names
        func list(_ ids: [Identifier]) -> String { ids.map { names.member($0) }.joined(separator: ", ") }
        if !still.isEmpty {
            call.output.say(
                phrase(call.has("device") ? "inbox.still-on-device" : "inbox.still", ["names": list(still)]))
        }
        if let sound {
            call.output.say(
                sound.isEmpty ? phrase("inbox.no-sound") : phrase("inbox.sound", ["names": list(sound)]))
        }
    }

    /// The entry with this number in the last list, or with this id.
    private static func entry(_ call: Invocation, _ text: String) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let last = LastList(call, "inbox")?.ids ?? []
        guard let number = Int(text), last.indices.contains(number - 1) else {
            throw .usage(phrase("inbox.no-number", ["number": Plain.line(text)]))
        }
        return last[number - 1]
    }
}
