import KinModel
import KinStore

/// Days of a family whose members call each other, from a seed: phones that sleep, a flaky push service, a daemon that is
/// started anew in the middle. Asked after every step: every alarm rings on each phone that is awake, none makes a sound
/// after it was answered, and nothing rings twice.
public final class AlarmTrial {
    /// What is planted, to see that the checkers see it.
    public enum Fault: String, Sendable, CaseIterable {
        /// A ring is lost on its way to a phone.
        case lostRing
        /// A ring comes twice.
        case doubledRing
        /// An answer is forgotten after it was given.
        case forgottenAnswer
    }

    /// Counts of a run.
    public struct Tally: Sendable, Equatable {
        /// Days that passed.
        public var days = 0
        /// Alarms raised.
        public var alarms = 0
        /// Answers given.
        public var answers = 0
        /// What rang on phones, alarms or not.
        public var rings = 0
        /// Of those, what was told as a phone came again.
        public var missed = 0
        /// Of those, what came through the push service.
        public var pushes = 0
        /// Times the daemon was started anew.
        public var restarts = 0
    }

    /// Somebody who is called by an alarm.
    private struct Call: Hashable {
        let alarm: Identifier
        let member: Identifier
    }

    private let house: RingingHouse
    private let fault: Fault?
    private var tally = Tally()
    /// How many of the house's rings were judged.
    private var judged = 0
    /// Which alarm an entry is about, and of what kind that is.
    private var entries: [Identifier: (call: Call, kind: Alarm.Kind)] = [:]
    /// Who has answered, as they were told.
    private var answered: Set<Call> = []
    /// Calls for help that somebody comes to.
    private var comes: [Identifier: Set<Identifier>] = [:]
    /// When one who was coming said that they cannot after all: within a minute it rings again.
    private var leftAt: [Identifier: Instant] = [:]
    private var heard: [Int: Set<String>] = [:]
    private var lastRing: [String: Instant] = [:]
    private let names = ["ada", "ben", "cleo", "kit"]

    /// Runs one family for some days.
    @discardableResult
    public static func run(
        seed: UInt64, days: Int, fault: Fault? = nil, trace: ((String) -> Void)? = nil
    ) throws(Finding) -> Tally {
        let trial = try AlarmTrial(seed: seed, fault: fault)
        do throws(Finding) { for _ in 0..<days { try trial.day() } } catch {
            // The day in which it was found.
            for line in trial.house.film { trace?(line) }
            throw error
        }
        return trial.tally
    }

    private init(seed: UInt64, fault: Fault?) throws(Finding) {
        house = try RingingHouse(seed: seed, at: Instant(milliseconds: 1_790_000_000_000))
        self.fault = fault
        try house.found("ada")
        for name in names.dropFirst() { try house.add(name, kind: name == "kit" ? "child" : "adult") }
        try house.call("ada", "notice.allowPush", ["on": true, "contact": "mailto:ada@example.org"])
        for name in names { try house.addPhone("phone", of: name, discreet: name == "kit") }
        try house.addPhone("tablet", of: "ben", only: true)
        try house.addBrowser("laptop", of: "cleo")
        try house.call(
            "ben", "activity.setRules",
            ["quiet": ["from": "21:00", "to": "07:00", "zone": "UTC", "days": ["mon", "tue", "wed", "thu", "sun"]]])
        try house.call(
            "cleo", "activity.setRules", ["soundFrom": [.id(house.people["ada"]?.id ?? Identifier(high: 0, low: 0))]])
        switch fault {
        case .lostRing: house.spoil = { notice, _ in notice.priority == 5 ? 0 : 1 }
        case .doubledRing: house.spoil = { notice, _ in notice.priority == 5 ? 2 : 1 }
        default: break
        }
    }

    // MARK: A day

    private func day() throws(Finding) {
        let end = house.now.adding(days: 1)
        while house.now < end {
            try act()
            try check()
            let isOpen = try !open().isEmpty
            // While somebody calls, mostly little time passes, and now and then that of more than one ring.
            let seconds =
                if !isOpen { 300 + house.dice.below(3600) } else if house.dice.once(in: 4) {
                    90 + house.dice.below(900)
                } else { 5 + house.dice.below(90) }
            try house.passes(seconds: Int64(seconds))
            try check()
        }
        tally.days += 1
        // The push service is well again: whatever still calls for help arrives.
        house.service.beWell()
        for _ in 0..<16 {
            try house.passes(seconds: 450)
            try check()
        }
        try checkBrowsers()
        // A day ends with nobody calling.
        for alarm in try open() {
            guard let by = name(of: alarm.by) else { continue }
            _ = try house.attempt(by, "alarm.end", ["alarm": .id(alarm.id)])
            try check()
        }
        house.forgetRings()
        judged = 0
    }

    private func act() throws(Finding) {
        let who = house.dice.pick(names)
        let isOpen = try !open().isEmpty
        switch house.dice.below(isOpen ? 16 : 9) {
        case 0: try raise(who)
        case 1, 2:
            let index = house.dice.below(house.phones.count)
            if house.phones[index].isAwake { house.sleep(index) } else { try house.wake(index) }
        case 3:
            if house.dice.once(in: 3) {
                tally.restarts += 1
                try house.restart()
            }
        case 4:
            // Whatever one reads, or tries to get rid of, who calls for an answer calls on.
            let what = house.dice.pick(["activity.read", "activity.dismiss"])
            _ = try house.attempt(who, what, ["upTo": .time(house.now)])
            for one in try waiting() where house.people[who]?.id == one.call.member {
                _ = try house.attempt(who, "activity.dismiss", ["id": .id(one.entry)])
                _ = try house.attempt(who, "notice.snooze", ["entry": .id(one.entry)])
            }
        case 5:
            for number in 0..<(house.dice.once(in: 6) ? 30 : 2) {
                _ = try house.attempt(who, "activity.say", ["text": .string("word \(number)")])
            }
        case 6:
            if house.dice.once(in: 2) { house.service.beFlaky(house.dice.next()) } else { house.service.beWell() }
        case 7:
            // Whatever a device's own rules keep from it, an alarm is not.
            let index = house.dice.below(house.phones.count)
            _ = try house.attempt(
                house.phones[index].owner, "activity.setRules",
                [
                    "device": .id(house.phones[index].device), "mute": house.dice.once(in: 2) ? ["said"] : [],
                    "quiet": house.dice.once(in: 2) ? ["from": "00:00", "to": "23:59", "zone": "UTC"] : .null,
                    "soundFrom": house.dice.once(in: 2) ? [] : .null,
                ])
        case 9, 10, 11: try answer(who)
        case 12:
            if house.dice.once(in: 4), let mine = try open().first(where: { name(of: $0.by) == who }) {
                _ = try house.attempt(who, "alarm.end", ["alarm": .id(mine.id)])
            }
        default: break
        }
    }

    private func raise(_ who: String) throws(Finding) {
        let kind = house.dice.pick(Alarm.Kind.allCases)
        let raised = try house.attempt(who, "alarm.raise", ["kind": .string(kind.rawValue)])
        if raised != nil { tally.alarms += 1 }
    }

    private func answer(_ who: String) throws(Finding) {
        guard let me = house.people[who]?.id else { return }
        let called = try open().filter { $0.called.contains(me) }
        guard !called.isEmpty else { return }
        let alarm = house.dice.pick(called)
        let answer = house.dice.pick(AlarmCall.Answer.allCases).rawValue
        let result = try house.attempt(
            who, "alarm.answer", ["alarm": .id(alarm.id), "answer": .string(answer)])
        guard result != nil else { return }
        tally.answers += 1
        // What rang in this very step rang before.
        try judgeNew()
        answered.insert(Call(alarm: alarm.id, member: me))
        if answer == "coming" || answer == "allWell" {
            comes[alarm.id, default: []].insert(me)
        } else if comes[alarm.id]?.remove(me) != nil {
            leftAt[alarm.id] = house.now
        }
        if fault == .forgottenAnswer { try house.write("UPDATE alarm_called SET answer = NULL") }
    }

    // MARK: What is so

    private struct Open {
        let id: Identifier
        let by: Identifier
        let kind: Alarm.Kind
        var called: [Identifier]
    }

    private func name(of member: Identifier) -> String? { house.people.first { $0.value.id == member }?.key }

    private func open() throws(Finding) -> [Open] {
        do throws(StoreFailure) {
            var all = try house.reader.rows("SELECT id, raiser, kind FROM alarms ORDER BY id") { row in
                Open(
                    id: row.identifier("id"), by: row.identifier("raiser"),
                    kind: Alarm.Kind(rawValue: row.text("kind")) ?? .check, called: [])
            }
            for index in all.indices {
                all[index].called = try house.reader.rows(
                    "SELECT member FROM alarm_called WHERE alarm = ? ORDER BY member", .id(all[index].id)
                ) { row in row.identifier(0) }
            }
            return all
        } catch { throw Finding(checker: "reading", what: error.sentence) }
    }

    /// Entries of inboxes that call for an answer: calls for help or to come, read or not, and others while they are not
    /// read.
    private func waiting() throws(Finding) -> [(entry: Identifier, call: Call, kind: Alarm.Kind)] {
        do throws(StoreFailure) {
            let rows = try house.reader.rows(
                """
                SELECT i.id, i.member, i.about, l.word FROM inbox i JOIN inbox_lines l ON l.entry = i.id
                WHERE l.kind = 'alarm' AND (i.state = 0 OR i.state = 2 AND l.word IN ('sos', 'come')) ORDER BY i.id
                """
            ) { row in (row.identifier("id"), row.identifier("member"), row.text("about"), row.optionalText("word")) }
            return rows.compactMap { row in
                guard let alarm = Identifier(row.2.dropFirst("alarm/".count)) else { return nil }
                return (
                    row.0, Call(alarm: alarm, member: row.1), row.3.flatMap { Alarm.Kind(rawValue: $0) } ?? .check
                )
            }
        } catch { throw Finding(checker: "reading", what: error.sentence) }
    }

    // MARK: What is checked

    private func check() throws(Finding) {
        try judgeNew()
        for one in try waiting() where !answered.contains(one.call) {
            // Who has not heard of it yet may see it among others, where somebody comes.
            if one.kind == .sos, !(comes[one.call.alarm] ?? []).isEmpty { continue }
            if let left = leftAt[one.call.alarm], house.now.milliseconds(since: left) < 61_000 { continue }
            for (index, phone) in house.phones.enumerated() where phone.topic != nil && phone.isAwake {
                guard house.people[phone.owner]?.id == one.call.member, phone.shown[one.entry] == nil else { continue }
                throw Finding(
                    checker: "rings",
                    what: "\(phone.owner)'s \(phone.name) (\(index)) does not show the \(one.kind) \(one.call.alarm)")
            }
        }
        guard !house.isConfirmedTwice else {
            throw Finding(checker: "twice", what: "a push was sent again that the push service had said it has")
        }
    }

    private func judgeNew() throws(Finding) {
        for one in try waiting() { entries[one.entry] = (one.call, one.kind) }
        for ring in house.rings[judged...] { try judge(ring) }
        judged = house.rings.count
    }

    private func judge(_ ring: RingingHouse.Ring) throws(Finding) {
        tally.rings += 1
        if ring.isMissed { tally.missed += 1 }
        if ring.isPushed { tally.pushes += 1 }
        let phone = house.phones[ring.phone]
        if !ring.isPushed, !heard[ring.phone, default: []].insert(ring.notice.id).inserted {
            throw Finding(checker: "twice", what: "\(phone.owner)'s \(phone.name) rang twice with \(ring.notice.id)")
        }
        guard let (call, kind) = entries[ring.notice.entry], ring.notice.priority ?? 3 > 2 else { return }
        let isCome = kind == .sos && !(comes[call.alarm] ?? []).isEmpty
        if answered.contains(call) || isCome {
            throw Finding(
                checker: "answered",
                what: "\(phone.owner)'s \(phone.name) makes a sound with the \(kind) \(call.alarm), which was answered")
        }
        let key = "\(ring.phone) \(ring.notice.entry)"
        if !ring.isPushed, let last = lastRing[key], ring.at.milliseconds(since: last) < 59_000 {
            throw Finding(
                checker: "twice", what: "\(phone.owner)'s \(phone.name) repeats the \(kind) \(call.alarm) too soon")
        }
        if !ring.isMissed { lastRing[key] = ring.at }
    }

    /// While the push service is well a call for help reaches browsers.
    private func checkBrowsers() throws(Finding) {
        for one in try waiting() where one.kind == .sos && !answered.contains(one.call) {
            guard (comes[one.call.alarm] ?? []).isEmpty else { continue }
            for phone in house.phones where phone.topic == nil && house.people[phone.owner]?.id == one.call.member {
                guard phone.shown[one.entry] != nil else {
                    throw Finding(
                        checker: "rings", what: "\(phone.owner)'s \(phone.name) never showed the sos \(one.call.alarm)")
                }
            }
        }
    }
}
