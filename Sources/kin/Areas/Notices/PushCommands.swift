import KinModel
import KinWords

/// The permission to reach browsers by push services, the one use for which the daemon speaks to machines outside.
enum PushCommands {
    static func show(_ call: Invocation) throws(Problem) { say(try call.call("notice.push"), call) }

    static func allow(_ call: Invocation) throws(Problem) {
        // An address without a scheme is an e-mail address.
        let contact = call.value("contact").map { $0.contains(":") ? $0 : "mailto:" + $0 }
        let hosts = call.value("hosts").map { text in
            JSON.array(text.split(separator: ",").map { .string(String($0.drop { $0 == " " })) })
        }
        let result = try call.call(
            "notice.allowPush",
            .object(leavingOut: ["on": true, "contact": contact.map { .string($0) }, "hosts": hosts]))
        say(result, call)
        if !call.wantsJSON { call.output.say(phrase("notify.learns")) }
    }

    static func forbid(_ call: Invocation) throws(Problem) {
        say(try call.call("notice.allowPush", ["on": false]), call)
    }

    private static func say(_ result: JSON, _ call: Invocation) {
        if call.wantsJSON { return call.output.say(result) }
        let out = call.output
        guard result["on"]?.bool ?? false else { return out.say(phrase("notify.off")) }
        out.say(phrase("notify.on"))
        if let contact = result["contact"]?.string {
            out.say(phrase("notify.contact", ["contact": Plain.line(contact)]))
        }
        let hosts = (result["hosts"]?.array ?? []).compactMap(\.string)
        if !hosts.isEmpty {
            out.say(phrase("notify.hosts", ["hosts": Plain.line(hosts.joined(separator: ", "))]))
        }
    }
}
