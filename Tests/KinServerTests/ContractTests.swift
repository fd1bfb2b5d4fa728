import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox

/// What clients were promised, written out by hand: names, parameters, addresses, roles and events of every method, every
/// error and close code. The registry and the pages say the same, or one of them is wrong. What each area promises stands
/// with its tests (``Contract``).
@Suite struct ContractTests {
    /// What the mechanism itself promises.
    private static let mechanism = """
        family.backup {name} | | .....x |
        family.check {} | | ....ax |
        live.follow {since?, view?, types?, passing?} | | .gmha. |
        live.unfollow {} | | .gmha. |
        live.mark {name, cursor?} | | .gmha. |
        live.marks {} | GET /api/live/marks | .gmha. |
        live.at {time} | GET /api/live/at | .gmha. |
        daemon.status {} | GET /api/status | ....ax |
        clock.trust {} | | ....ax |
        search.find {words, kinds?, until?, before?, limit?} | GET /api/search | .gmha. |
        quota.show {} | GET /api/quota | .gmha. |
        quota.set {member?, family?} | PATCH /api/quota | ....ax |
        outside.list {} | GET /api/outside | ....ax |
        outside.allow {place, plain?} | POST /api/outside | ....ax |
        outside.forbid {place} | DELETE /api/outside/{place} | ....ax |
        """

    private static let contract = Contract.areas.reduce(into: Contract(mechanism)) { $0.add($1) }

    @Test func `each area has promised something`() {
        #expect(Contract.areas.count == Areas.parts.count)
        for contract in Contract.areas { #expect(!contract.methods.isEmpty) }
    }

    @Test func `every method is called, addressed and allowed as clients were promised`() throws {
        let rows = Self.contract.methods.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).map { String($0.trimmed) }
        }
        for row in rows {
            let name = String(row[0].prefix { $0 != " " })
            let method = try #require(Registry.family.methods[name], "\(name)")
            let parameters = method.parameters.map { $0.isRequired ? $0.name : $0.name + "?" }
            #expect(row[0] == "\(name) {\(parameters.joined(separator: ", "))}")
            #expect(row[1] == method.route.map { "\($0.verb) \($0.path)" } ?? "", "\(name)")
            let letters: [(Access, Character)] = [
                (.nobody, "n"), (.guest, "g"), (.member, "m"), (.head, "h"), (.admin, "a"), (.machine, "x"),
            ]
            #expect(row[2] == String(letters.map { method.access.contains($0.0) ? $0.1 : "." }), "\(name)")
            let events = row[3].split(separator: " ").map { String($0) }
            #expect(Set(events).isSubset(of: method.events), "\(name)")
        }
        // What only gateways call is nobody's promise.
        let named = rows.map { String($0[0].prefix { $0 != " " }) }
        #expect(Set(RegistryAccessTests.methods.map(\.name)) == Set(named))
        #expect(named.count == Set(named).count)
    }

    /// Words that a parameter takes, and no others.
    @Test(arguments: contract.words)
    func `words that a parameter takes are those that were promised`(
        method: String, parameter: String, words: String
    ) throws {
        let field = try #require(Registry.family.methods[method]?.parameters.first { $0.name == parameter })
        guard case .oneOf(let taken) = field.shape else {
            Issue.record("\(method) \(parameter) is no choice of words")
            return
        }
        #expect(taken.sorted().joined(separator: "|") == words)
    }

    /// Types of events of the contract, with what is always in their data.
    @Test(arguments: contract.events)
    func `every event of the contract is declared with its data`(name: String, data: String) throws {
        let event = try #require(Registry.family.events[name])
        #expect(event.isLatestOnly == Self.contract.latest.contains(name))
        var shape = event.data
        if case .named(_, let inner) = shape { shape = inner }
        // A position: what everyone sees where there are no rules.
        if case .either(.named(_, let inner), _) = shape { shape = inner }
        guard case .object(let fields) = shape else {
            Issue.record("\(name) has no object for its data")
            return
        }
        let required = Set(fields.filter(\.isRequired).map(\.name))
        #expect(required.isSuperset(of: data.split(separator: " ").map { String($0) }), "\(name)")
    }

    @Test func `every type of event that hides something says so, and no other does`() {
        let hiding = Registry.family.events.keys.filter { Registry.family.eventTraits[$0].isHiding }
        #expect(Set(hiding) == Self.contract.hiding.union(["reset"]))
        #expect(Registry.family.eventTraits["chat.said"].isHiding, "of another version")
    }

    @Test func `the lists that answer a cursor are those that events keep up to date`() {
        let listing = Registry.family.methods.values.filter(\.tellsCursor).map(\.name)
        #expect(Set(listing) == Self.contract.cursors)
    }

    // MARK: Errors and close codes

    /// The rows of a page's table that begin with a number.
    private func rows(_ page: String) throws -> [[String]] {
        try Documentation(page).text.split(separator: "\n").map { line in
            line.split(separator: "|").map { String($0.trimmed) }
        }.filter { $0.first.flatMap { Int($0.replacing("−", with: "-")) } != nil }
    }

    @Test func `the page's table of errors is the program's`() throws {
        let errors = try rows("WireProtocol").filter { $0.count == 4 }
        let expected = Rejection.Kind.allCases.map { kind in
            ["\(kind.rawValue)".replacing("-", with: "−"), "`\(kind.word)`", "\(kind.httpStatus)"]
        }
        #expect(errors.map { Array($0.prefix(3)) } == expected)
        let promised: [Int: String] = [
            -32700: "parse", -32600: "request", -32601: "method", -32602: "params", 1401: "not-signed-in",
            1403: "forbidden", 1404: "not-found", 1409: "conflict", 1413: "too-large", 1422: "invalid",
            1429: "slow-down", 1503: "unavailable",
        ]
        #expect(Dictionary(uniqueKeysWithValues: Rejection.Kind.allCases.map { ($0.rawValue, $0.word) }) == promised)
    }

    @Test func `the page's table of close codes is the program's`() throws {
        let codes = try rows("WireProtocol").filter { $0.count == 2 }.compactMap { $0.first.flatMap { UInt16($0) } }
        #expect(codes == CloseCode.allCases.map(\.rawValue))
        #expect(Set(codes).isSuperset(of: [1001, 1008, 1009, 1012, 4003, 4008, 4101, 4102, 4103]))
    }

    @Test func `the pages' numbers are the program's limits`() throws {
        let server = ServerLimits()
        let wire = try Documentation("WireProtocol").text.replacing("\n", with: " ")
        for words in [
            "for its body | \(server.firstByteSeconds) s, \(server.headSeconds) s, \(server.bodySeconds) s |",
            "between two requests | \(server.idleSeconds) s |",
            "Nobody signed in within \(server.signInSeconds) s", "in all | \(server.bytesBeforeSignInMax >> 10) kB |",
            "message after that | \(server.messageBytesMax >> 20) MiB |",
            "at most \(server.pictureBodyHeldBytesMax >> 10) KiB of its body",
            "files have \(server.pictureFilesBytesMax >> 20) MiB together",
            "the body may have \(server.pictureOutlineBytesMax >> 10) KiB",
            "HTTP body | \(server.bodyBytesMax >> 20) MiB; with a picture \(server.pictureBodyBytesMax >> 20) MiB;",
            "of a form \(server.formBytesMax >> 10) kB |", "memory together | \(server.bodiesBytesMax >> 20) MiB,",
            "| \(server.connectionsPerMemberMax) of a member, \(server.connectionsPerAddressMax) of an address;",
            "At most \(server.requestsPerConnectionMax) may be",
            "every \(server.uptoMilliseconds / 1000) s", "taken for \(server.stuckMilliseconds / 1000) s",
            "At most \(server.plainBodyBytesMax >> 10) kB of a body", "kept \(Limits.opDays) days",
            "at most \(Limits.snapshotPartBytesMax >> 10) KiB", "at most \(Limits.membersMax) members",
        ] {
            #expect(wire.contains(words), "\(words)")
        }
        let meetings = try Documentation("Meetings", of: "Areas/Meetings").text.replacing("\n", with: " ")
        for words in [
            "\(Limits.meetingSlotsMax) slots, suggested ones included", "\(Limits.meetingsPerHostMax) meetings of one",
            "\(Limits.meetingsPerHostBytesMax / 1000) kB of them",
            "at most \(Limits.meetingsSnapshotBytesMax / 1000) kB of them",
            "\(Limits.meetingTitleCharactersMax) characters of",
            "\(Limits.meetingPlaceCharactersMax) of place", "2,000 of note",
            "\(Limits.meetingReasonCharactersMax) of a reason",
        ] {
            #expect(meetings.contains(words), "\(words)")
        }
        #expect(Limits.meetingNoteCharactersMax == 2000 && Limits.meetingDaysAheadMax / 366 == 10)
        let activity = try Documentation("Activity", of: "Areas/Activity").text.replacing("\n", with: " ")
        for words in [
            "the newest \(Inbox.entriesMax) unread", "(\(Inbox.unreadMax) stands for", "at most 31,000 bytes",
            "Read entries are kept for \(Limits.inboxReadDays) days and unread ones for \(Limits.inboxUnreadDays): at most 1,000",
            "more than \(Limits.inboxEntriesInFullMax) ordinary", "of at most \(InboxEntry.titleCharactersMax) char",
        ] {
            #expect(activity.contains(words), "\(words)")
        }
        #expect(Inbox.bytesMax == 31_000 && Limits.inboxEntriesPerMemberMax == 1000)
        #expect(Limits.digestAfterDays == 2 && Limits.phoneSilentHours == 6)
        #expect([server.requestsMax, Limits.passwordsWaitingMax, Limits.passwordsAtOnce] == [4096, 16, 2])
        #expect([Limits.marksPerMemberMax, Int(Limits.markDays), Int(Limits.logDays)] == [32, 90, 90])
        #expect([server.pingMilliseconds, server.silenceMilliseconds] == [30_000, 90_000])
        #expect(server.feedBytes == 4 << 20 && Limits.replayBytesPerTurn <= 64 << 10)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " }
        return start.prefix(upTo: start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex)
    }
}
