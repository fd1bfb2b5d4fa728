import KinLoop
import KinModel
import KinWords

/// Phones that ring by ntfy's app. `kin phone` can add one.
enum Ringing {
    /// The name of the app for `--app`.
    static let app = NoticeDevice.App.ntfy.rawValue

    static func add(_ call: Invocation, _ name: String) throws(Problem) {
        let site = try Site(call.door())
        let made = try call.call(
            "notice.add",
            .object(leavingOut: [
                "name": .string(name), "app": .string(app), "discreet": .bool(call.has("discreet")),
                "only": call.has("official") ? .string(NoticeDevice.Only.official.rawValue) : nil,
            ]))
        let topic = made["topic"]?.string ?? ""
        let link = link(site: site.url, topic: topic)
        if call.wantsJSON {
            guard case .object(var result) = made else { return call.output.say(made) }
            result["url"] = .string(site.url)
            result["link"] = .string(link)
            return call.output.say(.object(result))
        }
        let out = call.output
        out.say(phrase("ring.enter"))
        out.say(phrase("ring.topic", ["topic": topic]))
        out.say(phrase("ring.server", ["url": site.url]))
        out.say(phrase("ring.link"))
        out.say("  \(link)")
        site.draw(qr: link, call)
        site.sayReach(call)
        if site.fingerprint != nil { out.say(phrase("ring.trust", ["url": site.url])) }
        out.say(phrase("ring.once"))
        let device = Machine.quoted(Plain.line(name))
        out.say(phrase("ring.try", ["kin": NextSteps.kin(call), "device": device]))
    }

    /// The link by which ntfy's app subscribes (docs.ntfy.sh/subscribe/phone, "ntfy:// links").
    static func link(site: String, topic: String) -> String {
        let isPlain = site.hasPrefix("http:")
        let host = site.split(separator: "/", maxSplits: 1).last.map { $0.drop { $0 == "/" } } ?? ""
        return "ntfy://\(host)/\(topic)?display=Kinwire" + (isPlain ? "&secure=false" : "")
    }

    static func devices(_ call: Invocation) throws(Problem) -> [JSON] {
        try call.call("notice.list")["devices"]?.array ?? []
    }

    /// Lists the phones that ring, below those that report; nothing if there are none.
    static func list(_ devices: [JSON], _ call: Invocation) {
        guard !devices.isEmpty else { return }
        let now = LocalTime.now
        var table = Table("ringing", "app", "last-taken")
        for device in devices {
            let taken = device["taken"]?.instant.map { Words.age($0, now: now) } ?? phrase("age.never")
            table.add(Plain.line(device["name"]?.string ?? ""), device["app"]?.string ?? "", taken)
        }
        table.print(to: call.output)
    }

    /// The check of `kin doctor`: whether anything reaches the member when no page is open.
    static func check(_ devices: [JSON], now: Instant) -> Check {
        let name = phrase("ring.doctor-name")
        guard let first = devices.first else { return .warning(name, phrase("ring.doctor-none")) }
        let came = devices.compactMap { device in device["taken"]?.instant.map { (device, at: $0) } }
        guard let latest = came.max(by: { $0.at < $1.at }) else {
            return .warning(name, phrase("ring.doctor-never", ["device": quoted(first)]))
        }
        return .ok(
            name, phrase("ring.doctor-good", ["device": quoted(latest.0), "age": Words.age(latest.at, now: now)]))
    }

    /// The checks for an admin: one line for each other member whom nothing reaches.
    static func checkOthers(_ call: Invocation) -> [Check] {
        let unreached = (try? call.call("notice.unreached"))?["members"]?.array?.compactMap(\.identifier) ?? []
        guard !unreached.isEmpty, let people = try? People(call) else { return [] }
        let name = phrase("ring.doctor-name")
        return people.members.filter { unreached.contains($0.id) && $0.username != people.username }.map { member in
            .warning(
                name,
                phrase(
                    "ring.doctor-reaches-nobody",
                    ["name": Plain.line(member.displayName), "username": Plain.line(member.username)]))
        }
    }

    private static func quoted(_ device: JSON) -> String { Machine.quoted(Plain.line(device["name"]?.string ?? "")) }

    static func test(_ call: Invocation, _ name: String) throws(Problem) {
        let id = try Device.id(name, among: try devices(call), by: "name")
        call.answer(try call.call("notice.test", ["device": .string(id)]), phrase("ring.tested"))
    }

    /// Removes a device that rings, if the name means one; otherwise answers `false`.
    static func revoke(_ call: Invocation, _ name: String) throws(Problem) -> Bool {
        let devices = try devices(call)
        guard let id = try? Device.id(name, among: devices, by: "name"),
            devices.contains(where: { $0["id"]?.string == id })
        else { return false }
        call.answer(try call.call("notice.remove", ["device": .string(id)]), phrase("done.revoked"))
        return true
    }
}
