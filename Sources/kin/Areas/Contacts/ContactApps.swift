import KinModel
import KinWords

/// Apps that read and write the family's contacts and calendars by CardDAV and CalDAV. `kin phone` can add one.
enum ContactApp: String, CaseIterable {
    /// DAVx⁵ (Android), which is set up by one link.
    case davx5
    /// iOS and macOS, which are set up by one profile.
    case apple
    /// Any other program that speaks CardDAV and CalDAV: iOS, macOS, Thunderbird, vdirsyncer.
    case carddav

    static func add(_ app: ContactApp, _ call: Invocation, _ device: String) throws(Problem) {
        let door = try call.door()
        guard let username = door.username else {
            throw .usage(phrase("phone.whose", ["device": Plain.line(device)]))
        }
        let site = try Site(door)
        if app == .apple { return try offer(site, call, device) }
        var result = try call.call("appPassword.create", ["device": .string(device), "scope": "calendar"])
        let password = result["password"]?.string ?? ""
        let url = site.url + "/dav/"
        let link = app == .davx5 ? link(url: url, username: username, password: password) : nil
        if call.wantsJSON {
            result["app"] = .string(app.rawValue)
            result["url"] = .string(url)
            result["username"] = .string(username)
            if let link { result["link"] = .string(link) }
            return call.output.say(result)
        }
        let out = call.output
        out.say(phrase(app == .davx5 ? "books.enter-davx5" : "books.enter"))
        out.say(phrase("books.server", ["url": url]))
        out.say(phrase("phone.user", ["username": username]))
        out.say(phrase("phone.password", ["password": password]))
        if let link {
            out.say(phrase("phone.link"))
            out.say("  \(link)")
            site.draw(qr: link, call)
        }
        site.sayReach(call)
        if site.fingerprint != nil { out.say(phrase("phone.trust", ["url": site.url])) }
        out.say(phrase("books.once"))
    }

    /// Offers a profile at an address that works once. The app password is made when the profile is loaded.
    private static func offer(_ site: Site, _ call: Invocation, _ device: String) throws(Problem) {
        var result = try call.call("appPassword.offer", ["device": .string(device), "scope": "calendar"])
        let link = "\(site.url)/profile/\(result["secret"]?.string ?? "").mobileconfig"
        result["app"] = .string(Self.apple.rawValue)
        result["link"] = .string(link)
        if call.wantsJSON { return call.output.say(result) }
        call.output.say(phrase("books.enter-apple"))
        call.output.say("  \(link)")
        site.draw(qr: link, call)
        site.sayReach(call)
        if site.fingerprint != nil { call.output.say(phrase("phone.trust", ["url": site.url])) }
        call.output.say(phrase("books.once-apple"))
    }

    /// The link from which DAVx⁵ makes an account (its manual, "Integration": `davx5://` stands for `https://`,
    /// `caldav://` for plain `http://`). Neither a user name nor an app password has a character that needs an escape
    /// there.
    private static func link(url: String, username: String, password: String) -> String {
        let isPlain = url.hasPrefix("http:")
        let rest = url.split(separator: "/", maxSplits: 1).last.map { $0.drop { $0 == "/" } } ?? ""
        return (isPlain ? "caldav" : "davx5") + "://\(username):\(password)@\(rest)"
    }
}
