import KinKeeper
import KinModel
import KinStore

extension InboxEntry {
    /// Whether a line of it tells where somebody is or was.
    fileprivate func tellsOfPositions(_ kinds: InboxKinds) -> Bool {
        lines.contains { line in line["kind"]?.string.flatMap { kinds[$0] }?.tellsOfPositions ?? false }
    }
}

extension Activity {
    static func inboxMethods(_ shapes: Shapes) -> [Method] {
        [list(shapes), read, dismiss, showRules(shapes), setRules(shapes)]
    }

    private static let unreadResult = Shape.object([unread])

    private static func list(_ shapes: Shapes) -> Method {
        Method.query(
            "activity.list", "The caller's inbox, newest first, read and unread.", access: .signedIn,
            note: "oneself; read entries for \(Limits.inboxReadDays) days, unread ones for \(Limits.inboxUnreadDays)",
            [
                .optional("before", .token(max: 64), "next of the answer before, for the page after it."),
                .optional(
                    "limit", .integer(1...Int64(Limits.inboxEntriesPerAnswerMax)), "Entries in the answer; else 50."),
            ],
            result: .object([
                .required("entries", .list(shapes.entry, max: Limits.inboxEntriesPerAnswerMax)), unread,
                .optional("next", .token(max: 64), "To be given as before; there while there are more."),
            ]),
            route: Route("GET", "/api/activity"),
            apply: { (act, params) throws(Rejection) in
                var place: InboxQuery.Place?
                if let before = params.optionalString("before") {
                    place = InboxQuery.Place(before)
                    guard place != nil else {
                        throw Rejection(
                            .invalid, "before must be what an earlier answer gave as next.", field: "before")
                    }
                }
                let limit = Int(params.optionalInt("limit") ?? 50)
                let found = try own(act).ask { (query) throws(StoreFailure) in
                    (
                        try query.page(
                            before: place, count: limit + 1, readSince: act.now.adding(days: -Limits.inboxReadDays)),
                        try query.unread()
                    )
                }
                let page = found.0.prefix(limit)
                let member = try act.member
                let shown = member.isWaiting ? page.filter { !$0.tellsOfPositions(act.inboxKinds) } : Array(page)
                return .done(
                    .object(leavingOut: [
                        "entries": .array(shown.map(\.json)), "unread": .int(found.1),
                        "next": found.0.count > limit ? page.last.map { .string(InboxQuery.Place($0).text) } : nil,
                    ]))
            }
        ).listing()
    }

    static let read = Method.command(
        "activity.read", "Says that the caller has read everything up to an entry or a moment.", access: .signedIn,
        note: "oneself; an entry stands for the moment of its last line",
        [.required("upTo", .either(.id, .time), "An entry, or a moment.")], result: unreadResult,
        route: Route("POST", "/api/activity/read"), events: [Inbox.read],
        again: { (act, _) throws(Rejection) in ["unread": .int(try own(act).unread())] },
        apply: { (act, params) throws(Rejection) in
            let inbox = try own(act)
            var upTo = params.optionalTime("upTo")
            if let id = params.optionalID("upTo") {
                upTo = try inbox.ask { (query) throws(StoreFailure) in try query.at(id) }
                guard upTo != nil else { throw .notFound("entry", id.description, field: "upTo") }
            }
            if let upTo { try inbox.read(upTo: upTo) }
            return .done(["unread": .int(try inbox.unread())])
        }
    ).freeingRoom()

    static let dismiss = Method.command(
        "activity.dismiss", "Takes one entry out of the caller's inbox, or every entry up to a moment.",
        access: .signedIn, note: "oneself; either of the two",
        [.optional("id", .id, "This entry."), .optional("upTo", .time, "All that is not newer.")],
        result: unreadResult, route: Route("DELETE", "/api/activity/{id}"),
        events: [Inbox.dismissed, Inbox.removed, Inbox.added],
        again: { (act, _) throws(Rejection) in ["unread": .int(try own(act).unread())] },
        apply: { (act, params) throws(Rejection) in
            let inbox = try own(act)
            guard params.has("id") != params.has("upTo") else {
                throw Rejection(.invalid, "Give either id or upTo.", field: "id")
            }
            if let upTo = params.optionalTime("upTo") { try inbox.dismiss(upTo: upTo) }
            let id = params.optionalID("id")
            if let id { try inbox.dismiss(id) }
            return .done(["unread": .int(try inbox.unread())], ids: id.map { [$0] } ?? [])
        }
    ).freeingRoom()

    private static let ofDevice = Field.optional(
        "device", .id, "One of the caller's devices that ring (notice.list); the caller's own rules if left out.")

    private static func showRules(_ shapes: Shapes) -> Method {
        Method.query(
            "activity.rules", "What the caller wants to be told, and when; or what is to ring on one device.",
            access: .signedIn, note: "oneself", [ofDevice],
            result: .object([.required("rules", shapes.rules)]), route: Route("GET", "/api/activity/rules"),
            apply: { (act, params) throws(Rejection) in .done(try shownRules(of: try owner(params, act), act)) })
    }

    private static func setRules(_ shapes: Shapes) -> Method {
        Method.command(
            "activity.setRules",
            "Says of which kinds and members the caller is told, when, and how loud; what is left out stays as it is.",
            access: .signedIn,
            note:
                """
                oneself; official messages (announcements, role, permission, sharing) and alarms are neither muted nor held \
                back. The rules of a device are for what the caller's own rules let through, and for that device alone: what \
                is muted or still does not reach it, and in its quiet hours it shows everything without a sound
                """,
            [
                .optional(
                    "mute", shapes.mutable,
                    "The kinds that make no entries from now on; with device: that do not ring there."),
                .optional(
                    "ring", shapes.quiet,
                    "Kinds that ring although they only wait in the inbox for others; not with device."),
                .optional(
                    "quiet", .nullable(QuietHours.shape),
                    """
                    When entries are held back, to be summed up at the end; with device: when it makes no sound; null: never.
                    """),
                .optional(
                    "still", people, "Members whose doings wait in the inbox and ring nowhere; with device: not there."),
                .optional(
                    "soundFrom", .nullable(people),
                    "Members whose doings alone ring with a sound, the others' without; null: everybody's."),
                ofDevice,
            ],
            result: .object([.required("rules", shapes.rules)]), route: Route("PUT", "/api/activity/rules"),
            events: [Inbox.added],
            again: { (act, ids) throws(Rejection) in
                let member = try act.member.id
                return try shownRules(of: ids.first.map { .device($0, of: member) } ?? .member(member), act)
            },
            apply: { (act, params) throws(Rejection) in
                let inbox = try own(act)
                let owner = try owner(params, act)
                guard var settings = try InboxSettings.of(owner, act) else {
                    return .done(try shownRules(of: owner, act))
                }
                if let mute = params["mute"]?.array {
                    let words = Set(mute.compactMap(\.string))
                    settings.muted = act.inboxKinds.mutable.map(\.name).filter { words.contains($0) }
                }
                if let ring = params["ring"]?.array {
                    if case .device = owner {
                        throw Rejection(
                            .invalid, "What rings at all is a rule of one's own; leave the device out.", field: "ring")
                    }
                    let words = Set(ring.compactMap(\.string))
                    settings.ringing = act.inboxKinds.quiet.map(\.name).filter { words.contains($0) }
                }
                if let quiet = params["quiet"] { settings.quiet = quiet.isNull ? nil : try QuietHours(asked: quiet) }
                if params.has("still") { settings.still = try people(params, "still", act) }
                if let sound = params["soundFrom"] {
                    settings.sound = sound.isNull ? nil : try people(params, "soundFrom", act)
                }
                try settings.save(for: owner, act)
                if case .device(let device, _) = owner {
                    return .done(try shownRules(of: owner, act), ids: [device])
                }
                try inbox.release()
                return .done(try shownRules(of: owner, act))
            })
    }

    /// The owner of the rules in question: the caller, or a device of the caller's.
    private static func owner(_ params: Params, _ act: Act) throws(Rejection) -> InboxSettings.Owner {
        let member = try act.member.id
        guard let device = params.optionalID("device") else { return .member(member) }
        guard try act.hooks.hasDevice?(act, member, device) ?? false else {
            throw .notFound("device", device.description, field: "device")
        }
        return .device(device, of: member)
    }

    private static func shownRules(of owner: InboxSettings.Owner, _ act: Act) throws(Rejection) -> JSON {
        let settings = try InboxSettings.of(owner, act)
        return ["rules": (settings ?? InboxSettings()).json]
    }

    /// Other members, whom the caller sees.
    private static func people(_ params: Params, _ field: String, _ act: Act) throws(Rejection) -> [Identifier] {
        var all: [Identifier] = []
        for id in (params[field]?.array ?? []).compactMap(\.identifier) where !all.contains(id) {
            all.append(try act.member(id, field: field).id)
        }
        return all
    }

    /// The calling member's inbox.
    private static func own(_ act: Act) throws(Rejection) -> OwnInbox {
        let id = try act.member.id
        guard let entry = try act.roster[id] else { throw .notFound("member", id.description, field: "member") }
        return OwnInbox(entry, act)
    }
}
