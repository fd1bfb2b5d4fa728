import KinKeeper
import KinModel
import KinPicture
import KinStore

extension StoredPicture {
    /// Writes it down. Tells members who see it, members who no longer see it, and members who are in it, as soon as
    /// they see it.
    mutating func save(isChanged: Bool, _ act: Act) throws(Rejection) {
        let isNew = number == 0
        if isNew {
            var values = Self.columns.values(of: wire)
            values += [.time(wire.moment), .int(day)]
            values += blobs.map { .text($0) }
            values += [Value(original), .int(bytes), .text(digest), .id(wire.author), Value(kept)]
            values += Self.documents.values(of: wire.document) + [Value(document)]
            try act.run(
                """
                INSERT INTO pictures (\(Self.columns.names), moment, day, large, middle, small,
                    original_blob, bytes, digest, owner, kept, \(Self.documents.names), document_blob, audience)
                VALUES (\(Self.columns.placeholders), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(Self.documents.placeholders), ?, '')
                """, values: values)
        } else {
            try act.run(
                "UPDATE pictures SET \(Self.columns.assignments), moment = ?, day = ?, kept = ?, original_blob = ?, film_blob = ?, bytes = ?, document = ? WHERE number = ?",
                values: Self.columns.values(of: wire) + [
                    .time(wire.moment), .int(day), Value(kept), Value(original), Value(film), .int(bytes),
                    Value(wire.document?.name), .int(number),
                ])
        }
        guard let stored = try Self.find(wire.id, act) else { return }
        number = stored.number
        let named = Set(stored.wire.people)
        try act.run("DELETE FROM picture_people WHERE picture = ?", .int(stored.number))
        for member in wire.people {
            try act.run(
                "INSERT INTO picture_people (picture, member) VALUES (?, ?)", .int(stored.number), .id(member))
        }
        try Pictures.shared.save(sharedWith, of: stored.number, act)
        let change = try Pictures.shared.settle(stored.number, of: wire.author, sharedWith, act)
        guard let now = try Self.find(stored.number, act) else { return }
        try now.tell(change, isChanged: isChanged, isNew: isNew, act)
        for member in wire.people {
            let sees = try named.contains(member) ? change.gained : now.seers(act)
            let only = try act.roster.only(member).intersection(sees)
            guard !only.isEmpty else { continue }
            try act.emit(
                Picture.named, .init(picture: wire.id, member: member), about: Pictures.about(wire.id), to: only,
                title: wire.caption, owner: wire.author)
        }
    }

    /// Tells members who gain sight of it and members who lose it.
    func tell(
        _ change: SharedThings.Change, isChanged: Bool = false, isNew: Bool = false, _ act: Act
    ) throws(Rejection) {
        let about = Pictures.about(wire.id)
        // Members who no longer see it are not told the former words either, however long they were away.
        if !change.lost.isEmpty { try act.narrow(about: about, by: change.lost) }
        if isChanged {
            // The former name is in no row of the log; members who were away learn of the picture by this event alone.
            try act.erase(about: about, of: [Picture.added, Picture.updated, Picture.shown])
            try act.emit(Picture.updated, .init(picture: wire), about: about, to: change.kept)
        }
        if isNew {
            try act.emit(Picture.added, .init(picture: wire), about: about, to: change.gained, owner: wire.author)
        } else if !change.gained.isEmpty, try isRecent(act) {
            try act.emit(Picture.shown, .init(picture: wire), about: about, to: change.gained)
        }
        // The event is about no picture: it must outlive this one in the log, for members who are away until both are
        // gone.
        try act.emit(Picture.hidden, .init(picture: wire.id), about: "pictures", to: change.lost, isHeard: true)
    }

    /// Whether it is among the newest. A member who comes to see years of pictures at once is told of those alone.
    private func isRecent(_ act: Act) throws(Rejection) -> Bool {
        let newer = try act.first(
            "SELECT count(*) FROM (SELECT 1 FROM pictures WHERE id > ? LIMIT \(Limits.picturesShownMax))", .id(wire.id)
        ) { row in row.int(0) }
        return newer ?? 0 < Limits.picturesShownMax
    }

    /// Removes it with its pixels and all that is known about it.
    func remove(except leaving: Audience = Audience(), _ act: Act) throws(Rejection) {
        let seers = try seers(act)
        let about = Pictures.about(wire.id)
        try act.unplan(Pictures.expiry, about: wire.id.description)
        // The rows about its audience and about the members in it go with this row.
        try act.run("DELETE FROM pictures WHERE number = ?", .int(number))
        let own = Set(blobs + [original, film, document].compactMap(\.self))
        for blob in own.sorted() {
            if try !isOfTwin(blob, act) { try act.dropBlob(blob) }
        }
        try act.narrow(about: about, by: Audience(try act.roster.entries.map(\.number)).union(seers))
        try act.erase(about: about)
        try act.emit(
            Picture.removed, .init(picture: wire.id), about: about, to: seers.subtracting(leaving), isHeard: true)
    }

    /// Whether another picture, which the author sent with the same bytes, has this file as well.
    private func isOfTwin(_ file: String, _ act: Act) throws(Rejection) -> Bool {
        let found = try act.first(
            """
            SELECT 1 FROM pictures WHERE owner IN (?1, ?2) AND digest = ?3 AND number <> ?4
            AND ?5 IN (large, middle, small, original_blob, document_blob) LIMIT 1
            """, .id(wire.author), .id(Pictures.nobody), .text(digest), .int(number), .text(file)
        ) { _ in true }
        return found == true
    }

    /// Keeps the file that was sent, beside the sizes that were made of it, if there is one to keep.
    mutating func keep(_ sent: Original?, _ act: Act) throws(Rejection) {
        guard let sent, original == nil else { return }
        if let twin = try Self.twin(digest, of: wire.author, act)?.original {
            original = twin
        } else {
            original = try act.putBlob(sent.bytes, of: wire.author)
        }
        wire.original = Picture.Original(rawValue: sent.format.rawValue)
        bytes += Int64(sent.bytes.count)
        // The bytes that it takes are stored with the rest if the picture is new.
        if number != 0 { try save(isChanged: true, act) }
    }

    /// Notes the audience for the time when the picture comes back.
    mutating func keepAudience() { kept = sharedWith.kept }

    /// The former audience, without members who have left the family; `nil`: it is not known.
    func keptAudience(_ act: Act) throws(Rejection) -> SharedWith? {
        guard let kept, kept != Self.sentToHang else { return nil }
        return try SharedWith(kept: kept, by: wire.author, act)
    }

    /// Puts it into its author's bin: nobody else sees it from here on, and in a week it is gone.
    mutating func bin(_ act: Act) throws(Rejection) {
        wire.binned = act.now
        keepAudience()
        sharedWith = .nobody
        try save(isChanged: true, act)
        try act.plan(Pictures.expiry, about: wire.id.description, at: act.now.adding(seconds: Limits.binSeconds))
    }
}

extension SharedWith {
    /// The form in which an audience is noted: its word, and its members.
    var kept: String {
        let named = if case .members(let members) = self { members } else { [Identifier]() }
        return ([word] + named.map(\.description)).joined(separator: " ")
    }

    /// Reads an audience that a member's picture noted, without members who have left the family; `nil`: nothing known
    /// was noted.
    init?(kept: String, by author: Identifier, _ act: Act) throws(Rejection) {
        let (roster, words) = (try act.roster, kept.split(separator: " "))
        let there = words.dropFirst().compactMap { Identifier($0) }.filter { roster[$0] != nil }
        switch words.first {
        case "everyone": self = .everyone
        case "household":
            guard let entry = roster[author] else { return nil }
            self = .household(entry.household)
        default: self = .members(there)
        }
    }
}

/// The audiences with which members shared albums as a whole. A picture that is put into such an album later has the
/// same audience, whatever was done to single pictures in it. Triggers of the database remove a row with its owner's
/// last picture in the album.
enum AlbumShare {
    /// The audience with which an owner shared an album; `nil`: it is not shared as a whole.
    static func find(_ album: String, of owner: Identifier, _ act: Act) throws(Rejection) -> SharedWith? {
        let kept = try act.first(
            "SELECT audience FROM album_shares WHERE owner = ? AND album = ?", .id(owner), .text(album)
        ) { row in row.text(0) }
        guard let kept else { return nil }
        // It was shared with the household of then, and not with one that the owner moved to since.
        let words = kept.split(separator: " ")
        let household = try act.roster[owner]?.household
        if words.first == "household", words.last.flatMap({ Identifier($0) }) != household { return nil }
        return try SharedWith(kept: kept, by: owner, act)
    }

    /// Stores the audience of an album.
    static func save(_ with: SharedWith, _ album: String, of owner: Identifier, _ act: Act) throws(Rejection) {
        let noted = if case .household(let household) = with { "\(with.kept) \(household)" } else { with.kept }
        try act.run(
            "INSERT OR REPLACE INTO album_shares (owner, album, audience) VALUES (?, ?, ?)", .id(owner), .text(album),
            .text(noted))
    }

    /// Removes a member who leaves from the audiences of albums.
    static func forget(_ member: Identifier, _ act: Act) throws(Rejection) {
        try act.run(
            "UPDATE album_shares SET audience = replace(audience, ?1, '') WHERE instr(audience, ?1) > 0",
            .text(" " + member.description))
    }

    /// Its table, and the triggers with which it goes.
    static let sql = """
        CREATE TABLE album_shares (
            owner BLOB NOT NULL, album TEXT NOT NULL, audience TEXT NOT NULL, PRIMARY KEY (owner, album)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER album_shares_removed AFTER DELETE ON pictures WHEN OLD.album IS NOT NULL
        BEGIN \(end) END;
        CREATE TRIGGER album_shares_left AFTER UPDATE OF album, owner ON pictures
        WHEN OLD.album IS NOT NULL AND (OLD.album IS NOT NEW.album OR OLD.owner <> NEW.owner)
        BEGIN \(end) END;
        """
    private static let end = """
        DELETE FROM album_shares WHERE owner = OLD.owner AND album = OLD.album
        AND NOT EXISTS (SELECT 1 FROM pictures WHERE owner = OLD.owner AND album = OLD.album);
        """
}
