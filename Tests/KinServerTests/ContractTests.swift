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

/// What clients were promised, written out by hand: names, parameters, addresses, roles and events of every method, every
/// error and close code. The registry and the pages say the same, or one of them is wrong.
@Suite struct ContractTests {
    /// Method with its parameters (`?`: may be left out), address, who (n nobody, g guest, m member, h head, a admin,
    /// x the machine), events.
    private static let methods = """
        family.found {name, household, username, password, displayName, link?, device?} | | n....x | family.founded
        family.show {} | GET /api/family | .gmhax |
        family.rename {name} | PATCH /api/family | ....ax | family.renamed
        family.close {confirm} | POST /api/family/close | ....ax |
        family.backup {name} | | .....x |
        family.check {} | | ....ax |
        household.found {name, member?, stay?} | POST /api/households | ..mhax | household.founded member.moved
        household.rename {household, name} | PATCH /api/households/{household} | ...hax | household.renamed
        household.move {member, household} | PUT /api/members/{member}/household | .gmhax | household.asked member.moved
        household.admit {member, household?, admit} | PUT /api/members/{member}/admission | ..mhax | household.answered
        household.remove {household} | DELETE /api/households/{household} | ....ax | household.removed
        invite.create {household?, role?, kind?, uses?, expires?} | POST /api/invites | ...hax | invite.created
        invite.list {} | GET /api/invites | ...hax |
        invite.revoke {invite} | DELETE /api/invites/{invite} | ...hax | invite.revoked
        invite.show {code} | | ngmhax |
        member.join {code, username, password, displayName, device?, asChild?} | POST /api/members | n....x | member.joined
        member.add {username, password, displayName, household, role, kind} | POST /api/households/{household}/members | ...hax | member.added
        member.update {member, displayName?, username?, kind?, picture?} | PATCH /api/members/{member} | .gmhax | member.updated
        member.setPicture {member, picture} | PUT /api/members/{member}/picture | .gmhax | member.updated
        member.removePicture {member} | DELETE /api/members/{member}/picture | .gmhax | member.updated
        member.picture {member, name} | GET /api/members/{member}/picture/{name} | .gmhax |
        member.remove {member, keep, to?} | DELETE /api/members/{member} | .gmhax | member.removed
        member.setRole {member, role} | PUT /api/members/{member}/role | ....ax | member.updated
        member.relate {member, parentOf?, partnerOf?, remove?} | PUT /api/members/{member}/relations | ..mhax | member.updated
        member.requests {} | GET /api/requests | .gmhax |
        member.askGrown {} | POST /api/grown | .gmha. | member.grownAsked
        member.answerGrown {member, grown} | PUT /api/members/{member}/grown | ..mhax | member.grownAnswered
        member.show {member} | GET /api/members/{member} | .gmhax |
        member.list {} | GET /api/members | .gmhax |
        session.open {username, password, device?, knownDevice?} | POST /api/session | ngmhax | session.opened
        session.redeem {link, device?, password?, keepAppPasswords?} | POST /api/session/link | ngmhax | session.opened
        session.resume {token} | | ngmhax |
        session.as {username} | | .....x |
        session.close {} | DELETE /api/session | .gmha. |
        session.list {} | GET /api/sessions | .gmha. |
        session.revoke {session} | DELETE /api/sessions/{session} | .gmha. |
        session.trust {member?, session?} | POST /api/sessions/trust | .gmhax | account.changed
        session.waiting {} | GET /api/sessions/waiting | .gmhax |
        session.link {member} | POST /api/members/{member}/sign-in-link | ....ax | permission.changed
        password.change {old, new} | PUT /api/password | .gmha. | permission.changed
        password.reset {username, password, keepAppPasswords?} | | .....x | permission.changed
        appPassword.create {device, scope} | POST /api/app-passwords | .gmha. | permission.changed
        appPassword.list {} | GET /api/app-passwords | .gmha. |
        appPassword.revoke {appPassword} | DELETE /api/app-passwords/{appPassword} | .gmha. | permission.changed
        meeting.propose {title, kind, slots, zone, invitees?, place?, note?, deadline?} | POST /api/meetings | ..mha. | meeting.proposed
        meeting.vote {meeting, votes} | PUT /api/meetings/{meeting}/votes | .gmha. | meeting.voted
        meeting.refuse {meeting, reason?} | PUT /api/meetings/{meeting}/refusal | .gmha. | meeting.refused
        meeting.suggest {meeting, slot} | POST /api/meetings/{meeting}/slots | .gmha. | meeting.suggested
        meeting.accept {meeting, suggestion} | PUT /api/meetings/{meeting}/suggestions/{suggestion} | .gmha. | meeting.updated
        meeting.decline {meeting, suggestion} | DELETE /api/meetings/{meeting}/suggestions/{suggestion} | .gmha. | meeting.updated
        meeting.attend {meeting, answer} | PUT /api/meetings/{meeting}/attendance | .gmha. | meeting.attended
        meeting.confirm {meeting, slot} | PUT /api/meetings/{meeting}/confirmation | .gmha. | meeting.confirmed
        meeting.update {meeting, title?, place?, note?, zone?, slots?, invitees?, deadline?} | PATCH /api/meetings/{meeting} | .gmha. | meeting.updated meeting.shown meeting.hidden
        meeting.cancel {meeting, reason?} | PUT /api/meetings/{meeting}/cancellation | .gmha. | meeting.cancelled
        meeting.nudge {meeting} | POST /api/meetings/{meeting}/nudges | .gmha. | meeting.nudged
        meeting.handOver {meeting, to} | PUT /api/meetings/{meeting}/host | .gmha. | meeting.handedOver
        meeting.list {view, words?, after?, limit?} | GET /api/meetings | .gmha. |
        meeting.show {meeting} | GET /api/meetings/{meeting} | .gmha. |
        meeting.clearPast {} | DELETE /api/meetings/past | .gmha. | meeting.cleared
        position.report {lat?, lon?, at?, accuracy?, altitude?, speed?, course?, battery?, charging?, moving?, device?, positions?} | POST /api/positions | .gmha. | position
        position.forget {from, to} | DELETE /api/positions | .gmha. | position.deleted
        position.latest {} | GET /api/positions | .gmha. |
        position.history {member, from, to, after?, limit?} | GET /api/positions/{member} | .gmha. |
        position.export {member, format, from?, to?, after?} | GET /api/positions/{member}/export | .gmha. |
        position.ask {member} | POST /api/positions/{member}/questions | .gmha. | position.asked
        phone.list {member?} | GET /api/phones | .gmha. |
        phone.update {phone, waypoints} | PATCH /api/phones/{phone} | .gmha. |
        phone.forget {phone} | DELETE /api/phones/{phone} | .gmha. |
        sharing.set {state?, until?, rules?, historyDays?, confirms?, member?} | PUT /api/sharing | .gmha. | sharing.changed
        sharing.show {member?} | GET /api/sharing | .gmha. |
        sharing.admit {viewer, admit, member?} | PUT /api/sharing/viewers/{viewer} | .gmha. | sharing.changed
        sharing.hold {member, hold, to?} | PUT /api/members/{member}/sharing/holder | ..mha. | sharing.changed sharing.child
        sharing.looks {before?, limit?, member?} | GET /api/sharing/looks | .gmha. |
        guestLink.create {precision, until} | POST /api/sharing/links | .gmha. |
        guestLink.list {} | GET /api/sharing/links | .gmha. |
        guestLink.revoke {guestLink} | DELETE /api/sharing/links/{guestLink} | .gmha. |
        place.add {kind?, name, icon?, lat, lon, radius?, note?, audience?, home?} | POST /api/places | ..mha. | place.added
        place.update {place, kind?, name?, icon?, lat?, lon?, radius?, note?, audience?, home?} | PATCH /api/places/{place} | ..mha. | place.updated place.shown place.hidden
        place.remove {place} | DELETE /api/places/{place} | ..mha. | place.removed
        place.list {} | GET /api/places | .gmha. |
        place.near {lat, lon, limit?, town?} | GET /api/places/near | .gmha. |
        place.notify {who?, place?, when} | POST /api/place-rules | .gmha. |
        place.unnotify {rule} | DELETE /api/place-rules/{rule} | .gmha. |
        place.rules {} | GET /api/place-rules | .gmha. |
        place.admit {place, admit, member?} | PUT /api/places/{place}/agreement | .gmha. |
        activity.list {before?, limit?} | GET /api/activity | .gmha. |
        activity.read {upTo} | POST /api/activity/read | .gmha. | activity.read
        activity.dismiss {id?, upTo?} | DELETE /api/activity/{id} | .gmha. | activity.dismissed
        activity.rules {} | GET /api/activity/rules | .gmha. |
        activity.setRules {mute?, quiet?} | PUT /api/activity/rules | .gmha. |
        activity.say {text, to?} | POST /api/activity/sayings | .gmha. | activity.said
        activity.show {id} | GET /api/activity/sayings/{id} | .gmha. |
        activity.own {before?, limit?} | GET /api/activity/sayings | .gmha. |
        activity.correct {id, text} | PATCH /api/activity/sayings/{id} | .gmha. | activity.corrected
        activity.withdraw {id} | DELETE /api/activity/sayings/{id} | .gmha. | activity.deleted
        activity.announce {text} | POST /api/activity/announcements | ....ax | activity.announced
        contact.add {category?, company?, title?, firstName?, lastName?, phones?, emails?, addresses?, note?} | POST /api/contacts | ....ax | contact.added
        contact.update {contact, category?, company?, title?, firstName?, lastName?, phones?, emails?, addresses?, note?} | PATCH /api/contacts/{contact} | ....ax | contact.changed
        contact.remove {contact} | DELETE /api/contacts/{contact} | ....ax | contact.removed
        contact.list {words?, category?, after?, limit?} | GET /api/contacts | ..mhax |
        contact.show {contact} | GET /api/contacts/{contact} | ..mhax |
        contact.import {vcard} | POST /api/contacts/import | ....ax | contact.added contact.changed
        contact.export {words?, category?, after?} | GET /api/contacts/export | ..mhax |
        profile.add {kind, value, label?, audience?} | POST /api/profiles | .gmha. | profile.added
        profile.update {entry, value?, label?, audience?} | PATCH /api/profiles/{entry} | .gmha. | profile.changed profile.shown profile.hidden
        profile.remove {entry} | DELETE /api/profiles/{entry} | .gmha. | profile.removed
        profile.list {member?} | GET /api/profiles | .gmha. |
        settings.show {} | GET /api/settings | .gmha. |
        settings.set {language?, zone?, textSize?, theme?, weekStart?, tabs?} | PATCH /api/settings | .gmha. | settings.changed
        live.follow {since?, view?, types?} | | .gmha. |
        live.unfollow {} | | .gmha. |
        live.mark {name, cursor?} | | .gmha. |
        live.marks {} | GET /api/live/marks | .gmha. |
        live.at {time} | GET /api/live/at | .gmha. |
        setUp.show {link} | | ngmhax |
        daemon.status {} | GET /api/status | ....ax |
        clock.trust {} | | ....ax |
        """

    @Test func `every method is called, addressed and allowed as clients were promised`() throws {
        let rows = Self.methods.split(separator: "\n").map { row in
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
    @Test(arguments: [
        ("invite.create", "kind", "adult|child"), ("member.update", "kind", "adult|child"),
        ("member.setRole", "role", "admin|guest|head|member"), ("member.remove", "keep", "delete|hand-over"),
        ("appPassword.create", "scope", "calendar|location|metrics|notifications|report"),
        ("meeting.propose", "kind", "group|public|solo"), ("meeting.attend", "answer", "going|notGoing"),
        ("meeting.list", "view", "coming|hosting|invitations|past"), ("sharing.set", "state", "off|on"),
    ])
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
    @Test(arguments: [
        ("family.founded", ""), ("household.founded", "household"), ("member.moved", "member"),
        ("invite.created", "invite"), ("invite.revoked", "invite"), ("member.joined", "member"),
        ("household.asked", "member household"), ("household.answered", "member household answer"),
        ("member.grownAsked", "member ends"), ("member.grownAnswered", "member grown"),
        ("member.added", "member"), ("member.updated", "member"), ("member.removed", "member"),
        ("session.opened", "session device"), ("account.changed", "member what"),
        ("meeting.proposed", "meeting invitees"),
        ("meeting.shown", "meeting own invitees"), ("meeting.hidden", "meeting"), ("meeting.deleted", "meeting"),
        ("meeting.voted", "meeting member votes tally"), ("meeting.refused", "meeting member tally"),
        ("meeting.suggested", "meeting suggestion"), ("meeting.attended", "meeting member answer tally"),
        ("meeting.confirmed", "meeting going"), ("meeting.updated", "meeting changes"),
        ("meeting.cancelled", "meeting"), ("meeting.nudged", "meeting"), ("meeting.handedOver", "meeting host tally"),
        ("meeting.closed", "meeting tally"), ("position", "member lat lon at"), ("position.hidden", "member"),
        ("sharing.changed", "sharing changes"), ("activity.added", "entry unread"), ("activity.read", "upTo unread"),
        ("activity.announced", "text"), ("activity.said", "text"), ("activity.corrected", "text"),
    ])
    func `every event of the contract is declared with its data`(name: String, data: String) throws {
        let event = try #require(Registry.family.events[name])
        #expect(event.isLatestOnly == ["position", "position.hidden", "activity.added"].contains(name))
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
            "First byte within \(server.firstByteSeconds) s", "a request's head within \(server.headSeconds) s",
            "its body within \(server.bodySeconds) s", "\(server.idleSeconds) s between requests",
            "Nobody signed in within \(server.signInSeconds) s", "at most \(server.bytesBeforeSignInMax >> 10) kB",
            "message or line after it at most \(server.messageBytesMax >> 20) MiB",
            "at most \(server.pictureBodyHeldBytesMax >> 10) KiB of its body",
            "files have \(server.pictureFilesBytesMax >> 20) MiB together",
            "at most \(server.pictureOutlineBytesMax >> 10) KiB besides",
            "a body at most \(server.bodyBytesMax >> 20) MiB", "pictures \(server.pictureBodyBytesMax >> 20) MiB",
            "forms \(server.formBytesMax >> 10) kB", "all bodies together \(server.bodiesBytesMax >> 20) MiB",
            "\(server.connectionsPerMemberMax) connections a member",
            "\(server.connectionsPerAddressMax) an address", "At most \(server.requestsPerConnectionMax) may be",
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
            "Read entries \(Limits.inboxReadDays) days, unread ones \(Limits.inboxUnreadDays), at most 1,000",
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
