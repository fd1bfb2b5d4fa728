import KinLoop
import KinModel
import KinWords

/// Shows news from outside, likes and stars them. A piece of news is named by its number in the list as it was shown
/// last, a source by its number in the list of sources.
enum NewsCommands {
    private static let perPage: Int64 = 20

    // MARK: Looking

    static func list(_ call: Invocation, words: String? = nil, before: Identifier? = nil) throws(Problem) {
        var limit = perPage
        if let text = call.value("limit") {
            guard let count = Int64(text), (1...50).contains(count) else { throw .usage(phrase("feed.bad-limit")) }
            limit = count
        }
        let source = try call.value("source").map { (text) throws(Problem) in try self.source(text, call) }
        let result = try call.call(
            "news.list",
            .object(leavingOut: [
                "limit": .int(limit), "words": words.map { .string($0) }, "source": source.map { .id($0) },
                "starred": call.has("starred") ? true : nil, "before": before.map { .id($0) },
            ]))
        if call.wantsJSON { return call.output.say(result) }
        let news = (result["news"]?.array ?? []).compactMap(NewsItem.init)
        guard !news.isEmpty else {
            let isAll = words == nil && source == nil && !call.has("starred")
            return call.output.say(
                phrase(before != nil ? "news.no-older" : isAll ? "news.none" : "news.none-found"))
        }
        LastList(call, "news")?.keep(news.map(\.id))
        let seen = result["seen"]?.instant
        let sources = (result["sources"]?.array ?? []).compactMap(NewsSource.init)
        for (index, item) in news.enumerated() {
            let isNew = seen.map { item.read > $0 } ?? true
            let number = Plain.padded("\(index + 1)", 4)
            call.output.say(number + call.output.styled(Plain.line(item.title), "1"))
            let source = sources.first { $0.id == item.source }
            call.output.say("    " + heading(item, source, isNew: isNew))
        }
        call.output.say(phrase(result["next"] == nil ? "news.hint" : "news.hint-older"))
    }

    /// Shows the news before those that were shown last.
    static func older(_ call: Invocation) throws(Problem) {
        guard let last = LastList(call, "news")?.ids?.last else { return try list(call) }
        try list(call, before: last)
    }

    static func show(_ call: Invocation) throws(Problem) {
        let result = try call.call("news.show", ["item": .id(try find(call.words[0], call))])
        if call.wantsJSON { return call.output.say(result) }
        guard let item = result["item"].flatMap(NewsItem.init) else { return }
        call.output.say(call.output.styled(Plain.line(item.title), "1"))
        call.output.say(heading(item, result["source"].flatMap(NewsSource.init), isNew: false))
        for line in (item.text ?? "").split(whereSeparator: \.isNewline) { call.output.say(Plain.line(String(line))) }
        if let link = item.link { call.output.say(Plain.line(link)) }
        guard !item.stars.isEmpty else { return }
        let names = try People(call).names
        call.output.say(
            phrase("news.interested", ["names": item.stars.map { names.member($0) }.joined(separator: ", ")]))
    }

    /// `Town News · Mia · today 12:03 · new · 👍 2`.
    private static func heading(_ item: NewsItem, _ source: NewsSource?, isNew: Bool) -> String {
        let counts = Like.Reaction.allCases.compactMap { reaction -> String? in
            let count = item.likes.count { $0.reaction == reaction }
            return count == 0 ? nil : "\(reaction.sign) \(count)"
        }
        let parts: [String?] = [
            called(source), item.author.map { Plain.line($0) }, LocalTime.near(item.at),
            item.changed.map { _ in phrase("news.changed") }, isNew ? phrase("news.new") : nil,
            counts.isEmpty ? nil : counts.joined(separator: "  "), item.stars.isEmpty ? nil : "★ \(item.stars.count)",
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    private static func called(_ source: NewsSource?) -> String {
        source?.name.map { Plain.line($0) } ?? phrase("news.no-name")
    }

    // MARK: Speaking

    static func like(_ call: Invocation) throws(Problem) {
        let item = try find(call.words[1], call)
        let word = call.words.count > 2 ? call.words[2].lowercased() : "like"
        let reaction = Like.Reaction(rawValue: word)
        guard reaction != nil || word == "none" else { throw call.misused }
        let result = try call.call(
            "news.like", ["item": .id(item), "reaction": reaction.map { .string($0.rawValue) } ?? .null])
        call.answer(result, reaction.map { phrase("like.done", ["sign": $0.sign]) } ?? phrase("like.taken-back"))
    }

    static func star(_ call: Invocation, _ isOn: Bool) throws(Problem) {
        let result = try call.call("news.star", ["item": .id(try find(call.words[1], call)), "on": .bool(isOn)])
        call.answer(result, phrase(isOn ? "news.starred" : "news.unstarred"))
    }

    static func see(_ call: Invocation) throws(Problem) {
        call.answer(try call.call("news.see", ["upTo": .time(LocalTime.now)]), phrase("news.seen"))
    }

    // MARK: Sources

    static func sources(_ call: Invocation) throws(Problem) {
        let result = try call.call("news.sources")
        if call.wantsJSON { return call.output.say(result) }
        let all = result["sources"]?.array ?? []
        guard !all.isEmpty else { return call.output.say(phrase("news.no-sources")) }
        LastList(call, "news-sources")?.keep(all.compactMap { $0["id"]?.identifier })
        let names = try People(call).names
        for (index, json) in all.enumerated() {
            call.output.say(Plain.padded("\(index + 1)", 4) + called(NewsSource(json)))
            for line in lines(json, names) { call.output.say("    " + line) }
        }
    }

    /// The time of the last reading, the address, the audience, and the present trouble.
    private static func lines(_ json: JSON, _ names: Names) -> [String] {
        var lines: [String] = []
        let refreshed = json["refreshed"]?.instant.map { LocalTime.near($0) }
        if let trouble = NewsSource(json)?.trouble {
            lines.append(phrase("news.trouble.\(trouble.rawValue)"))
            if let refreshed { lines.append(phrase("news.stays", ["time": refreshed])) }
        } else if let refreshed {
            lines.append(phrase("news.last-read", ["time": refreshed]))
        } else if json["next"] != nil {
            lines.append(phrase("news.never-read"))
        }
        if let whom = json["audience"] { lines.append(AudienceWords.said(whom, names)) }
        if let address = json["address"]?.string {
            lines.append(phrase("news.address", ["address": Plain.line(address)]))
        }
        return lines
    }

    static func subscribe(_ call: Invocation) throws(Problem) {
        var params: JSON = ["address": .string(call.words[1])]
        if let name = call.value("name") { params["name"] = .string(name) }
        if let whom = call.value("for") { params["audience"] = try AudienceWords.typed(whom, call) }
        let made = try call.call("news.subscribe", params)
        try read(made["source"]?["id"] ?? .null, call)
    }

    static func refresh(_ call: Invocation) throws(Problem) {
        try read(.id(try source(call.words[1], call)), call)
    }

    /// Has the source read now, and reports the result.
    private static func read(_ source: JSON, _ call: Invocation) throws(Problem) {
        let result = try call.call("news.refresh", ["source": source], timeoutMilliseconds: 90_000)
        if call.wantsJSON { return call.output.say(result) }
        let json = result["source"] ?? [:]
        let known = NewsSource(json)
        let every = Words.span(seconds: json["every"]?.int ?? 0)
        call.output.say(
            known?.trouble == nil
                ? phrase("news.read", ["source": called(known), "every": every])
                : phrase("news.unread", ["source": called(known)]))
        for line in lines(json, try People(call).names) { call.output.say("  " + line) }
    }

    static func update(_ call: Invocation) throws(Problem) {
        var params: JSON = ["source": .id(try source(call.words[1], call))]
        if let name = call.value("name") { params["name"] = name == "-" ? .null : .string(name) }
        if let address = call.value("address") { params["address"] = .string(address) }
        if let whom = call.value("for") { params["audience"] = try AudienceWords.typed(whom, call) }
        guard params["name"] != nil || params["address"] != nil || params["audience"] != nil else { throw call.misused }
        call.answer(try call.call("news.update", params), phrase("news.updated"))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let source = try source(call.words[1], call)
        guard Input.confirms(call, phrase("news.remove")) else { throw Problem(.refused, phrase("news.kept")) }
        call.answer(try call.call("news.remove", ["source": .id(source)]), phrase("news.removed"))
    }

    /// Allows or forbids that news are read outside.
    static func allow(_ call: Invocation) throws(Problem) {
        guard ["on", "off"].contains(call.words[1]) else { throw call.misused }
        let isOn = call.words[1] == "on"
        let done = try call.call("news.allowOutside", ["on": .bool(isOn)])
        call.answer(done, phrase(isOn ? "news.outside-on" : "news.outside-off"))
    }

    // MARK: Numbers

    private static func find(_ text: String, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let ids = LastList(call, "news")?.ids ?? []
        guard let number = Int(text), ids.indices.contains(number - 1) else {
            throw Problem(.refused, phrase("news.no-number", ["number": Plain.line(text)]))
        }
        return ids[number - 1]
    }

    private static func source(_ text: String, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let ids = LastList(call, "news-sources")?.ids ?? []
        guard let number = Int(text), ids.indices.contains(number - 1) else {
            throw Problem(.refused, phrase("news.no-source", ["number": Plain.line(text)]))
        }
        return ids[number - 1]
    }
}
