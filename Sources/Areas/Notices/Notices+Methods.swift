import KinKeeper
import KinModel
import KinStore

/// A device as its member lists it.
private struct Listed: WireRecord {
    let device: NoticeDevice
    let made: Instant
    let taken: Instant?
    let trouble: String?

    static let fields = Fields(
        nil, Listed.init(device:made:taken:trouble:), .all(of: \.device),
        .required("made", \.made, .time, "When it was added."),
        .optional("taken", \.taken, .time, "When it last came for something, to five minutes; absent: never."),
        .optional("trouble", \.trouble, .text(max: 500), "webPush: why its push service takes nothing at present."))
    static let columns = Columns<Listed>()
}

extension Notices {
    private static let device = Field.required("device", .id)
    private static let only = Form<NoticeDevice.Only>.word.shape
    private static let result = Shape.object([.required("device", NoticeDevice.shape)])
    private static let withTopic = Shape.object([
        .required("device", NoticeDevice.shape),
        .optional(
            "topic", .token(max: 64),
            "ntfy: what the device subscribes to. Whoever knows it reads along."),
    ])

    static let add = Method.secretCommand(
        "notice.add", "Adds a phone or a program that rings for the caller; its topic is shown once.",
        access: .signedIn, note: "oneself",
        [
            .required("name", .name, "What it is called, such as Ada's phone."),
            .optional("app", Form<NoticeDevice.App>.word.shape, "How it is reached; else ntfy."),
            .optional("discreet", .bool, "It says only that there is something, and not what."),
            .optional("only", only, "official: official messages and alarms alone; else whatever rings."),
            .optional("subscription", subscription, "webPush: what the browser gave the page (PushSubscription)."),
        ],
        result: withTopic, route: Route("POST", "/api/notices", status: 201), events: [NoticeDevice.changed],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let count = try act.first("SELECT count(*) FROM notice_devices WHERE member = ?", .id(member)) { row in
                row.int(0)
            }
            guard (count ?? 0) < Limits.noticeDevicesPerMemberMax else {
                throw Rejection(
                    .tooLarge,
                    "You have \(Limits.noticeDevicesPerMemberMax) devices that ring; remove those you no longer use.")
            }
            let device = NoticeDevice(
                id: act.newIdentifier(), name: try params.string("name"),
                app: params.optionalString("app").flatMap { NoticeDevice.App(rawValue: $0) } ?? .ntfy,
                isDiscreet: params["discreet"]?.bool ?? false,
                only: params.optionalString("only").flatMap { NoticeDevice.Only(rawValue: $0) })
            // A browser has no topic, so nobody is told this one.
            let topic = newTopic(act)
            try act.run(
                """
                INSERT INTO notice_devices (\(deviceColumns.names), member, topic, made)
                VALUES (\(deviceColumns.placeholders), ?, ?, ?)
                """, values: deviceColumns.values(of: device) + [.id(member), Secret.digest(topic), .time(act.now)])
            guard device.app == .ntfy else {
                try subscribe(device.id, params["subscription"] ?? nil, act)
                try tellDevices(of: member, act)
                return .done(["device": device.json], ids: [device.id])
            }
            try tellDevices(of: member, act)
            return .done(["device": device.json, "topic": .string(topic)], ids: [device.id])
        }
    ).scoped(.notifications).forOwnWord()

    static let list = Method.query(
        "notice.list", "The caller's devices that ring, without their topics.", access: .signedIn, note: "oneself",
        result: .object([.required("devices", .list(Listed.shape, max: Limits.noticeDevicesPerMemberMax))]),
        route: Route("GET", "/api/notices"),
        apply: { (act, _) throws(Rejection) in
            let all = try act.rows(
                """
                SELECT \(Listed.columns.names) FROM notice_devices
                LEFT JOIN notice_subscriptions ON device = id WHERE notice_devices.member = ? ORDER BY made, id
                """, .id(try act.member.id)
            ) { (row) throws(StoreFailure) in try Listed.columns.read(row) }
            return .done(["devices": .array(all.map(\.json))])
        }
    ).scoped(.notifications)

    static let change = Method.command(
        "notice.change", "Calls one of the caller's devices otherwise, or has it say or ring with less or more.",
        access: .signedIn, note: "oneself",
        [
            device, .optional("name", .name),
            .optional("discreet", .bool, "It says only that there is something, and not what."),
            .optional("only", .nullable(only), "official: official messages and alarms alone; null: whatever rings."),
        ],
        result: result, route: Route("PATCH", "/api/notices/{device}"), events: [NoticeDevice.changed],
        again: { (act, ids) throws(Rejection) in
            ["device": try own(ids.first ?? Identifier(high: 0, low: 0), act).json]
        },
        apply: { (act, params) throws(Rejection) in
            var device = try own(try params.id("device"), act)
            let (wasDiscreet, was) = (device.isDiscreet, device.only)
            device.name = params.optionalString("name") ?? device.name
            device.isDiscreet = params["discreet"]?.bool ?? device.isDiscreet
            if let only = params["only"] { device.only = only.string.flatMap { NoticeDevice.Only(rawValue: $0) } }
            try act.run(
                "UPDATE notice_devices SET name = ?, discreet = ?, only = ? WHERE id = ?", .text(device.name),
                .bool(device.isDiscreet), Value(device.only?.rawValue), .id(device.id))
            // The device connects again, and is then told in the new way.
            if device.isDiscreet != wasDiscreet || device.only != was { act.revoke(.session(device.id)) }
            try tellDevices(of: try act.member.id, act)
            return .done(["device": device.json], ids: [device.id])
        }
    ).forOwnWord()

    static let renew = Method.secretCommand(
        "notice.renew", "Gives one of the caller's devices another topic; the one before is good for nothing.",
        access: .signedIn, note: "oneself", [device], result: withTopic,
        route: Route("POST", "/api/notices/{device}/renew"), events: [],
        apply: { (act, params) throws(Rejection) in
            let device = try own(try params.id("device"), act)
            guard device.app == .ntfy else {
                throw Rejection(.conflict, "A browser has no topic: remove it, and let it ring anew.")
            }
            let topic = newTopic(act)
            try act.run(
                "UPDATE notice_devices SET topic = ?, taken = NULL WHERE id = ?", Secret.digest(topic), .id(device.id))
            act.revoke(.session(device.id))
            return .done(["device": device.json, "topic": .string(topic)], ids: [device.id])
        }
    ).forOwnWord()

    static let remove = Method.command(
        "notice.remove", "Removes one of the caller's devices: its topic is good for nothing from here on.",
        access: .signedIn, note: "oneself", [device], result: .nothing,
        route: Route("DELETE", "/api/notices/{device}"), events: [NoticeDevice.changed],
        apply: { (act, params) throws(Rejection) in
            let member = try act.member.id
            let device = try own(try params.id("device"), act)
            try end(device.id, of: member, act)
            return .done([:], ids: [device.id])
        }
    ).freeingRoom()

    static let test = Method.command(
        "notice.test", "Has one of the caller's devices ring, to see that it does.", access: .signedIn, note: "oneself",
        [device], result: .nothing, route: Route("POST", "/api/notices/{device}/test"), events: [NoticeDevice.rang],
        apply: { (act, params) throws(Rejection) in
            let device = try own(try params.id("device"), act)
            if let member = try act.roster[try act.member.id], let bell = try Bell(member, act) {
                try bell.test(device)
            }
            return .done([:], ids: [device.id])
        }
    ).scoped(.notifications)

    static func newTopic(_ act: Act) -> String { "kin-" + act.newSecret() }

    /// A device of the caller's.
    private static func own(_ id: Identifier, _ act: Act) throws(Rejection) -> NoticeDevice {
        let member = try act.member.id
        let devices = try act.ask { (database) throws(StoreFailure) in try Notices.devices(of: member, database) }
        guard let device = devices.first(where: { $0.id == id }) else {
            throw .notFound("device", id.description, field: "device")
        }
        return device
    }
}
