import KinModel
import KinNotices
import Testing

@testable import KinFamilyBox
@testable import KinKeeper
@testable import KinNotices

/// The rules of what rings as one table: what happens, by which rules, and whether a phone makes a sound, shows it silently, or
/// nothing comes of it.
@Suite struct RuleTableTests {
    /// What a phone does.
    enum Outcome: String { case rings, silent, nothing }

    /// What happens, for Ben to be told.
    enum Deed: String, CaseIterable, Sendable {
        /// Ada announces something: official.
        case announced
        /// Ada says something to Ben.
        case said
        /// Cleo says something to Ben.
        case cleoSaid
        /// Ada names Ben in a post.
        case mentioned
        /// Ada adds a post, which waits until somebody looks.
        case posted
        /// Ada proposes a meeting to Ben.
        case invited
        /// Ada comes to a place; Ben asked to be told.
        case arrived
        /// A script of Ben's own tells something.
        case house
        /// A script of Ben's own tells something urgent.
        case houseUrgent
        /// Ada asks Ben to come.
        case come
        /// Ada needs help.
        case sos
    }

    /// Ben's rules.
    struct Rules: Sendable, CustomTestStringConvertible {
        let name: String
        /// Parameters of activity.setRules, where `ada` and `cleo` stand for the members.
        var set: JSON.Object = [:]
        /// Parameters of his phone.
        var phone: JSON.Object = [:]
        /// Parameters of activity.setRules for his phone.
        var device: JSON.Object = [:]
        /// The moment; Friday, 18:00 in UTC else.
        var at: String?
        var testDescription: String { name }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rules: Rules
        let expected: [Outcome]
        var testDescription: String { rules.name }
    }

    private static let evening: JSON = ["from": "17:00", "to": "19:00", "zone": "UTC"]
    private static func quiet(_ days: JSON) -> JSON {
        ["from": "17:00", "to": "19:00", "zone": "UTC", "days": days]
    }
    private static func night(_ days: JSON) -> JSON {
        ["from": "22:00", "to": "07:00", "zone": "UTC", "days": days]
    }

    private static func row(
        _ name: String, _ expected: String, set: JSON.Object = [:], phone: JSON.Object = [:],
        device: JSON.Object = [:], at: String? = nil
    ) -> Row {
        let outcomes = expected.split(separator: " ").map { word -> Outcome in
            switch word {
            case "R": .rings
            case "s": .silent
            default: .nothing
            }
        }
        return Row(rules: Rules(name: name, set: set, phone: phone, device: device, at: at), expected: outcomes)
    }

    /// R rings, s shows silently, - nothing; in the order of ``Deed``:
    /// announced, said, Cleo said, mentioned, posted, invited, arrived, house, house urgent, come, sos.
    static let table = [
        row("no rules", "R R R R - R R R R R R"),
        row("what is said is muted", "R - - R - R R R R R R", set: ["mute": ["said"]]),
        row(
            "all that can be is muted", "R - - - - - - - - R R",
            set: ["mute": ["said", "mentioned", "invited", "arrived", "house", "posted"]]),
        row("new posts ring too", "R R R R R R R R R R R", set: ["ring": ["posted"]]),
        row("new posts ring, and are muted", "R R R R - R R R R R R", set: ["ring": ["posted"], "mute": ["posted"]]),
        row("likes ring too", "R R R R - R R R R R R", set: ["ring": ["liked"]]),
        row(
            "new posts ring, sound only from Cleo", "R s R s s s s s s R R",
            set: ["ring": ["posted"], "soundFrom": ["cleo"]]),
        row(
            "new posts ring, but not on the phone", "R R R R - R R R R R R", set: ["ring": ["posted"]],
            device: ["mute": ["posted"]]),
        row("Ada is still", "R - R - - - - R R R R", set: ["still": ["ada"]]),
        row("Cleo is still", "R R - R - R R R R R R", set: ["still": ["cleo"]]),
        row("sound only from Ada", "R R s R - R R s s R R", set: ["soundFrom": ["ada"]]),
        row("sound only from Cleo", "R s R s - s s s s R R", set: ["soundFrom": ["cleo"]]),
        row("sound from nobody", "R s s s - s s s s R R", set: ["soundFrom": []]),
        row("sound from both", "R R R R - R R s s R R", set: ["soundFrom": ["ada", "cleo"]]),
        row(
            "Ada is still, and sound only from her", "R - s - - - - s s R R",
            set: ["still": ["ada"], "soundFrom": ["ada"]]),
        row(
            "sound only from Cleo, what is said muted", "R - - s - s s s s R R",
            set: ["mute": ["said"], "soundFrom": ["cleo"]]),
        row("quiet every day", "R - - - - - - - - R R", set: ["quiet": evening]),
        row("quiet on Fridays", "R - - - - - - - - R R", set: ["quiet": quiet(["fri"])]),
        row(
            "quiet on school days", "R - - - - - - - - R R",
            set: ["quiet": quiet(["mon", "tue", "wed", "thu", "fri"])]),
        row("quiet at weekends, on a Friday", "R R R R - R R R R R R", set: ["quiet": quiet(["sat", "sun"])]),
        row(
            "quiet at weekends, on a Saturday", "R - - - - - - - - R R", set: ["quiet": quiet(["sat", "sun"])],
            at: "2026-11-21T18:00:00Z"),
        row(
            "nights that begin on Fridays, early on Saturday", "R - - - - - - - - R R", set: ["quiet": night(["fri"])],
            at: "2026-11-21T06:00:00Z"),
        row(
            "nights that begin on Fridays, late on Saturday", "R R R R - R R R R R R", set: ["quiet": night(["fri"])],
            at: "2026-11-21T23:00:00Z"),
        row(
            "nights that begin on Fridays, after them", "R R R R - R R R R R R", set: ["quiet": night(["fri"])],
            at: "2026-11-21T07:00:00Z"),
        row("a phone for what is official", "R - - - - - - - - R R", phone: ["only": "official"]),
        row(
            "a phone for what is official, sound from nobody", "R - - - - - - - - R R", set: ["soundFrom": []],
            phone: ["only": "official"]),
        row("a discreet phone", "R R R R - R R R R R R", phone: ["discreet": true]),
        row(
            "a discreet phone, sound only from Ada", "R R s R - R R s s R R", set: ["soundFrom": ["ada"]],
            phone: ["discreet": true]),
        row("a phone without what is said", "R - - R - R R R R R R", device: ["mute": ["said"]]),
        row("a phone on which Ada is still", "R - R - - - - R R R R", device: ["still": ["ada"]]),
        row("a phone with sound only from Ada", "R R s R - R R s s R R", device: ["soundFrom": ["ada"]]),
        row("a phone without sound", "R s s s - s s s s R R", device: ["soundFrom": []]),
        row("a phone in its quiet hours", "R s s s - s s s s R R", device: ["quiet": evening]),
        row(
            "a phone that is quiet at weekends, on a Friday", "R R R R - R R R R R R", device: ["quiet": quiet(["sat"])]
        ),
        row(
            "a quiet phone without what is said", "R - - s - s s s s R R", device: ["mute": ["said"], "quiet": evening]),
        row(
            "Ada is still everywhere, Cleo on the phone", "R - - - - - - R R R R", set: ["still": ["ada"]],
            device: ["still": ["cleo"]]),
        row(
            "what a member does not want, no phone gets", "R - - - - - - - - R R", set: ["quiet": evening],
            device: ["soundFrom": .null]),
        row(
            "a phone for what is official, with rules", "R - - - - - - - - R R", phone: ["only": "official"],
            device: ["mute": ["said"], "quiet": evening]),
        row(
            "everything at once", "R - - - - - - - - R R",
            set: [
                "mute": ["mentioned"], "still": ["cleo"], "soundFrom": ["ada"], "quiet": evening,
            ], phone: ["only": "official", "discreet": true]),
    ]

    private final class Family {
        let box: FamilyBox
        let ada: FamilyBox.Person
        let ben: FamilyBox.Person
        let cleo: FamilyBox.Person
        let topic: String
        let device: Identifier
        let script: String

        init(_ rules: Rules) throws {
            box = try FamilyBox()
            ada = try box.found()
            ben = try box.join("ben", by: ada)
            cleo = try box.join("cleo", by: ada)
            // Days pass before the phone is there: it has nothing of what came before.
            if let at = rules.at { box.clock = try #require(Instant(at)) }
            let (ada, ben, cleo) = (ada, ben, cleo)
            try box.call(ada, "place.add", ["name": "Mill", "lat": 52.5, "lon": 13.4])
            try box.call(ada, "sharing.set", ["state": "on"])
            try box.call(ben, "place.notify", ["who": .id(ada.id), "when": "arrive"])
            var phone = rules.phone
            phone["name"] = "Phone"
            let made = try box.call(ben, "notice.add", phone)
            topic = try #require(made["topic"]?.string)
            device = try #require(made["device"]?["id"]?.identifier)
            script = try #require(try box.call(ben, "notice.addScript", ["name": "Washer"])["topic"]?.string)
            func people(_ json: JSON?) -> JSON? {
                json?.array.map { all in .array(all.map { .id($0 == "ada" ? ada.id : cleo.id) }) }
            }
            for (var set, own) in [(rules.set, JSON?.none), (rules.device, .id(device))] where !set.names.isEmpty {
                for field in ["still", "soundFrom"] { if let given = people(set[field]) { set[field] = given } }
                if let own { set["device"] = own }
                try box.call(ben, "activity.setRules", set)
            }
        }

        func does(_ deed: Deed) throws {
            switch deed {
            case .announced: try box.call(ada, "activity.announce", ["text": "Soup"])
            case .said: try box.call(ada, "activity.say", ["text": "Soup", "to": [.id(ben.id)]])
            case .cleoSaid: try box.call(cleo, "activity.say", ["text": "Soup", "to": [.id(ben.id)]])
            case .mentioned: try box.call(ada, "post.add", ["text": "Soup, @ben"])
            case .posted: try box.call(ada, "post.add", ["text": "Soup"])
            case .invited: _ = try box.propose(slots: [48, 72], by: ada, invitees: [ben])
            case .arrived:
                for lat in [52.6, 52.5] {
                    box.clock = box.clock.adding(seconds: 240)
                    let end = box.clock
                    let points = stride(from: Int64(-200), through: 0, by: 20).map { second -> JSON in
                        ["lat": .double(lat), "lon": 13.4, "at": .time(end.adding(seconds: second))]
                    }
                    try box.call(ada, "position.report", ["positions": .array(points)])
                }
            case .house: try publish(nil)
            case .houseUrgent: try publish(5)
            case .come: try box.call(ada, "alarm.raise", ["kind": "come", "to": [.id(ben.id)]])
            case .sos: try box.call(ada, "alarm.raise", ["kind": "sos", "to": [.id(ben.id)]])
            }
        }

        private func publish(_ priority: Int64?) throws {
            var params: JSON.Object = ["topic": .string(script), "text": "Washing done"]
            if let priority { params["priority"] = .int(priority) }
            try box.call(.none, "notice.publish", params)
        }

        /// What a phone that listens is told, by how loud it is.
        func heard() -> Outcome {
            let told = box.allHeard(ben).compactMap { $0[NoticeDevice.rang] }
            guard let notice = told.compactMap({ $0.notice(for: device) }).last(where: { $0.act == .ring }) else {
                return .nothing
            }
            return notice.priority ?? 3 <= 2 ? .silent : .rings
        }

        /// What the phone has to show now, by how loud it is.
        func outcome() throws -> Outcome {
            let answer = try box.call(.none, "notice.take", ["topics": [.string(topic)], "since": "all"])
            let notices = (answer["notices"]?.array ?? []).compactMap { $0["notice"].flatMap(Notice.init) }
            guard let notice = notices.last(where: { $0.act == .ring }) else { return .nothing }
            return notice.priority ?? 3 <= 2 ? .silent : .rings
        }
    }

    @Test(arguments: table) func `each kind of entry rings, is silent or is nothing, by the rules`(row: Row) throws {
        #expect(row.expected.count == Deed.allCases.count)
        let family = try Family(row.rules)
        for (deed, expected) in zip(Deed.allCases, row.expected) {
            // What came before is read, and long enough ago.
            family.box.clock = family.box.clock.adding(seconds: 60)
            try family.box.call(family.ben, "activity.read", ["upTo": .time(family.box.clock)])
            _ = family.box.allHeard(family.ben)
            try family.does(deed)
            #expect(try family.outcome() == expected, "\(deed) by \(row.rules.name)")
            #expect(family.heard() == expected, "\(deed) by \(row.rules.name), on a phone that listens")
        }
    }

    @Test func `the rules of a device are for that device alone, and go with it`() throws {
        let family = try Family(Rules(name: "", device: ["mute": ["said"], "soundFrom": ["cleo"]]))
        let (box, ada, ben, device) = (family.box, family.ada, family.ben, family.device)
        let other = try #require(try box.call(ben, "notice.add", ["name": "Tablet"])["device"]?["id"]?.identifier)
        _ = box.allHeard(ben)
        try family.does(.said)
        let data = try #require(box.allHeard(ben).compactMap { $0[NoticeDevice.rang] }.first { $0.notice.act == .ring })
        #expect(data.except == [device] && data.notice(for: device) == nil && data.notice(for: other) != nil)
        let rules = try box.call(ben, "activity.rules", ["device": .id(device)])["rules"]
        #expect(rules?["mute"] == ["said"] && rules?["soundFrom"] == [.id(family.cleo.id)])
        for device in [JSON.null, .id(other)] {
            let params: JSON.Object = device == .null ? [:] : ["device": device]
            #expect(
                try box.call(ben, "activity.rules", params)["rules"]
                    == ["mute": [], "ring": [], "quiet": .null, "still": [], "soundFrom": .null])
        }
        // Nobody sets or reads those of somebody else's.
        for method in ["activity.rules", "activity.setRules"] {
            #expect(try box.refusal(ada, method, ["device": .id(device)])?.data["field"]?.string == "device")
        }
        // Who leaves is in no rule any more.
        try box.call(ada, "member.remove", ["member": .id(family.cleo.id), "keep": "delete"])
        #expect(try box.call(ben, "activity.rules", ["device": .id(device)])["rules"]?["soundFrom"] == [])
        try box.call(ben, "notice.remove", ["device": .id(device)])
        #expect(try box.count("SELECT count(*) FROM inbox_devices") == 0)
        // Without a rule of its own a device has no row.
        try box.call(ben, "activity.setRules", ["device": .id(other), "mute": ["said"]])
        #expect(try box.count("SELECT count(*) FROM inbox_devices") == 1)
        try box.call(ben, "activity.setRules", ["device": .id(other), "mute": []])
        #expect(try box.count("SELECT count(*) FROM inbox_devices") == 0)
        try box.call(ben, "activity.setRules", ["device": .id(other), "mute": ["said"]])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        #expect(try box.count("SELECT count(*) FROM inbox_devices") == 0)
    }

    @Test func `a burst of what does not reach a device does not reach it either, and what lay behind it does`() throws
    {
        let family = try Family(Rules(name: "", device: ["mute": ["said"]]))
        try family.does(.invited)
        _ = family.box.allHeard(family.ben)
        // A member says at most a hundred things in a day.
        for number in 0..<150 {
            family.box.clock = family.box.clock.adding(seconds: 1)
            try family.does(number.isMultiple(of: 2) ? .said : .cleoSaid)
        }
        #expect(family.heard() == .nothing)
        // More than an answer holds came since the invitation.
        let answer = try family.box.call(.none, "notice.take", ["topics": [.string(family.topic)], "since": "all"])
        let notices = (answer["notices"]?.array ?? []).compactMap { $0["notice"].flatMap(Notice.init) }
        #expect(notices.count == 1 && notices.first?.click?.hasPrefix("/#/meetings") == true)
    }

    @Test func `a device with rules that was away is told of an alarm, however much came after it`() throws {
        let family = try Family(Rules(name: "", device: ["quiet": Self.evening]))
        try family.does(.sos)
        for number in 0..<150 {
            family.box.clock = family.box.clock.adding(seconds: 1)
            try family.does(number.isMultiple(of: 2) ? .said : .cleoSaid)
        }
        let answer = try family.box.call(.none, "notice.take", ["topics": [.string(family.topic)], "since": "all"])
        let notices = (answer["notices"]?.array ?? []).compactMap { $0["notice"].flatMap(Notice.init) }
        #expect(notices.contains { $0.priority == 5 && $0.isOfficial == true })
        let names = notices.map(\.id)
        let at = notices.map(\.at)
        #expect(Set(names).count == names.count && at == at.sorted())
        let latest = try family.box.call(
            .none, "notice.take", ["topics": [.string(family.topic)], "since": "latest"])["notices"]?.array
        #expect(latest?.count == 1 && latest?.first?["notice"]?["text"]?.string?.contains("Cleo") == true)
    }

    @Test func `a digest of what does not reach a device does not reach it`() throws {
        let quiet = Self.evening
        for (muted, expected) in [(["said"], Outcome.nothing), (["posted"], .rings)] {
            let family = try Family(
                Rules(name: "", set: ["quiet": quiet], device: ["mute": .array(muted.map { .string($0) })]))
            try family.does(.said)
            try family.does(.cleoSaid)
            _ = family.box.allHeard(family.ben)
            family.box.clock = family.box.clock.adding(seconds: 3600)
            try family.box.turn()
            #expect(family.heard() == expected)
        }
    }

    @Test func `rules name members one sees, days there are, and go with their members`() throws {
        let box = try FamilyBox()
        let ada = try box.found()
        let ben = try box.join("ben", by: ada)
        func field(_ params: JSON.Object) throws -> String? {
            try box.refusal(ada, "activity.setRules", params)?.data["field"]?.string
        }
        let nobody = Identifier(high: 1, low: 2)
        #expect(try field(["still": [.id(nobody)]]) == "still")
        #expect(try field(["soundFrom": [.id(nobody)]]) == "soundFrom")
        // Only what else waits is asked to ring.
        #expect(try field(["ring": ["said"]]) != nil)
        #expect(try field(["quiet": ["from": "22:00", "to": "07:00", "zone": "UTC", "days": []]]) == "quiet.days")
        #expect(try field(["quiet": ["from": "22:00", "to": "07:00", "zone": "UTC", "days": ["caturday"]]]) != nil)
        try box.call(ada, "activity.setRules", ["still": [.id(ben.id), .id(ben.id)], "soundFrom": [.id(ben.id)]])
        let every: JSON = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let set = try box.call(
            ada, "activity.setRules", ["quiet": ["from": "22:00", "to": "07:00", "zone": "UTC", "days": every]])
        // Every day is no choice of days.
        #expect(set["rules"]?["quiet"]?["days"] == nil)
        #expect(set["rules"]?["still"] == [.id(ben.id)] && set["rules"]?["soundFrom"] == [.id(ben.id)])
        try box.call(ada, "member.remove", ["member": .id(ben.id), "keep": "delete"])
        let left = try box.call(ada, "activity.rules")["rules"]
        #expect(left?["still"] == [] && left?["soundFrom"] == [])
        #expect(try box.call(ada, "activity.setRules", ["soundFrom": .null])["rules"]?["soundFrom"] == .null)
    }

    @Test func `what is still waits in the inbox, and a phone for what is official is told of nothing else by a burst`()
        throws
    {
        let family = try Family(Rules(name: "", set: ["still": ["ada"]], phone: ["only": "official"]))
        try family.does(.said)
        #expect(try family.box.fresh(family.ben.id).inbox.entries.contains { $0.title == "Soup" })
        for _ in 0..<30 { try family.does(.cleoSaid) }
        #expect(try family.outcome() == .nothing)
        try family.does(.announced)
        #expect(try family.outcome() == .rings)
        let device = try #require(try family.box.fresh(family.ben.id).noticeDevices.first)
        #expect(device.only == .official)
        try family.box.call(family.ben, "notice.change", ["device": .id(device.id), "only": .null])
        #expect(try family.box.fresh(family.ben.id).noticeDevices.first?.only == nil)
    }
}
