import KinModel
import KinWords

/// The sharing of positions: which members see how much.
enum Shares {
    /// The member whose sharing is meant, if it is not the caller's.
    private static func subject(_ call: Invocation) throws(Problem) -> JSON? {
        guard let text = call.value("of") else { return nil }
        return .id(try People(call).member(text).id)
    }

    private static func until(_ call: Invocation) throws(Problem) -> Instant? {
        guard let text = call.value("until") else { return nil }
        guard let time = Words.ahead(text, now: LocalTime.now) else {
            throw .usage(phrase("usage.no-time", ["option": "--until", "text": Plain.line(text)]))
        }
        return time
    }

    /// The precision that a member sees, in a word or two.
    static func word(_ precision: String) -> String {
        Reader.here.precision(precision)
    }

    // MARK: Guest links

    static func link(_ call: Invocation, _ precision: String) throws(Problem) {
        guard precision == "exact" || precision == "coarse", let until = try until(call) else { throw call.misused }
        let site = try Site(try call.door())
        var places: [JSON] = []
        for text in call.values("place") { places.append(.id(try Places.find(call, text).id)) }
        var result = try call.call(
            "guestLink.create",
            .object(leavingOut: [
                "precision": .string(precision), "until": .time(until), "name": call.value("name").map { .string($0) },
                "places": places.isEmpty ? nil : .array(places),
            ]))
        let link = "\(site.url)/where/\(result["secret"]?.string ?? "")"
        if call.wantsJSON {
            result["link"] = .string(link)
            return call.output.say(result)
        }
        call.output.say(phrase("share.link", ["time": LocalTime.short(until, now: LocalTime.now)]))
        site.say(linkForStrangers: link, call)
    }

    static func links(_ call: Invocation) throws(Problem) {
        let result = try call.call("guestLink.list", .object(leavingOut: ["member": try subject(call)]))
        if call.wantsJSON { return call.output.say(result) }
        let links = result["guestLinks"]?.array ?? []
        guard !links.isEmpty else {
            return call.output.say(phrase(call.value("of") == nil ? "share.no-links" : "share.child-has-no-links"))
        }
        let now = LocalTime.now
        var table = Table("id", "sees", "until", "name")
        for link in links {
            table.add(
                link["id"]?.string ?? "", word(link["precision"]?.string ?? ""),
                link["until"]?.instant.map { LocalTime.short($0, now: now) } ?? "",
                Plain.line(link["name"]?.string ?? ""))
        }
        table.print(to: call.output)
    }

    // MARK: Who looked

    static func looks(_ call: Invocation) throws(Problem) {
        let result = try call.call("sharing.looks", .object(leavingOut: ["member": try subject(call)]))
        if call.wantsJSON { return call.output.say(result) }
        let looks = result["looks"]?.array ?? []
        guard !looks.isEmpty else { return call.output.say(phrase("share.no-looks")) }
        SharingScreen(try People(call), now: LocalTime.now).looks(looks).print(to: call.output)
    }

    static func way(_ how: String) -> String {
        switch how {
        case "live": phrase("share.how-live")
        case "history": phrase("share.how-history")
        case "phone": phrase("share.how-phone")
        case "link": phrase("share.how-link")
        case "export": phrase("share.how-export")
        default: Plain.line(how)
        }
    }

    // MARK: A child's settings

    static func hold(_ call: Invocation, _ whom: String, _ hold: Bool) throws(Problem) {
        let people = try People(call)
        let member = try people.member(whom)
        let result = try call.call("sharing.hold", ["member": .id(member.id), "hold": .bool(hold)])
        let name = people.names.member(member.id)
        say(call, phrase(hold ? "share.holds" : "share.released", ["name": name]), result, member, people)
    }

    static func hold(_ call: Invocation, _ whom: String, by next: String) throws(Problem) {
        let people = try People(call)
        let (child, adult) = (try people.member(whom), try people.member(next))
        let result = try call.call(
            "sharing.hold", ["member": .id(child.id), "hold": true, "to": .id(adult.id)])
        let sentence = phrase(
            "share.handed-over", ["name": people.names.member(adult.id), "child": people.names.member(child.id)])
        say(call, sentence, result, child, people)
    }

    /// Says who holds the settings now, and what changes by that for other members.
    private static func say(
        _ call: Invocation, _ sentence: String, _ result: JSON, _ child: Member, _ people: People
    ) {
        if call.wantsJSON { return call.output.say(result) }
        for line in SharingScreen(people, now: LocalTime.now).held(sentence, result, of: child) {
            call.output.say(Plain.wrapped(line, call.output.width, indent: 2))
        }
    }
}
