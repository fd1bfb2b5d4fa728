import KinCodec
import KinCrypto
import KinFamily
import KinKeeper
import KinModel
import KinPictures
import KinStore

/// The pictures that the members of the box send each other.
final class PicturesLife: SimulatedArea {
    let weight = 3
    let lists = [
        ListQuestion(method: "picture.list", params: ["limit": 100], fault: { PicturesLife.fault($0, against: $1) }),
        ListQuestion(
            method: "picture.categories", fault: { PicturesLife.albumFault($0, against: $1) }, watched: "albums"),
    ]
    /// A picture in an album of its own.
    var stock: [(method: String, params: JSON)] {
        [
            (
                "picture.add",
                ["picture": Self.picture("stock"), "album": "C", "category": "trips", "audience": "everyone"]
            )
        ]
    }
    /// Files that nothing named when it was looked at last.
    private var unnamed: Set<String> = []

    func idea(_ world: World, _ who: Int, _ op: String) -> World.Idea {
        let seen = (world.view(of: who)?.pictures.values ?? [:].values).sorted { $0.id < $1.id }
        let dice = world.dice.below(20)
        guard !seen.isEmpty, dice > 3 else {
            // Now and then the same once more, and now and then what is no picture.
            let text = dice == 0 ? "the same" : dice == 1 ? "<svg>" : op
            return (who, "picture.add", ["picture": Self.picture(text), "audience": SharedSight.audience(world)])
        }
        let picture: JSON = .id(world.dice.pick(seen).id)
        switch dice {
        case 4...5: return (who, "picture.remove", ["picture": picture, "atOnce": .bool(world.dice.once(in: 2))])
        case 6: return (who, "picture.restore", ["picture": picture])
        case 7: return (who, "picture.leave", ["picture": picture])
        case 9:
            let words = Like.Reaction.allCases.map { JSON.string($0.rawValue) } + [.null]
            return (who, "picture.like", ["picture": picture, "reaction": world.dice.pick(words)])
        case 8:
            let people = world.people.filter { _ in world.dice.once(in: 3) }.map { JSON.id($0.id) }
            return (who, "picture.update", ["picture": picture, "people": .array(people)])
        case 10...11: return (who, "picture.update", ["picture": picture, "caption": .string(op)])
        case 13:
            return (
                who, "picture.shareAlbum",
                ["album": .string(world.dice.pick(["A", "B"])), "audience": SharedSight.audience(world)]
            )
        case 12: return (who, "picture.update", ["picture": picture, "album": .string(world.dice.pick(["A", "B"]))])
        case 14...15:
            return (
                who, "post.add",
                ["pictures": [["picture": picture, "caption": .string(op)]], "audience": SharedSight.audience(world)]
            )
        case 16: return (who, "picture.setFilm", ["picture": picture, "film": Self.film(op)])
        case 18:
            let both = [seen.first, seen.last].compactMap(\.self).map { JSON.id($0.id) }
            return (
                who, "picture.collage", ["pictures": .array(both), "audience": SharedSight.audience(world)]
            )
        case 17:
            return (
                who, "picture.addDocument",
                [
                    "document": Self.document(op), "name": .string(op + ".txt"),
                    "audience": SharedSight.audience(world),
                ]
            )
        default:
            return (who, "picture.update", ["picture": picture, "audience": SharedSight.audience(world)])
        }
    }

    /// The gallery is what the snapshot has, but for what lies in a bin.
    private static func fault(_ result: JSON, against snapshot: Snapshot) -> String? {
        guard !snapshot.absent.contains("pictures"), !snapshot.more.contains("pictures") else { return nil }
        let listed = (result["pictures"]?.array ?? []).compactMap(Picture.init)
        for picture in listed {
            let held = snapshot.pictures[picture.id]
            guard held != picture else { continue }
            return "picture.list has \(picture.json.text), the snapshot \(held?.json.text ?? "none")"
        }
        // The rest is on the next page.
        guard result["next"] == nil else { return nil }
        let missing = Set(snapshot.pictures.values.filter { $0.binned == nil }.map(\.id)).subtracting(listed.map(\.id))
        return missing.min().map { "picture.list has not \($0), the snapshot has" }
    }

    /// Albums and categories are those of the snapshot's pictures, each with as many as it has there, but for what lies in
    /// a bin.
    private static func albumFault(_ result: JSON, against snapshot: Snapshot) -> String? {
        guard !snapshot.absent.contains("pictures"), !snapshot.more.contains("pictures") else { return nil }
        let pictures = snapshot.pictures.values.filter { $0.binned == nil }
        for (part, names) in [("albums", pictures.map(\.album)), ("categories", pictures.map(\.category))] {
            let held = names.compactMap(\.self).reduce(into: [:] as [String: Int64]) { $0[$1, default: 0] += 1 }
            var listed: [String: Int64] = [:]
            for one in result[part]?.array ?? [] { listed[one["name"]?.string ?? ""] = one["pictures"]?.int }
            // With the words that a family begins with, of which there need be no pictures.
            guard listed.filter({ $0.value > 0 }) != held else { continue }
            return "picture.categories has the \(part) \(listed), the snapshot \(held)"
        }
        return nil
    }

    /// A film as small as one can be (ISO/IEC 14496-12): a heading with one track of pictures, and data.
    static func film(_ text: String) -> JSON {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let count = content.count + 8
            return [0, 0, UInt8(count >> 8), UInt8(count & 255)] + Array(type.utf8) + content
        }
        let track = box("mdia", box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8)))
        return .string(
            Base64.encode(
                box("ftyp", Array("mp42".utf8)) + box("moov", box("trak", track)) + box("mdat", Array(text.utf8))))
    }

    /// The width of what stands for a collage.
    private static let collageWidth = 60

    /// What stands for a document's bytes.
    static func document(_ text: String) -> JSON { .string(Base64.encode(Array("document \(text)".utf8))) }

    /// What stands for a picture's bytes.
    static func picture(_ text: String) -> JSON { .string(Base64.encode(Array("picture \(text)".utf8))) }

    /// What a worker would do; nothing is opened in the box.
    func quick(_ work: any SlowWork) -> SlowResult? {
        if let film = work as? FilmWork { return film.run() }
        if let document = work as? DocumentWork { return document.run() }
        guard let work = work as? DevelopWork else { return nil }
        if case .collage(let sources) = work {
            let bytes = Array("picture \(sources.names.joined())".utf8)
            return .made(
                DevelopWork.Made(
                    jpegs: [bytes + [0x4C], bytes + [0x4D], bytes + [0x4D]], width: Self.collageWidth, height: 30,
                    exif: "2026:05:01 12:00:00"))
        }
        guard case .bytes(let bytes) = work, bytes.starts(with: Array("picture ".utf8)), !bytes.contains(0x3C) else {
            return .refused("It is no picture.")
        }
        let day = (bytes.reduce(0) { $0 + Int($1) }) % 28 + 1
        return .made(
            DevelopWork.Made(
                jpegs: [bytes + [0x4C], bytes + [0x4D], bytes + [0x4D]], width: 40, height: 30,
                exif: "2026:05:\(day < 10 ? "0" : "")\(day) 12:00:00"))
    }

    func page(_ world: World, for browser: Browser) -> String? {
        let who = world.dice.below(world.people.count)
        let seen = (world.view(of: who)?.pictures.keys.sorted() ?? [])
        guard !seen.isEmpty else { return nil }
        return "/api/pictures/\(world.dice.pick(seen))/\(world.dice.pick(Picture.Size.allCases).rawValue)"
    }

    private static let shared = SharedSight(
        "pictures", column: "picture", named: "picture_named", seen: "picture_sight", isForGuestsByName: true,
        gone: "t.owner IN (SELECT member FROM picture_leavers)")

    func sight(_ daemon: SimulatedDaemon) throws(StoreFailure) -> [String: (Onlooker, Identifier) -> Bool] {
        ["picture": try Self.shared.isSeen(daemon)]
    }

    /// Who is written down as seeing what is who the rules say; who sees a post sees its pictures; a picture has its pixels, and
    /// pixels that belong to no picture any more are gone.
    func books(_ world: World, _ daemon: SimulatedDaemon) throws(StoreFailure) -> Finding? {
        if let fault = try Self.shared.fault(daemon, "gallery") { return fault }
        let other = try daemon.reader.first(
            """
            SELECT q.id FROM post_pictures o JOIN posts t ON t.number = o.post
            LEFT JOIN pictures q ON q.id = o.picture AND q.post = t.id
            WHERE t.owner NOT IN (SELECT member FROM post_leavers)
            AND (q.id IS NULL OR q.audience <> t.audience OR q.household IS NOT t.household)
            """
        ) { row in row.optionalIdentifier(0) }
        if let other {
            return Finding(
                checker: "gallery", what: "the picture \(other.map { "\($0)" } ?? "of a post") is not its post's")
        }
        let otherwise = try daemon.reader.first(
            """
            SELECT o.picture FROM message_pictures o JOIN messages m ON m.number = o.message
            JOIN rooms r ON r.number = m.in_room
            LEFT JOIN pictures q ON q.id = o.picture AND q.room = r.id AND q.message = m.id
            WHERE m.owner = m.author AND m.owner NOT IN (SELECT member FROM message_leavers) AND (q.id IS NULL OR EXISTS (
                SELECT member FROM room_own w WHERE w.room = r.number AND w.since < m.id
                EXCEPT SELECT member FROM picture_sight s WHERE s.picture = q.number
            ) OR EXISTS (
                SELECT member FROM picture_sight s WHERE s.picture = q.number AND s.member <> q.owner
                EXCEPT SELECT member FROM room_own w WHERE w.room = r.number AND w.since < m.id))
            """
        ) { row in row.identifier(0) }
        if let otherwise {
            return Finding(
                checker: "gallery", what: "the picture \(otherwise) of a message is not seen by those who see that")
        }
        let named = Set(
            try daemon.reader.rows(
                """
                SELECT large FROM pictures UNION SELECT middle FROM pictures UNION SELECT small FROM pictures
                UNION SELECT film_blob FROM pictures WHERE film_blob IS NOT NULL
                UNION SELECT document_blob FROM pictures WHERE document_blob IS NOT NULL
                """
            ) { row in row.text(0) })
        var all = named
        for area in Registry.family.areas { if let blobs = area.blobs { all.formUnion(try blobs(daemon.reader)) } }
        let there = Set(try daemon.store.blobs.all())
        if let missing = named.subtracting(there).first {
            return Finding(checker: "gallery", what: "a picture has no pixels: \(missing)")
        }
        // What a turn gave up may go after a later one, as long as the disk does not remove it.
        let left = there.subtracting(all).subtracting(daemon.store.leftBlobs)
        defer { unnamed = left }
        if let left = left.intersection(unnamed).first {
            return Finding(checker: "pixels", what: "pixels of a picture that is gone are there: \(left)")
        }
        return nil
    }

    func twice(_ daemon: SimulatedDaemon) throws(StoreFailure) -> String? {
        // A collage that stands in a post is made anew for the gallery.
        try daemon.reader.first(
            "SELECT digest FROM pictures WHERE width <> \(Self.collageWidth) GROUP BY owner, digest HAVING count(*) > 1"
        ) { row in row.text(0) }
    }

    func plant(_ fault: Fault, _ commit: inout Commit) {
        guard fault == .shortAlbums else { return }
        commit.replies = commit.replies.map { reply in
            guard reply.isList, case .success(let bytes) = reply.result, var json = try? JSON.parse(bytes),
                let albums = json["albums"]?.array
            else { return reply }
            json["albums"] = .array(albums.dropLast())
            return reply.with(json.bytes)
        }
    }

    func spoil(_ fault: Fault, _ events: [LogRow]) -> [String] {
        switch fault {
        case .pictureOfAnother: ["INSERT OR IGNORE INTO picture_sight SELECT m.id, p.number FROM members m, pictures p"]
        case .pixelsLeft: ["DELETE FROM pictures WHERE post IS NULL"]
        default: []
        }
    }
}

extension Fault {
    /// Everybody is written down as seeing every picture.
    public static let pictureOfAnother = Fault("pictureOfAnother")
    /// Pictures are forgotten, and their pixels stay.
    public static let pixelsLeft = Fault("pixelsLeft")
    /// The list of albums lacks one.
    public static let shortAlbums = Fault("shortAlbums")
}
