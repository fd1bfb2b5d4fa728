import KinCalendar
import KinCodec
import KinCrypto
import KinLoop
import KinModel
import KinWords

/// Sends and fetches pictures. A picture is named by its number in the list as it was shown last.
enum PictureCommands {
    private static let perPage: Int64 = 20

    // MARK: Looking

    static func list(_ call: Invocation, isOlder: Bool = false, isBin: Bool = false) throws(Problem) {
        var limit = perPage
        if let text = call.value("limit") {
            guard let count = Int64(text), (1...100).contains(count) else { throw .usage(phrase("pictures.bad-limit")) }
            limit = count
        }
        let last = isOlder ? LastList(call, "pictures")?.ids?.last : nil
        let result = try call.call(
            "picture.list",
            .object(leavingOut: [
                "limit": .int(limit), "bin": isBin ? true : nil, "before": last.map { .id($0) },
                "by": try call.value("by").map { (name) throws(Problem) in .id(try People(call).member(name).id) },
                "album": call.value("album").map { .string($0) },
                "category": call.value("category").map { .string($0) },
                "who": try call.value("who").map { (name) throws(Problem) in .id(try People(call).member(name).id) },
                "from": try moment(call, "from", addingDays: 0), "to": try moment(call, "to", addingDays: 1),
            ]))
        if call.wantsJSON { return call.output.say(result) }
        let pictures = (result["pictures"]?.array ?? []).compactMap(Picture.init)
        guard !pictures.isEmpty else {
            if last != nil { return call.output.say(phrase("pictures.no-older")) }
            if isBin { return call.output.say(phrase("pictures.bin-empty")) }
            // There may be pictures elsewhere.
            if let album = call.value("album") {
                return call.output.say(phrase("pictures.none-in-album", ["album": Plain.line(album)]))
            }
            let isNarrow = ["by", "category", "who", "from", "to"].contains { call.value($0) != nil }
            return call.output.say(phrase(isNarrow ? "pictures.none-such" : "pictures.none"))
        }
        try print(pictures, call)
        call.output.say(phrase(result["next"] == nil ? "pictures.hint" : "pictures.hint-older"))
    }

    /// Shows the pictures taken on a day of earlier years: today's date, or one that is named.
    static func onThisDay(_ call: Invocation) throws(Problem) {
        let day = try CalendarCommands.day(call.words.dropFirst().joined(separator: " "))
        let newYear = Civil(year: day.year, month: 1, day: 1).map { JSON.time(LocalTime.instant($0)) }
        let result = try call.call(
            "picture.onThisDay",
            .object(leavingOut: ["month": .int(Int64(day.month)), "day": .int(Int64(day.day)), "to": newYear]))
        if call.wantsJSON { return call.output.say(result) }
        let pictures = (result["pictures"]?.array ?? []).compactMap(Picture.init)
        guard !pictures.isEmpty else {
            return call.output.say(phrase("pictures.none-that-day", ["day": day.dayAndMonth(day)]))
        }
        try print(pictures, call)
        call.output.say(phrase("pictures.hint"))
    }

    private static func print(_ pictures: [Picture], _ call: Invocation) throws(Problem) {
        LastList(call, "pictures")?.keep(pictures.map(\.id))
        let names = try People(call).names
        for (index, picture) in pictures.enumerated() {
            call.output.say(Plain.padded("\(index + 1)", 4) + line(picture, names))
        }
    }

    /// The beginning of the day in an option, or of a day so many days later.
    private static func moment(_ call: Invocation, _ option: String, addingDays days: Int) throws(Problem) -> JSON? {
        guard let text = call.value(option) else { return nil }
        return .time(LocalTime.instant(try CalendarCommands.day(text).adding(days: days)))
    }

    /// `1 May 2024 · Mia · Summer · 2560 × 1920 · Soup`.
    private static func line(_ picture: Picture, _ names: Names) -> String {
        let size = picture.document.map { shown($0) } ?? "\(picture.width) × \(picture.height)"
        let likes = picture.likes.map { "\($0.reaction.sign) \(names.member($0.member))" }.joined(separator: ", ")
        let parts: [String?] = [
            LocalTime.near(picture.moment), names.member(picture.author), picture.album.map { Plain.line($0) },
            picture.category.map { Plain.line($0) }, picture.film.map { _ in phrase("pictures.film") },
            size, picture.people.isEmpty ? nil : picture.people.map { names.member($0) }.joined(separator: ", "),
            picture.caption.map { Plain.line($0) },
            likes.isEmpty ? nil : likes,
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    /// `document Contract.pdf (2 MiB)`.
    private static func shown(_ document: Document) -> String {
        phrase("pictures.document", ["name": Plain.line(document.name), "size": Words.bytes(document.bytes)])
    }

    static func albums(_ call: Invocation) throws(Problem) {
        let result = try call.call("picture.categories")
        if call.wantsJSON { return call.output.say(result) }
        for (key, part) in [("pictures.albums", "albums"), ("pictures.categories", "categories")] {
            let all = (result[part]?.array ?? []).filter { part == "albums" || $0["pictures"]?.int ?? 0 > 0 }
            guard !all.isEmpty else { continue }
            call.output.say(phrase(key))
            for one in all {
                call.output.say("  \(one["pictures"]?.int ?? 0)  \(Plain.line(one["name"]?.string ?? ""))")
            }
        }
        if (result["albums"]?.array ?? []).isEmpty { call.output.say(phrase("pictures.no-albums")) }
    }

    // MARK: Fetching

    static func get(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        if call.has("fetch-film") {
            let kind = try call.call("picture.show", ["picture": .id(id)])["picture"].flatMap(Picture.init)?.film
            guard let kind else { throw Problem(.refused, phrase("pictures.has-no-film")) }
            let path = call.words.count > 2 ? call.words[2] : "\(id).\(kind.fileExtension)"
            try PictureUpload.fetchFilm(id, into: path, call)
            return call.output.say(phrase("pictures.got-film", ["file": path]))
        }
        let document = try call.call("picture.show", ["picture": .id(id)])["picture"].flatMap(Picture.init)?.document
        if let document {
            // The name is treated as a plain name, whatever the daemon sends: it is no path, and no hidden file.
            let path = call.words.count > 2 ? call.words[2] : "./" + DocumentName.cleaned(document.name)
            try PictureUpload.fetchDocument(id, into: path, call)
            return call.output.say(phrase("pictures.got-document", ["file": Plain.line(path)]))
        }
        guard call.has("original") else {
            let path = call.words.count > 2 ? call.words[2] : "\(id).jpg"
            try save(id, as: path, call)
            return call.output.say(phrase("pictures.got", ["file": path]))
        }
        let result = try call.call("picture.original", ["picture": .id(id)])
        guard let bytes = result["base64"]?.string.flatMap({ Base64.decode($0) }),
            let kind = result["mediaType"]?.string.flatMap(Picture.Original.init)
        else { throw Problem(.refused, phrase("pictures.not-got")) }
        let path = call.words.count > 2 ? call.words[2] : "\(id).\(kind == .jpeg ? "jpg" : "\(kind)")"
        try save(bytes, as: path)
        call.output.say(phrase("pictures.got", ["file": path]))
    }

    /// Fetches all pictures that the caller sees, each with its day in its name. A file that exists already is not
    /// fetched again.
    static func export(_ call: Invocation) throws(Problem) {
        let folder = call.words[1]
        if let format = Archive.Format.allCases.first(where: { folder.lowercased().hasSuffix(".\($0.rawValue)") }) {
            return try archive(folder, format, call)
        }
        if [".tgz", ".gz", ".7z", ".rar"].contains(where: folder.lowercased().hasSuffix) {
            throw .usage(phrase("pictures.no-archive", ["file": Plain.line(folder)]))
        }
        let author = try author(call)
        do throws(LoopFailure) { try Files.makeDirectory(folder, mode: 0o700) } catch {
            throw Problem(.refused, Reader.here.failure(error.sentence))
        }
        var (before, count, known) = (Identifier?.none, 0, 0)
        var (films, documents) = (0, 0)
        repeat {
            let result = try call.call(
                "picture.list",
                .object(leavingOut: [
                    "limit": 100, "before": before.map { .id($0) }, "album": call.value("album").map { .string($0) },
                    "by": author,
                ]))
            for picture in (result["pictures"]?.array ?? []).compactMap(Picture.init) {
                let day = "\(picture.moment.description.prefix(10)) \(picture.id)"
                if let document = picture.document {
                    let path = "\(folder)/\(day) \(DocumentName.cleaned(document.name))"
                    if Files.exists(path) {
                        known += 1
                    } else if try PictureUpload.isInReach(document, call) {
                        try PictureUpload.fetchDocument(picture.id, into: path, call)
                        count += 1
                    } else {
                        documents += 1
                    }
                    continue
                }
                let path = "\(folder)/\(day).jpg"
                if Files.exists(path) {
                    known += 1
                } else {
                    try save(picture.id, as: path, call)
                    count += 1
                }
                guard let kind = picture.film else { continue }
                let film = "\(folder)/\(day).\(kind.fileExtension)"
                guard !Files.exists(film) else { continue }
                if try PictureUpload.hasSession(call) {
                    try PictureUpload.fetchFilm(picture.id, into: film, call)
                } else {
                    films += 1
                }
            }
            before = result["next"]?.identifier
        } while before != nil
        call.output.say(phrase("pictures.exported", ["n": count, "folder": folder, "known": known]))
        sayApart(films: films, documents: documents, call)
    }

    private static func author(_ call: Invocation) throws(Problem) -> JSON? {
        try call.value("by").map { (name) throws(Problem) in .id(try People(call).member(name).id) }
    }

    /// Writes the same into one archive, as the daemon does for browsers. One picture is in memory at a time.
    private static func archive(_ path: String, _ format: Archive.Format, _ call: Invocation) throws(Problem) {
        var params: JSON = .object(leavingOut: [
            "album": call.value("album").map { .string($0) }, "by": try author(call),
        ])
        // A refused export leaves no file behind.
        var piece = try call.call("picture.export", params)
        let file = try NewFile(path)
        var (count, films, documents, archive) = (0, 0, 0, Archive(format))
        while true {
            for one in piece["files"]?.array ?? [] {
                guard let id = one["id"]?.identifier, let name = one["name"]?.string, let at = one["at"]?.instant else {
                    continue
                }
                if let word = one["part"]?.string {
                    let part = Part(
                        id: id, isDocument: word == "document", name: name, at: at, ahead: one["ahead"]?.int ?? 0)
                    if try put(part, into: &archive, file, at: path, call) {
                        // A film counts with its picture.
                        if part.isDocument { count += 1 }
                    } else if part.isDocument {
                        documents += 1
                    } else {
                        films += 1
                    }
                    continue
                }
                let jpeg = try pixels(id, call)
                let header = archive.header(
                    name, bytes: jpeg.count, checksum: archive.wantsChecksum ? Zip.checksum(jpeg) : 0,
                    seconds: at.milliseconds / 1000,
                    ahead: one["ahead"]?.int ?? 0)
                try file.write(header + jpeg + archive.filling(jpeg.count))
                count += 1
            }
            guard let next = piece["next"] else { break }
            params["after"] = next
            piece = try call.call("picture.export", params)
        }
        try file.write(archive.end)
        file.keep()
        call.answer(["pictures": .int(Int64(count))], phrase("pictures.archived", ["n": count, "file": path]))
        sayApart(films: films, documents: documents, call)
    }

    private static func pixels(_ id: Identifier, _ call: Invocation) throws(Problem) -> [UInt8] {
        let result = try call.call("picture.image", ["picture": .id(id), "size": "large"])
        guard let jpeg = result["base64"]?.string.flatMap({ Base64.decode($0) }) else {
            throw Problem(.refused, phrase("pictures.not-got"))
        }
        return jpeg
    }

    private static func save(_ id: Identifier, as path: String, _ call: Invocation) throws(Problem) {
        try save(try pixels(id, call), as: path)
    }

    private static func save(_ bytes: [UInt8], as path: String) throws(Problem) {
        do throws(LoopFailure) { try Files.write(bytes, to: path, mode: 0o600) } catch {
            throw Problem(.refused, Reader.here.failure(error.sentence))
        }
    }

    // MARK: Sending

    static func add(_ call: Invocation) throws(Problem) {
        let files = Array(call.words.dropFirst())
        var more = try said(call)
        if let film = call.value("film") {
            guard files.count == 1 else { throw call.misused }
            _ = try PictureUpload.filmBytes(film)
            // Nobody else sees the poster before the film is there. It is a picture of its own, whatever the gallery
            // has. If the film is refused, no earlier picture is removed.
            let (whom, album) = (more["audience"], more["album"])
            more["audience"] = nil
            more["album"] = nil
            more["for"] = "post"
            let id = try PictureUpload.send(files[0], more, call)
            do throws(Problem) { try PictureUpload.sendFilm(film, of: id, call) } catch {
                _ = try? call.call("picture.remove", ["picture": .id(id), "atOnce": true])
                throw error
            }
            // With an audience or an album it is in the gallery from now on. Without an audience it is shared like the
            // caller's other pictures in the album.
            var place: JSON.Object = ["picture": .id(id)]
            place["album"] = album
            place["audience"] = whom
            if album == nil, whom == nil { place["audience"] = JSON.array([]) }
            _ = try call.call("picture.update", .object(place))
            let seen = try audience(of: id, try People(call).names, call)
            return call.answer(["pictures": [.id(id)]], phrase("pictures.film-sent", ["audience": seen]))
        }
        var ids: [Identifier] = []
        if call.has("document") {
            // A document names no members.
            guard more["people"] == nil else { throw call.misused }
            for file in files { _ = try PictureUpload.filmBytes(file, isDocument: true) }
            for file in files { ids.append(try PictureUpload.sendDocument(file, more, call)) }
            return call.answer(
                ["pictures": .array(ids.map { .id($0) })], try sentences("pictures.documents-sent", ids, call))
        }
        for file in files {
            ids.append(try PictureUpload.send(file, more, call))
        }
        call.answer(["pictures": .array(ids.map { .id($0) })], try sentences("pictures.sent", ids, call))
    }

    /// Makes one picture of several, in the order in which they are named.
    static func collage(_ call: Invocation) throws(Problem) {
        var (params, ids) = (try said(call), [JSON]())
        params["original"] = nil
        if let layout = call.value("layout") {
            guard let known = ["mosaic", "grid", "row", "column"].first(where: { $0 == layout.lowercased() }) else {
                throw .usage(phrase("pictures.bad-layout"))
            }
            params["layout"] = .string(known)
        }
        for word in call.words.dropFirst() { ids.append(.id(try find(word, call))) }
        params["pictures"] = .array(ids)
        let result = try call.call("picture.collage", .object(params))
        guard let id = result["picture"]?["id"]?.identifier else { throw Problem(.refused, phrase("pictures.not-got")) }
        call.answer(result, try sentences("pictures.collage-made", [id], call))
    }

    /// A sentence for each audience. The audiences are asked of the daemon: a picture that comes into an album is shared as
    /// the album is, and a picture that was sent before stays shared as it was.
    private static func sentences(_ key: String, _ ids: [Identifier], _ call: Invocation) throws(Problem) -> String {
        let names = try People(call).names
        var groups: [(audience: String, count: Int)] = []
        for id in ids {
            let seen = try audience(of: id, names, call)
            if let index = groups.firstIndex(where: { $0.audience == seen }) {
                groups[index].count += 1
            } else {
                groups.append((audience: seen, count: 1))
            }
        }
        return groups.map { phrase(key, ["n": $0.count, "audience": $0.audience]) }.joined(separator: "\n")
    }

    private static func audience(
        of id: Identifier, _ names: Names, _ call: Invocation
    ) throws(Problem) -> String {
        let picture = try call.call("picture.show", ["picture": .id(id)])["picture"]
        return AudienceWords.said(picture?["audience"] ?? [], names)
    }

    private static func said(_ call: Invocation) throws(Problem) -> JSON.Object {
        var params = JSON.Object()
        for name in ["caption", "album", "category"] {
            if let text = call.value(name) { params[name] = .string(text) }
        }
        if call.has("original") { params["original"] = true }
        if let text = call.value("who") { params["people"] = .array(try members(text, call)) }
        if let text = call.value("for") { params["audience"] = try AudienceWords.typed(text, call) }
        return params
    }

    /// The members in a text, separated by commas; none if it is empty.
    private static func members(_ text: String, _ call: Invocation) throws(Problem) -> [JSON] {
        let people = try People(call)
        var members: [JSON] = []
        for name in text.split(separator: ",") { members.append(.id(try people.member(String(name)).id)) }
        return members
    }

    // MARK: Changing

    /// Changes the fields of a picture; an empty text removes a value.
    static func set(_ call: Invocation) throws(Problem) {
        var params: JSON.Object = ["picture": .id(try find(call.words[1], call))]
        var isAnything = false
        for name in ["caption", "album", "category"] {
            guard let text = call.value(name) else { continue }
            params[name] = text.isEmpty ? JSON.null : JSON.string(text)
            isAnything = true
        }
        if let text = call.value("who") {
            params["people"] = .array(try members(text, call))
            isAnything = true
        }
        guard isAnything else { throw call.misused }
        call.answer(try call.call("picture.update", .object(params)), phrase("pictures.changed"))
    }

    static func leave(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        call.answer(try call.call("picture.leave", ["picture": .id(id)]), phrase("pictures.left"))
    }

    static func like(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let word = call.words.count > 2 ? call.words[2].lowercased() : "love"
        let reaction = Like.Reaction(rawValue: word)
        guard reaction != nil || word == "none" else { throw call.misused }
        let result = try call.call(
            "picture.like", ["picture": .id(id), "reaction": reaction.map { .string($0.rawValue) } ?? .null])
        call.answer(
            result, reaction.map { phrase("pictures.liked", ["sign": $0.sign]) } ?? phrase("pictures.like-taken-back"))
    }

    static func share(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        let whom = try AudienceWords.typed(call.words[2], call)
        let result = try call.call("picture.update", ["picture": .id(id), "audience": whom])
        call.answer(result, phrase("pictures.shared", ["audience": AudienceWords.said(whom, try People(call).names)]))
    }

    static func shareAlbum(_ call: Invocation) throws(Problem) {
        let whom = try AudienceWords.typed(call.words[2], call)
        let result = try call.call("picture.shareAlbum", ["album": .string(call.words[1]), "audience": whom])
        call.answer(
            result,
            phrase(
                "pictures.album-shared",
                ["album": Plain.line(call.words[1]), "audience": AudienceWords.said(whom, try People(call).names)]))
    }

    static func remove(_ call: Invocation) throws(Problem) {
        let (id, isAtOnce) = (try find(call.words[1], call), call.has("at-once"))
        guard Input.confirms(call, phrase(isAtOnce ? "pictures.rm-at-once" : "pictures.rm")) else {
            throw Input.kept(phrase("pictures.kept"))
        }
        call.answer(
            try call.call("picture.remove", ["picture": .id(id), "atOnce": .bool(isAtOnce)]),
            phrase(isAtOnce ? "pictures.removed" : "pictures.binned"))
    }

    static func restore(_ call: Invocation) throws(Problem) {
        let id = try find(call.words[1], call)
        call.answer(try call.call("picture.restore", ["picture": .id(id)]), phrase("pictures.restored"))
    }

    /// Pictures of the gallery that go with a post or a message, as the option `saved` names them.
    static func saved(_ call: Invocation) throws(Problem) -> [JSON] {
        var pictures: [JSON] = []
        for number in call.values("saved") { pictures.append(["picture": .id(try find(number, call))]) }
        return pictures
    }

    static func find(_ text: String, _ call: Invocation) throws(Problem) -> Identifier {
        if let id = Identifier(text) { return id }
        let ids = LastList(call, "pictures")?.ids ?? []
        guard let number = Int(text), ids.indices.contains(number - 1) else {
            throw Problem(.refused, phrase("pictures.no-number", ["number": Plain.line(text)]))
        }
        return ids[number - 1]
    }
}
