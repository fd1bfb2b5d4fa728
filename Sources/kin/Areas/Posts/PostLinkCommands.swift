import KinModel
import KinWords

/// Links that show a post to people outside the family.
enum PostLinkCommands {
    static func share(_ call: Invocation) throws(Problem) {
        guard call.words.count == 2, call.words[0] == "share", let typed = call.value("until") else {
            throw call.misused
        }
        guard let until = Words.ahead(typed, now: LocalTime.now) else {
            throw .usage(phrase("usage.no-time", ["option": "--until", "text": Plain.line(typed)]))
        }
        let post = try PostCommands.find(call.words[1], call)
        let site = try Site(try call.door())
        var result = try call.call("post.share", ["post": .id(post), "until": .time(until)])
        let link = "\(site.url)/shared/\(result["secret"]?.string ?? "")"
        if call.wantsJSON {
            result["address"] = .string(link)
            return call.output.say(result)
        }
        call.output.say(phrase("post.link", ["time": LocalTime.short(until, now: LocalTime.now)]))
        site.say(linkForStrangers: link, call)
        call.output.say(phrase("post.link-ends"))
    }

    static func list(_ call: Invocation) throws(Problem) {
        let result = try call.call("post.links")
        if call.wantsJSON { return call.output.say(result) }
        let links = (result["links"]?.array ?? []).compactMap(PostLink.init)
        guard !links.isEmpty else { return call.output.say(phrase("feed.no-links")) }
        let names = try People(call).names
        var table = Table("id", "post", "author", "until")
        for link in links {
            table.add(
                link.id.description, link.post.description, names.member(link.by),
                LocalTime.short(link.until, now: LocalTime.now))
        }
        table.print(to: call.output)
    }

    static func end(_ call: Invocation) throws(Problem) {
        guard Identifier(call.words[1]) != nil else { throw Device.noIdentifier(call.words[1], "kin feed links") }
        call.answer(try call.call("post.unshare", ["link": .string(call.words[1])]), phrase("feed.unlinked"))
    }
}
