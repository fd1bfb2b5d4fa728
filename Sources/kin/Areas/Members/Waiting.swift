import KinModel
import KinWords

/// The sentences about sessions that wait, because somebody else made the link or the password that opened them.
enum Waiting {
    /// The reason why this session shows no positions while it waits; `nil` if it does not wait.
    static func sentence(_ call: Invocation) throws(Problem) -> String? {
        let sessions = try call.call("session.list")["sessions"]?.array ?? []
        guard let one = sessions.first(where: { $0["isThisOne"]?.bool == true }), one["waitsUntil"] != nil else {
            return nil
        }
        return own(one, try People(call).names)
    }

    /// The sentences below the list of sessions: who set the password, which sessions wait, and which of them the
    /// caller can trust.
    static func sentences(_ call: Invocation, _ list: JSON) throws(Problem) -> [String] {
        let waiting = (list["sessions"]?.array ?? []).filter { $0["waitsUntil"] != nil }
        let own = Set(waiting.compactMap { $0["id"]?.string })
        let others = (try call.call("session.waiting")["sessions"]?.array ?? []).filter {
            !own.contains($0["session"]?.string ?? "")
        }
        guard list["passwordSetBy"] != nil || !waiting.isEmpty || !others.isEmpty else { return [] }
        return lines(list, others: others, try People(call).names)
    }

    static func lines(_ list: JSON, others: [JSON], _ names: Names) -> [String] {
        var lines: [String] = []
        if let setBy = list["passwordSetBy"] {
            lines.append(phrase("session.password-set-by", ["name": maker(setBy, names)]))
        }
        for one in list["sessions"]?.array ?? [] where one["waitsUntil"] != nil { lines.append(Self.own(one, names)) }
        for one in others {
            lines.append(
                phrase(
                    "session.other-waits",
                    [
                        "member": names.member(one["member"]?.identifier), "device": device(one),
                        "name": maker(one["openedBy"], names), "time": time(one),
                        "command": "kin session trust \(one["session"]?.string ?? "")",
                    ]))
        }
        return lines
    }

    private static func own(_ one: JSON, _ names: Names) -> String {
        phrase(
            one["isThisOne"]?.bool == true ? "session.waits" : "session.device-waits",
            [
                "device": device(one), "name": maker(one["openedBy"], names), "time": time(one),
                "command": "kin session trust \(one["id"]?.string ?? "")",
            ])
    }

    private static func maker(_ json: JSON?, _ names: Names) -> String {
        json?.identifier.map { names.member($0) } ?? phrase("session.the-machine")
    }

    private static func device(_ json: JSON) -> String { Plain.line(json["device"]?.string ?? "") }
    private static func time(_ json: JSON) -> String { json["waitsUntil"]?.instant.map { LocalTime.long($0) } ?? "?" }
}
