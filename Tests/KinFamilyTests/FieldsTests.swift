import KinKeeper
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinModel

/// What every value on the wire keeps: what is written has its shape and is read again, and what is of a wrong kind is
/// not read.
@Suite struct FieldsTests {
    /// `tolerated`: fields that may be missing although they are always written.
    private func check<Value: WireRecord>(
        _ make: (inout Sample) -> Value, tolerated: Set<String> = [], _ location: SourceLocation = #_sourceLocation
    ) {
        let fields = Value.fields.list
        for seed in 1...60 as ClosedRange<UInt64> {
            var dice = Sample(seed: seed)
            let value = make(&dice)
            let json = value.json
            #expect(Value(json) == value, "\(json.text)", sourceLocation: location)
            #expect(throws: Never.self, "\(json.text)", sourceLocation: location) {
                try Value.shape.check(json, field: "\(Value.self)")
            }
            let names = json.object?.names ?? []
            #expect(
                names == fields.map(\.name).filter { names.contains($0) }, "fields in their order",
                sourceLocation: location)
            var more = json
            more["fromANewerDaemon"] = 1
            #expect(Value(more) == value, sourceLocation: location)
            for field in fields where field.isRequired && !tolerated.contains(field.name) {
                for wrong in [nil, .null, [1], ["x": 1], 1.5, .string("\u{7}")] as [JSON?] {
                    guard field.shape.refuses(wrong) else { continue }
                    var broken = json
                    broken[field.name] = wrong
                    #expect(Value(broken) == nil, "\(field.name) is \(wrong?.text ?? "")", sourceLocation: location)
                }
            }
            for field in fields where !field.isRequired {
                var without = json
                without[field.name] = nil
                #expect(Value(without)?.json == without, sourceLocation: location)
            }
        }
        #expect(Value([]) == nil && Value("x") == nil || fields.isEmpty, sourceLocation: location)
    }

    /// A value with all fields of two others among its own.
    private struct Both: WireRecord {
        let slot: Slot
        let isLast: Bool
        let family: FamilyName?
        let seen: Seen

        struct FamilyName: WireRecord {
            let name: String

            static let fields = Fields(nil, FamilyName.init(name:), .required("name", \.name, .name))
        }

        struct Seen: WireRecord {
            let seenAt: Instant
            let by: Identifier?

            static let fields = Fields(
                nil, Seen.init(seenAt:by:), .required("seenAt", \.seenAt, .time), .optional("by", \.by, .id))
        }

        static let fields = Fields(
            nil, Both.init(slot:isLast:family:seen:), .all(of: \.slot), .required("isLast", \.isLast, .bool),
            .optional("family", \.family, FamilyName.form), .all(of: \.seen))
    }

    @Test func `a value may have all fields of another among its own`() {
        check { sample in
            Both(
                slot: sample.slot(), isLast: sample.bool(), family: sample.maybe { Both.FamilyName(name: $0.text()) },
                seen: Both.Seen(seenAt: sample.time(), by: sample.maybe { $0.id() }))
        }
        #expect(Both.fields.list.map(\.name) == ["id", "start", "end", "isLast", "family", "seenAt", "by"])
    }

    @Test func `a meeting and its parts are read as they are written`() {
        check { $0.slot() }
        check { $0.suggestion() }
        check { $0.vote() }
        check { Tally.Count(slot: $0.id(), yes: $0.count(), ifNeedBe: $0.count(), no: $0.count()) }
        check { $0.tally() }
        check({ $0.meeting() }, tolerated: ["suggestions"])
        check { $0.own() }
        check { SeenMeeting(meeting: $0.meeting(), own: $0.own()) }
    }

    @Test func `members and what they live in are read as they are written`() {
        check { Family(id: $0.id(), name: $0.text()) }
        check { Household(id: $0.id(), name: $0.text()) }
        check({ $0.member() }, tolerated: ["parents", "partners"])
        check {
            Invites.Invite(
                id: $0.id(), household: $0.id(), role: $0.pick(), kind: $0.pick(), uses: 1 + Int64($0.below(99)),
                used: Int64($0.below(100)), by: $0.maybe { $0.id() }, expires: $0.time())
        }
    }

    @Test func `entries of inboxes, places and sharing are read as they are written`() {
        check({ $0.entry() }, tolerated: ["official", "unread", "lines", "more"])
        check { $0.place() }
        check { $0.sharing() }
        check({ Inbox($0.entries(), unread: Int64($0.below(999))) }, tolerated: ["entries", "unread"])
        check { sample in
            sample.bool()
                ? Presence(member: sample.id(), place: sample.maybe { $0.text() }, at: sample.time())
                : Presence(member: sample.id(), isHome: sample.maybe { $0.bool() }, at: sample.time())
        }
    }

    @Test func `what somebody sees of a member is read as it is written`() {
        check { SharingSights.Seer(who: $0.named(), seen: $0.seen(), rules: [.everyone, .household]) }
        check { SharingSights.Unseeing(who: $0.named(), rules: [.member($0.id())]) }
        check {
            SharingSights.Effect(
                who: $0.named(), isChanged: $0.bool(), before: $0.seen(), now: $0.seen(), rules: [])
        }
        check {
            OwnSharing.Waiting(who: $0.named(), group: $0.pick(), precision: $0.pick(), showsHistory: $0.bool())
        }
        check { PlaceAgreements.Waiting(place: $0.id(), name: $0.text()) }
    }

    @Test func `ways into an account are read as they are written`() {
        check {
            Sessions.Listed(
                id: $0.id(), device: $0.text(), agent: $0.text(), address: $0.text(), openedAt: $0.time(),
                usedAt: $0.time(), isThisOne: $0.bool(), waitsUntil: $0.maybe { $0.time() },
                openedBy: $0.maybe { $0.maybe { $0.id() } })
        }
        check {
            AppPasswords.Listed(
                id: $0.id(), device: $0.text(), scope: $0.pick(), createdAt: $0.time(),
                usedAt: $0.maybe { $0.time() })
        }
    }

    @Test func `what tells of meetings is read as it is written`() {
        check { Meeting.Named(meeting: $0.id()) }
        check { Meeting.Proposed(meeting: $0.meeting(), invitees: $0.ids()) }
        check { Meeting.Shown(meeting: $0.meeting(), own: $0.own(), invitees: $0.ids()) }
        check { Meeting.Updated(meeting: $0.meeting(), changes: [$0.pick()]) }
        check { Meeting.Voted(meeting: $0.id(), member: $0.id(), votes: $0.votes(), tally: $0.tally()) }
        check {
            Meeting.Refused(meeting: $0.id(), member: $0.id(), reason: $0.maybe { $0.text() }, tally: $0.tally())
        }
        check { Meeting.Suggested(meeting: $0.id(), suggestion: $0.suggestion()) }
        check { Meeting.Attended(meeting: $0.id(), member: $0.id(), answer: $0.pick(), tally: $0.tally()) }
        check { Meeting.Confirmed(meeting: $0.meeting(), going: $0.ids()) }
        check { Meeting.Cancelled(meeting: $0.id(), reason: $0.maybe { $0.text() }) }
        check { Meeting.Closed(meeting: $0.id(), tally: $0.tally()) }
        check { Meeting.DeadlineNear(meeting: $0.id(), deadline: $0.time()) }
        check { Meeting.HandedOver(meeting: $0.id(), host: $0.id(), from: $0.id(), tally: $0.tally()) }
        check { Meeting.Cleared(before: $0.time()) }
    }

    @Test func `what tells of members is read as it is written`() {
        check { Family.Shown(family: Family(id: $0.id(), name: $0.text())) }
        check { Household.Shown(household: Household(id: $0.id(), name: $0.text())) }
        check { Household.Named(household: $0.id()) }
        check { Member.Shown(member: $0.member()) }
        check({ Member.Changed(member: $0.member(), changed: ["role"]) }, tolerated: ["changed"])
        check { Member.Named(member: $0.id()) }
        check { Move.Asked(member: $0.id(), household: $0.id()) }
        check {
            Move.Answered(member: $0.id(), household: $0.id(), answer: $0.pick(), askedBy: $0.maybe { $0.id() })
        }
        check { Grown.Asked(member: $0.id(), ends: $0.time()) }
        check { Grown.Answered(member: $0.id(), grown: $0.bool(), unanswered: $0.maybe { $0.bool() }) }
        check { Sessions.Opened(session: $0.id(), device: $0.text()) }
        check {
            Permission.Changed(what: $0.pick(), device: $0.maybe { $0.text() }, scope: $0.maybe { $0.pick() })
        }
        check {
            Sessions.AccountChanged(
                member: $0.id(), what: $0.pick(), setBy: $0.maybe { $0.maybe { $0.id() } },
                session: $0.maybe { $0.id() }, device: $0.maybe { $0.text() }, until: $0.maybe { $0.time() })
        }
        check { Invites.Revoked(invite: $0.id()) }
        check { Quota.Near(what: "points", used: Int64($0.count()), most: Int64($0.count())) }
    }

    @Test func `what tells of inboxes and of the map is read as it is written`() {
        check { Inbox.Announced(text: $0.text()) }
        check { Inbox.Added(entry: $0.entry(), unread: Int64($0.below(999)), again: $0.maybe { $0.bool() }) }
        check { Inbox.Read(upTo: $0.time(), unread: Int64($0.below(999))) }
        check { Inbox.Dismissed(id: $0.id(), unread: Int64($0.below(999))) }
        check { Inbox.Removed(entries: $0.ids(), unread: Int64($0.below(999))) }
        check { Inbox.Digested(entry: $0.entry(), upTo: $0.time(), unread: Int64($0.below(999))) }
        check({ Sharing.Changed(sharing: $0.sharing(), changes: [$0.pick()]) }, tolerated: ["changes"])
        check { Place.Shown(place: $0.place()) }
        check { Place.Named(place: $0.id()) }
        check { Stays.Passage(member: $0.id(), place: $0.id(), name: $0.text(), at: $0.time()) }
        check {
            Places.Asked(
                member: $0.id(), place: $0.maybe { $0.id() }, name: $0.maybe { $0.text() },
                until: $0.maybe { $0.time() })
        }
        check { MemberSharing.Asked(member: $0.id(), viewer: $0.id(), group: $0.pick(), precision: $0.pick()) }
        check { MemberSharing.ToConfirm(member: $0.id(), until: $0.time()) }
        check { MemberSharing.OfChild(member: $0.id(), what: $0.pick(), holder: $0.maybe { $0.id() }) }
        check { Silence.Silent(member: $0.id(), last: $0.maybe { $0.time() }, cause: $0.maybe { $0.pick() }) }
        check { _ in Nothing() }
    }
}

extension Shape {
    /// Whether it does not take a value at all, whatever its bounds are; what is absent it never takes.
    fileprivate func refuses(_ json: JSON?) -> Bool {
        guard let json else { return true }
        return switch self {
        case .any: false
        case .named(_, let shape): shape.refuses(json)
        case .nullable(let shape): !json.isNull && shape.refuses(json)
        case .either(let first, let second): first.refuses(json) && second.refuses(json)
        case .line, .text, .secret, .token, .username: json.string == nil
        case .list: json.array == nil
        case .object: json.object == nil || (try? check(json, field: "it")) == nil
        case .number: json.double == nil
        case .id, .time, .bool, .integer, .oneOf: (try? check(json, field: "it")) == nil
        }
    }
}

/// Values made of a seed.
private struct Sample {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func bool() -> Bool { below(2) == 0 }
    mutating func id() -> Identifier { Identifier(at: time(), random: (next(), next())) }
    mutating func ids() -> [Identifier] { (0..<below(4)).map { _ in id() } }
    mutating func time() -> Instant { Instant(milliseconds: 1_790_000_000_000 + Int64(below(10_000_000_000))) }
    mutating func count() -> Int { below(401) }
    mutating func text() -> String {
        (0...below(8)).map { _ in ["a", "Ü", "語", "\"", "\\", "z", "0", "👪"][below(8)] }.joined()
    }
    mutating func pick<Word: CaseIterable>() -> Word {
        let all = Array(Word.allCases)
        return all[below(all.count)]
    }
    mutating func maybe<Value>(_ make: (inout Sample) -> Value) -> Value? { bool() ? make(&self) : nil }
    mutating func some<Value>(_ make: (inout Sample) -> Value) -> [Value] {
        (0..<below(4)).map { _ in make(&self) }
    }

    mutating func slot() -> Slot { Slot(id: id(), start: time(), end: time()) }
    mutating func suggestion() -> Suggestion { Suggestion(slot: slot(), by: id()) }
    mutating func vote() -> Vote { Vote(slot: id(), answer: pick()) }
    mutating func votes() -> [Vote] { some { $0.vote() } }
    mutating func tally() -> Tally {
        Tally(
            voted: count(), refused: count(), noReply: count(),
            slots: some { Tally.Count(slot: $0.id(), yes: $0.count(), ifNeedBe: $0.count(), no: $0.count()) },
            going: maybe { $0.count() }, notGoing: maybe { $0.count() })
    }
    mutating func own() -> OwnPart {
        OwnPart(reply: pick(), votes: votes(), attendance: maybe { $0.pick() }, isInvited: bool())
    }
    mutating func meeting() -> Meeting {
        Meeting(
            id: id(), title: text(), kind: pick(), host: id(), state: pick(), zone: "Europe/Berlin",
            place: maybe { $0.text() }, note: maybe { $0.text() }, deadline: maybe { $0.time() },
            slots: some { $0.slot() }, suggestions: some { $0.suggestion() }, confirmed: maybe { $0.id() },
            tally: tally())
    }
    mutating func member() -> Member {
        Member(
            id: id(), username: bool() ? "ada.b" : "", displayName: text(), role: pick(), kind: pick(),
            household: id(), picture: bool() ? "face-1" : nil, parents: ids(), partners: ids())
    }
    mutating func entry() -> InboxEntry {
        InboxEntry(
            id: id(), about: "meeting/\(id())", isOfficial: bool(), isUnread: bool(), at: time(),
            title: maybe { $0.text() }, lines: some { ["kind": "invited", "at": .time($0.time())] },
            more: Int64(below(9)))
    }
    /// Newest first, each of a moment of its own.
    mutating func entries() -> [InboxEntry] { some { $0.entry() }.sorted(by: InboxEntry.isNewer) }
    mutating func place() -> Place {
        Place(
            id: id(), kind: pick(), name: text(), icon: maybe { _ in "🏠" }, lat: Double(below(18_000)) / 100 - 90,
            lon: Double(below(36_000)) / 100 - 180, radius: maybe { 20.5 + Double($0.below(900)) }, owner: id(),
            homeOf: maybe { $0.id() }, note: maybe { $0.text() })
    }
    mutating func named() -> SharingSights.Named { SharingSights.Named(id: id(), displayName: text()) }
    mutating func seen() -> Viewers.Seen {
        Viewers.Seen(precision: pick(), showsHistory: bool(), until: maybe { $0.time() })
    }
    mutating func sharing() -> Sharing {
        Sharing(isOn: bool(), until: maybe { $0.time() }, heldBy: maybe { $0.id() })
    }
}
