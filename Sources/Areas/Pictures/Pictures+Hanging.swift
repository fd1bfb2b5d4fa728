import KinKeeper
import KinModel
import KinStore

/// Pictures in posts and messages. Members who see the post or message see its pictures, and nobody else does.
extension Pictures {
    static let hanging = Area.HangingHook(
        hang: { (act, pictures, place, with) throws(Rejection) in try hang(pictures, place, with, act) },
        takeDown: { (act, place) throws(Rejection) in
            if case .parts(let room) = place { return try end(room: room, act) }
            for var picture in try StoredPicture.hanging(in: place, act) { try picture.comeDown(act) }
        },
        close: { (act, place, lost) throws(Rejection) in try close(place, lost, act) },
        pixels: { (act, id, place, size) throws(Rejection) in
            guard let picture = try StoredPicture.find(id, act), picture.place == place else { return nil }
            return picture.blob(size)
        },
        leave: { (act, member) throws(Rejection) in try takeAlong(member, act) })

    private static func hang(
        _ ids: [Identifier], _ place: Area.HangingPlace, _ with: SharedWith, _ act: Act
    ) throws(Rejection) -> [Picture] {
        var hung: [Picture] = []
        for id in ids {
            guard var picture = try StoredPicture.find(id, act), picture.place == place || picture.isOwn(act),
                picture.wire.binned == nil
            else { throw Rejection.notFound("picture", id.description, field: "pictures") }
            guard picture.place == nil || picture.place == place else {
                throw Rejection(
                    .conflict, "The picture stands in another post or message already.", field: "pictures")
            }
            let before = picture
            if picture.place == nil {
                if picture.isSentToHang {
                    try act.unplan(expiry, about: id.description)
                } else {
                    picture.keepAudience()
                }
            }
            picture.place = place
            picture.sharedWith = with
            if picture.wire != before.wire || with != before.sharedWith {
                try picture.save(isChanged: picture.wire != before.wire, act)
            }
            hung.append(picture.wire)
        }
        return hung
    }

    /// Takes the pictures of a room out of the sight of members who have left it. A picture that one of them sent stays
    /// that member's own.
    private static func close(_ place: Area.HangingPlace, _ lost: Audience, _ act: Act) throws(Rejection) {
        guard case .parts(let room) = place else { return }
        try hide("p.room = ?1", room, from: lost, act)
    }

    /// Takes pictures out of the sight of members, except their own: those for which a condition on an identifier
    /// holds. This happens at once, however many pictures there are. A member who loses more of them than one turn
    /// takes is told to begin anew.
    static func hide(
        _ condition: String, _ about: Identifier, from lost: Audience, _ act: Act
    ) throws(Rejection) {
        let roster = try act.roster
        var anew = Audience()
        for entry in roster.entries(in: lost) {
            let (id, member, only) = (Value.id(about), Value.id(entry.id), Audience([entry.number]))
            let gone = try act.rows(
                """
                SELECT p.id, EXISTS (SELECT 1 FROM picture_people w WHERE w.picture = p.number AND w.member = ?2)
                AS is_named FROM pictures p CROSS JOIN picture_sight s
                WHERE \(condition) AND p.owner <> ?2 AND s.member = ?2 AND s.picture = p.number ORDER BY p.id
                """, id, member
            ) { row in (id: row.identifier("id"), isNamed: row.bool("is_named")) }
            try act.run(
                """
                DELETE FROM picture_named
                WHERE member = ?2 AND picture IN (SELECT p.number FROM pictures p WHERE \(condition))
                """, id, member)
            try act.run(
                """
                DELETE FROM picture_sight
                WHERE member = ?2
                AND picture IN (SELECT p.number FROM pictures p WHERE \(condition) AND p.owner <> ?2)
                """, id, member)
            guard gone.count > Limits.picturesPerTurnMax else {
                try tellHidden(gone.map(\.id), to: only, act)
                continue
            }
            try act.hooks.inbox?.remove(act, gone.filter(\.isNamed).map { Pictures.about($0.id) }, only)
            anew = anew.union(only)
        }
        try beginAnew(anew, act)
    }

    /// Tells members that some pictures have gone out of their sight.
    static func tellHidden(_ pictures: [Identifier], to lost: Audience, _ act: Act) throws(Rejection) {
        for picture in pictures {
            try act.narrow(about: about(picture), by: lost)
            try act.emit(Picture.hidden, .init(picture: picture), about: "pictures", to: lost, isHeard: true)
        }
    }

    /// Has members begin anew who have lost sight of very many pictures.
    static func beginAnew(_ anew: Audience, _ act: Act) throws(Rejection) {
        guard !anew.isEmpty else { return }
        // A fresh snapshot has everything about pictures, so no row of the log about them is needed before it.
        try act.narrow(about: Pictures.about(), by: anew)
        try act.reset(anew)
    }

    /// A room was removed. Its pictures are removed with it, some in each turn.
    static func end(room: Identifier, _ act: Act) throws(Rejection) {
        let most = Limits.picturesPerTurnMax
        let some = try StoredPicture.hanging(in: .parts(of: room), atMost: most + 1, act)
        // Pictures that are left for later turns are seen by their authors alone until then.
        if some.count > most { try close(.parts(of: room), Audience(try act.roster.entries.map(\.number)), act) }
        for picture in some.prefix(most) {
            guard var picture = try StoredPicture.find(picture.number, act) else { continue }
            try picture.comeDown(act)
        }
        try act.plan(roomEnd, about: room.description, at: some.count > most ? act.now : nil)
    }
}

extension StoredPicture {
    /// The value of ``kept`` for a picture that was sent for a post or a message.
    static let sentToHang = "hangs"

    /// Whether the picture was sent for a post or a message, and never was in the gallery.
    var isSentToHang: Bool { kept == Self.sentToHang }

    /// The post, or the room with the message, in which the picture hangs; `nil`: it hangs nowhere.
    var place: Area.HangingPlace? {
        get {
            if let room = wire.room, let message = wire.message { return .part(message, of: room) }
            return wire.post.map { .thing($0) }
        }
        set {
            (wire.post, wire.room, wire.message) = (nil, nil, nil)
            switch newValue {
            case .thing(let post): wire.post = post
            case .part(let message, let room): (wire.room, wire.message) = (room, message)
            case .parts, nil: break
            }
        }
    }

    /// The blob with the pixels of one size.
    func blob(_ size: Picture.Size) -> String {
        switch size {
        case .large: blobs[0]
        case .middle: blobs[1]
        case .small: blobs[2]
        }
    }

    /// Takes the picture out of the place where it hangs. This is stored before the place hears of it: a post or
    /// message without other content is then removed, and takes down the pictures in it.
    mutating func fall(_ act: Act) throws(Rejection) {
        guard let place else { return }
        self.place = nil
        if let before = try keptAudience(act) {
            sharedWith = before
        } else if case .part = place {
            // Members who were in the room then may have left it: a picture that comes out of the bin is shown to
            // nobody by itself.
            sharedWith = .nobody
        }
        kept = nil
        try act.run(
            "UPDATE pictures SET post = NULL, room = NULL, message = NULL, kept = NULL WHERE number = ?", .int(number))
        for hear in act.hooks.unhung { try hear(act, wire.id, place) }
    }

    /// The post or message that it hangs in is gone. A picture that was sent for it is removed with it. A picture that
    /// was in the gallery before is there again, shared as it was; where that was not noted, it goes to its author's
    /// bin.
    mutating func comeDown(_ act: Act) throws(Rejection) {
        if isSentToHang { return try remove(act) }
        place = nil
        guard let before = try keptAudience(act) else {
            guard try act.roster[wire.author] != nil else { return try remove(act) }
            sharedWith = .nobody
            return try bin(act)
        }
        (sharedWith, kept) = (before, nil)
        try save(isChanged: true, act)
        if try seers(act).isEmpty { try remove(act) }
    }
}
