import KinCrypto
import KinModel
import KinWords

extension Command {
    static let phone = Command(
        name: "phone",
        usage: [
            "phone add DEVICE [--app owntracks|traccar|overland]",
            "phone add DEVICE --app ntfy [--discreet] [--official]",
            "phone add DEVICE --app davx5|apple|carddav",
            "phone [list]", "phone status [MEMBER]", "phone test DEVICE", "phone set DEVICE --waypoints on|off",
            "phone revoke ID|DEVICE",
        ],
        options: [
            .value(
                "app",
                (PhoneApp.allCases.map(\.rawValue) + [Ringing.app] + ContactApp.allCases.map(\.rawValue)).joined(
                    separator: "|")),
            .value("waypoints", "on|off"), .flag("discreet"), .flag("official"),
        ],
        words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("add", 2) where call.value("app") == Ringing.app: try Ringing.add(call, call.words[1])
            case ("add", 2):
                if let app = call.value("app").flatMap({ ContactApp(rawValue: $0) }) {
                    return try ContactApp.add(app, call, call.words[1])
                }
                try Phones.add(call, call.words[1])
            case ("test", 2): try Ringing.test(call, call.words[1])
            case ("list", ...1): try Phones.list(call)
            case ("status", 1...2): try Phones.status(call)
            case ("set", 2): try Phones.set(call, call.words[1])
            case ("revoke", 2):
                let passwords = try call.call("appPassword.list")["appPasswords"]?.array ?? []
                let isReporting = passwords.contains {
                    [$0["id"]?.string, $0["device"]?.string].contains(call.words[1])
                }
                if !isReporting, try Ringing.revoke(call, call.words[1]) { return }
                let id = try Device.id(call.words[1], among: passwords)
                let result = try call.call("appPassword.revoke", ["appPassword": .string(id)])
                call.answer(result, phrase("done.revoked"))
            default: throw call.misused
            }
        })
}

/// The set-up of a phone's app, and the state of phones.
enum Phones {
    static func add(_ call: Invocation, _ device: String) throws(Problem) {
        guard let app = PhoneApp(rawValue: call.value("app") ?? PhoneApp.owntracks.rawValue) else { throw call.misused }
        let door = try call.door()
        guard let username = door.username else {
            throw .usage(phrase("phone.whose", ["device": Plain.line(device)]))
        }
        let site = try Site(door)
        var result = try call.call("appPassword.create", ["device": .string(device), "scope": .string(app.scope)])
        let password = result["password"]?.string ?? ""
        let url = site.url + app.path
        let link =
            app.link(site: site.url, password: password, device: device)
            ?? setUpLink(url: url, username: username, password: password, device: device)
        let code = app.code(site: site.url, password: password, device: device) ?? link
        if call.wantsJSON {
            result["app"] = .string(app.rawValue)
            result["url"] = .string(url)
            result["username"] = .string(username)
            result["link"] = .string(link)
            result["code"] = .string(code)
            return call.output.say(result)
        }
        let out = call.output
        switch app {
        case .owntracks:
            out.say(phrase("phone.enter"))
            out.say(phrase("phone.url", ["url": url]))
            out.say(phrase("phone.user", ["username": username]))
            out.say(phrase("phone.password", ["password": password]))
            out.say(phrase("phone.link"))
        case .traccar:
            out.say(phrase("phone.enter-traccar"))
            out.say(phrase("phone.server", ["url": url]))
            out.say(phrase("phone.identifier", ["password": password]))
            out.say(phrase("phone.scan-traccar"))
        case .overland:
            out.say(phrase("phone.enter-overland"))
            out.say(phrase("phone.endpoint", ["url": url]))
            out.say(phrase("phone.token", ["password": password]))
            out.say(phrase("phone.device", ["device": Plain.line(device)]))
            out.say(phrase("phone.link"))
        }
        out.say("  \(code)")
        site.draw(qr: code, call)
        let note = phrase(app == .owntracks ? "phone.shows-dots" : "phone.reports-only")
        out.say(Plain.wrapped(note, out.width, indent: 2))
        site.sayReach(call)
        if site.fingerprint != nil { out.say(phrase("phone.trust", ["url": site.url])) }
        out.say(phrase("phone.once", ["kin": NextSteps.kin(call)]))
    }

    /// Sets whether the places in sight go to a phone's app as regions.
    static func set(_ call: Invocation, _ device: String) throws(Problem) {
        guard let waypoints = call.value("waypoints"), ["on", "off"].contains(waypoints) else { throw call.misused }
        let phones = try call.call("phone.list")["phones"]?.array ?? []
        let id = try Device.id(device, among: phones.filter { $0["waypoints"] != nil }, by: "name")
        let result = try call.call("phone.update", ["phone": .string(id), "waypoints": .bool(waypoints == "on")])
        let name = Plain.line(result["phone"]?["name"]?.string ?? device)
        call.answer(
            result, phrase(waypoints == "on" ? "phone.waypoints-on" : "phone.waypoints-off", ["device": name]))
    }

    static func list(_ call: Invocation) throws(Problem) {
        var result = try call.call("appPassword.list")
        let ringing = try Ringing.devices(call)
        if call.wantsJSON {
            result["ringing"] = .array(ringing)
            return call.output.say(result)
        }
        let passwords = result["appPasswords"]?.array ?? []
        defer { Ringing.list(ringing, call) }
        guard !passwords.isEmpty else { return ringing.isEmpty ? call.output.say(phrase("phone.none")) : () }
        let now = LocalTime.now
        var table = Table("id", "device", "for", "last-used")
        for password in passwords {
            table.add(
                password["id"]?.string ?? "", password["device"]?.string ?? "", scope(password["scope"]?.string ?? ""),
                password["usedAt"]?.instant.map { Words.age($0, now: now) } ?? phrase("age.never"))
        }
        table.print(to: call.output)
    }

    /// The purpose of an app password, in words.
    private static func scope(_ scope: String) -> String {
        let key = "phone.for.\(scope)"
        let said = phrase(key)
        return said == key ? Plain.line(scope) : said
    }

    /// Shows the reports of phones about themselves: the caller's own, or a child's.
    static func status(_ call: Invocation) throws(Problem) {
        var params: JSON = [:]
        if call.words.count == 2 { params["member"] = .id(try People(call).member(call.words[1]).id) }
        let result = try call.call("phone.list", params)
        if call.wantsJSON { return call.output.say(result) }
        let phones = result["phones"]?.array ?? []
        let now = LocalTime.now
        if phones.isEmpty {
            call.output.say(phrase("phone.unheard"))
        } else {
            var table = Table("device", "app", "heard", "battery", "trouble")
            for phone in phones {
                let app = phone["app"]?.string.flatMap(PhoneApp.init)
                let troubles = (phone["troubles"]?.array ?? []).compactMap { Reader.here.trouble($0.string) }
                table.add(
                    Plain.line(phone["name"]?.string ?? ""), app?.title ?? "",
                    phone["contact"]?.instant.map { Words.age($0, now: now) } ?? "",
                    Reader.here.charge(phone["battery"]?.double, phone["charging"]?.bool),
                    troubles.joined(separator: "; "))
            }
            table.print(to: call.output)
        }
        if let cause = Reader.here.trouble(result["cause"]?.string) {
            call.output.say(phrase("phone.silent", ["why": cause]))
        }
    }

    /// `owntracks:///config?inline=BASE64` of the app's configuration in HTTP mode (3). The two letters stand on the
    /// app's map. A plus is percent-encoded, since queries read it as a blank.
    static func setUpLink(url: String, username: String, password: String, device: String) -> String {
        let letters = username.filter { $0.isLetter || $0.isNumber }
        let configuration: JSON = [
            "_type": "configuration", "mode": 3, "cmd": true, "url": .string(url), "username": .string(username),
            "password": .string(password), "deviceId": .string(device),
            "tid": .string(String((letters + "kw").prefix(2))),
        ]
        let inline = Base64.encode(configuration.bytes).map { $0 == "+" ? "%2B" : String($0) }.joined()
        return "owntracks:///config?inline=\(inline)"
    }
}
