import KinCrypto
import KinKeeper
import KinModel
import KinStore

/// The family's permission for push services, and the browsers that are reached by them.
extension Notices {
    /// The state that everybody sees.
    private struct Allowed: WireRecord {
        let isOn: Bool
        let key: String?
        let contact: String?
        let hosts: [String]?

        static let fields = Fields(
            nil, Allowed.init(isOn:key:contact:hosts:), .required("on", \.isOn, .bool, "Whether an admin allows it."),
            .optional(
                "key", \.key, .token(max: 100),
                "What a browser subscribes with (applicationServerKey); base64url."),
            .optional(
                "contact", \.contact, .text(max: Limits.pushContactBytesMax),
                "For admins: whom push services write to."),
            .optional(
                "hosts", \.hosts, .list(.text(max: 255), max: Limits.pushHostsMax),
                "For admins: hosts that are asked besides the known push services."))
    }

    static let push = Method.query(
        "notice.push", "Whether browsers may be reached by push services, and with which key.",
        access: [.guest, .member, .head, .admin, .machine],
        result: Allowed.shape, route: Route("GET", "/api/push"),
        apply: { (act, _) throws(Rejection) in .done(try shown(try PushFamily.find(act), act)) })

    static let allowPush = Method.command(
        "notice.allowPush", "Allows that the family's server speaks to push services, or forbids it.",
        access: .admins,
        [
            .optional("on", .bool, "Push services learn that something came, when, and how large it is."),
            .optional(
                "contact", .text(max: Limits.pushContactBytesMax),
                "An address mailto: or https: that push services may write to; they are told it."),
            .optional(
                "hosts", .list(.text(max: 255), max: Limits.pushHostsMax),
                "Hosts that are asked besides the known push services; all of them."),
        ],
        result: Allowed.shape, route: Route("PATCH", "/api/push"), events: [NoticeDevice.changed],
        again: { (act, _) throws(Rejection) in try shown(try PushFamily.find(act), act) },
        apply: { (act, params) throws(Rejection) in
            let known = try PushFamily.find(act)
            var family =
                known ?? PushFamily(isOn: false, contact: nil, hosts: [], key: P256Key { act.randomBytes($0) })
            if let on = params["on"]?.bool { family.isOn = on }
            if let contact = params.optionalString("contact") {
                guard contact.hasPrefix("mailto:") && contact.contains("@") || contact.hasPrefix("https://"),
                    contact.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
                else {
                    throw Rejection(
                        .invalid, "A contact is an address such as mailto:ada@example.org or https://example.org.",
                        field: "contact")
                }
                family.contact = contact
            }
            if let hosts = params["hosts"]?.array?.compactMap(\.string) {
                for host in hosts where !PushFamily.isHost(host) {
                    throw Rejection(
                        .invalid, "\(Text.quoted(host)) is no host; hosts are such as push.example.com.", field: "hosts"
                    )
                }
                family.hosts = hosts
            }
            if family.isOn, family.contact == nil {
                throw Rejection(
                    .invalid,
                    "Push services want somebody to write to: say contact too, such as mailto:ada@example.org.",
                    field: "contact")
            }
            try family.save(act)
            if !family.isOn { try PushQueue.clear(act) }
            return .done(try shown(family, act))
        })

    private static func shown(_ family: PushFamily?, _ act: Act) throws(Rejection) -> JSON {
        let isAdmin = act.caller.access == .admin || act.caller.access == .machine
        return Allowed(
            isOn: family?.isOn ?? false,
            key: family.flatMap { $0.isOn ? Base64.urlEncode($0.key.point) : nil },
            contact: isAdmin ? family?.contact : nil, hosts: isAdmin ? family?.hosts ?? [] : nil
        ).json
    }

    // MARK: Browsers

    /// The subscription that a browser gives to a page that may ring.
    static let subscription = Shape.object([
        .required(
            "endpoint", .text(max: Limits.pushEndpointBytesMax),
            "Where its push service takes what is for it; a secret."),
        .required("p256dh", .token(max: 100), "Its key; base64url."),
        .required("auth", .token(max: 32), "Its secret; base64url."),
        .required("page", .text(max: Limits.pushPageBytesMax), "The address at which it has the family's page."),
    ])

    /// Keeps a browser's subscription for a device that was just added. A browser rings for one member, the one who
    /// asked last.
    static func subscribe(_ device: Identifier, _ given: JSON?, _ act: Act) throws(Rejection) {
        guard let family = try PushFamily.find(act), family.isOn else {
            throw Rejection(.conflict, "Push services are not allowed in this family; an admin can allow them.")
        }
        let endpoint = given?["endpoint"]?.string ?? ""
        guard let origin = PushFamily.origin(of: endpoint) else {
            throw Rejection(
                .invalid, "endpoint is an address that begins with https://.", field: "subscription.endpoint")
        }
        guard family.asks(origin.host) else {
            throw Rejection(
                .invalid, "\(Text.quoted(origin.host)) is none of the known push services; an admin can add it.",
                field: "subscription.endpoint")
        }
        guard let point = given?["p256dh"]?.string.flatMap({ Base64.urlDecode($0) }),
            P256Key(act.randomBytes).agree(with: point) != nil
        else { throw Rejection(.invalid, "p256dh is no key of P-256.", field: "subscription.p256dh") }
        guard let auth = given?["auth"]?.string.flatMap({ Base64.urlDecode($0) }), auth.count == 16 else {
            throw Rejection(.invalid, "auth has 16 bytes.", field: "subscription.auth")
        }
        let page = given?["page"]?.string ?? ""
        guard PushFamily.isPage(page) else {
            throw Rejection(.invalid, "page is an address such as https://kin.local:5469.", field: "subscription.page")
        }
        let before = try act.rows(
            "SELECT device, member FROM notice_subscriptions WHERE endpoint = ?", .text(endpoint)
        ) { row in (device: row.identifier("device"), member: row.identifier("member")) }
        for one in before { try end(one.device, of: one.member, act) }
        let member = try act.member.id
        let told = try act.first("SELECT last FROM notice_members WHERE member = ?", .id(member)) { row in row.int(0) }
        try act.run(
            """
            INSERT INTO notice_subscriptions (device, member, endpoint, p256dh, auth, page, told)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .id(device), .id(member), .text(endpoint), .blob(point), .blob(auth), .text(page), .int(told ?? 0))
    }
}
