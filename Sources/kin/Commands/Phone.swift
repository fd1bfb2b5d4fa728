import KinCrypto
import KinModel

extension Command {
    static let phone = Command(
        name: "phone",
        usage: ["phone add DEVICE", "phone [list]", "phone revoke ID|DEVICE"],
        words: 0...2,
        run: { (call) throws(Problem) in
            switch (call.words.first ?? "list", call.words.count) {
            case ("add", 2): try Phones.add(call, call.words[1])
            case ("list", ...1): try Phones.list(call)
            case ("revoke", 2):
                let passwords = try call.call("appPassword.list")["appPasswords"]?.array ?? []
                let id = try Device.id(call.words[1], among: passwords)
                let result = try call.call("appPassword.revoke", ["appPassword": .string(id)])
                call.answer(result, phrase("done.revoked"))
            default: throw call.misused
            }
        })
}

/// A phone's set-up for the OwnTracks app.
enum Phones {
    static func add(_ call: Invocation, _ device: String) throws(Problem) {
        let door = try call.door()
        guard let username = door.username else {
            throw .usage(phrase("phone.whose", ["device": Plain.line(device)]))
        }
        let site = try Site(door)
        var result = try call.call("appPassword.create", ["device": .string(device), "scope": "location"])
        let password = result["password"]?.string ?? ""
        let url = "\(site.url)/owntracks"
        let link = setUpLink(url: url, username: username, password: password, device: device)
        if call.wantsJSON {
            result["url"] = .string(url)
            result["username"] = .string(username)
            result["link"] = .string(link)
            return call.output.say(result)
        }
        call.output.say(phrase("phone.enter"))
        call.output.say(phrase("phone.url", ["url": url]))
        call.output.say(phrase("phone.user", ["username": username]))
        call.output.say(phrase("phone.password", ["password": password]))
        call.output.say(phrase("phone.link"))
        call.output.say("  \(link)")
        call.output.draw(qr: link)
        if site.fingerprint != nil {
            call.output.say(phrase("phone.trust", ["url": site.url]))
        }
        call.output.say(phrase("phone.once"))
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("appPassword.list")
        if call.wantsJSON { return call.output.say(result) }
        let passwords = result["appPasswords"]?.array ?? []
        guard !passwords.isEmpty else { return call.output.say(phrase("phone.none")) }
        let now = LocalTime.now
        var table = Table("id", "device", "for", "last-used")
        for password in passwords {
            table.add(
                password["id"]?.string ?? "", password["device"]?.string ?? "", password["scope"]?.string ?? "",
                password["usedAt"]?.instant.map { Words.age($0, now: now) } ?? phrase("age.never"))
        }
        table.print(to: call.output)
    }

    /// `owntracks:///config?inline=BASE64` of the app's configuration in HTTP mode (3). The two letters stand on the
    /// app's map. A plus is percent-encoded, since queries read it as a blank.
    static func setUpLink(url: String, username: String, password: String, device: String) -> String {
        let letters = username.filter { $0.isLetter || $0.isNumber }
        let configuration: JSON = [
            "_type": "configuration", "mode": 3, "url": .string(url), "username": .string(username),
            "password": .string(password), "deviceId": .string(device),
            "tid": .string(String((letters + "kw").prefix(2))),
        ]
        let inline = Base64.encode(configuration.bytes).map { $0 == "+" ? "%2B" : String($0) }.joined()
        return "owntracks:///config?inline=\(inline)"
    }
}
