import KinCrypto
import KinModel

extension Command {
    static let phone = Command(
        name: "phone", summary: "set up a phone with the OwnTracks app; list or revoke phones",
        usage: ["phone add DEVICE", "phone list", "phone revoke ID"],
        details: """
            Makes an app password that is good for positions only, and shows what to type into OwnTracks, the link that
            types it and, on a terminal, its QR code. Your position is shown to others once you say: kin sharing on
            """,
        words: 1...2,
        run: { (call) throws(Problem) in
            switch (call.words[0], call.words.count) {
            case ("add", 2): try Phones.add(call, call.words[1])
            case ("list", 1): try Phones.list(call)
            case ("revoke", 2):
                let result = try call.call("appPassword.revoke", ["appPassword": .string(call.words[1])])
                if call.wantsJSON { call.output.say(result) } else { call.output.say("Revoked.") }
            default: throw .usage("kin phone add DEVICE, kin phone list or kin phone revoke ID.")
            }
        })
}

/// A phone's set-up for the OwnTracks app.
enum Phones {
    static func add(_ call: Invocation, _ device: String) throws(Problem) {
        let door = try call.door()
        guard let username = door.username else {
            throw .usage("A phone is a member's; say whose: kin phone add \(Plain.line(device)) --as MEMBER")
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
        call.output.say("In OwnTracks choose the mode HTTP and enter:")
        call.output.say("  URL:       \(url)")
        call.output.say("  User:      \(username)")
        call.output.say("  Password:  \(password)")
        call.output.say("Or open this on the phone, which enters it:")
        call.output.say("  \(link)")
        call.output.draw(qr: link)
        if site.fingerprint != nil {
            call.output.say("The phone has to trust the family's root certificate once: \(site.url)/ca.crt")
        }
        call.output.say("The password is not shown again. To show the position to others: kin sharing on")
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("appPassword.list")
        if call.wantsJSON { return call.output.say(result) }
        let passwords = result["appPasswords"]?.array ?? []
        guard !passwords.isEmpty else { return call.output.say("There are none. Add one: kin phone add DEVICE") }
        let now = LocalTime.now
        var table = Table("ID", "DEVICE", "FOR", "LAST USED")
        for password in passwords {
            table.add(
                password["id"]?.string ?? "", password["device"]?.string ?? "", password["scope"]?.string ?? "",
                password["usedAt"]?.instant.map { Words.age($0, now: now) } ?? "never")
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
