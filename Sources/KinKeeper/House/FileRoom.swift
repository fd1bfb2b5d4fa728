public import KinModel
import KinStore

/// The room that members' files take on the disk: pictures and other uploads. An admin sets how much each member may
/// have, and how much the family together. An unfinished upload counts with the most bytes that it may have. A member
/// is told at four fifths of the own room, and admins at four fifths of the family's.
enum FileRoom {
    static let quota = Quota("files")
    static let familyQuota = Quota("familyFiles")
    static let sum = FamilySum("fileBytes") { (act) throws(Rejection) in try used(by: nil, act).all }

    static let tables = [Table("kept_files"), Table("kept_bytes"), Table("file_room")]

    /// Older files are small pictures. They are counted once they are changed.
    static let migration = Migration(
        number: 44, name: "room for files", tables: ["kept_files", "kept_bytes", "file_room"],
        sql: """
            CREATE TABLE kept_files (
                name TEXT NOT NULL PRIMARY KEY, member BLOB NOT NULL, bytes INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE kept_bytes (member BLOB NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE file_room (
                one INTEGER PRIMARY KEY CHECK (one = 1), member_bytes INTEGER NOT NULL, family_bytes INTEGER NOT NULL
            ) STRICT;
            """)

    /// The room that is allowed, in bytes.
    struct Room: Equatable {
        /// Of each member.
        var member = Limits.fileBytesPerMember
        /// Of all members together.
        var family = Limits.fileBytesOfFamily

        static func find(_ act: Act) throws(Rejection) -> Room {
            try act.first("SELECT member_bytes, family_bytes FROM file_room") { row in
                Room(member: row.int("member_bytes"), family: row.int("family_bytes"))
            } ?? Room()
        }
    }

    // MARK: Methods

    private static let bytes = Shape.integer(Limits.fileBytesMin...Limits.fileBytesMax)
    private static let result = Shape.object([
        .required("member", bytes, "Bytes that the files of one member may have together."),
        .required("family", bytes, "Bytes that the files of all members may have together."),
        .required("used", .integer(0...Int64.max), "Bytes that the caller's own files have, with unfinished uploads."),
    ])

    static let show = Method.query(
        "quota.show", "How much room there is for files, and how much of it one's own take.", access: .signedIn,
        result: result, route: Route("GET", "/api/quota"),
        apply: { (act, _) throws(Rejection) in .done(try shown(act)) })

    static let set = Method.command(
        "quota.set", "Says how much room there is for files. What is not named stays.", access: .admins,
        note: "Files that are there already stay, also where they take more than that.",
        [
            .optional("member", bytes, "Bytes for one member; \(Limits.fileBytesPerMember >> 30) GiB at first."),
            .optional("family", bytes, "Bytes for all members; \(Limits.fileBytesOfFamily >> 30) GiB at first."),
        ],
        result: result, route: Route("PATCH", "/api/quota"), events: [],
        again: { (act, _) throws(Rejection) in try shown(act) },
        apply: { (act, params) throws(Rejection) in
            var room = try Room.find(act)
            if let member = params.optionalInt("member") { room.member = member }
            if let family = params.optionalInt("family") { room.family = family }
            guard room.member <= room.family else {
                throw Rejection(.invalid, "One member cannot have more room than the whole family.", field: "member")
            }
            try act.run(
                "INSERT OR REPLACE INTO file_room (one, member_bytes, family_bytes) VALUES (1, ?, ?)",
                .int(room.member), .int(room.family))
            return .done(try shown(act))
        })

    private static func shown(_ act: Act) throws(Rejection) -> JSON {
        let room = try Room.find(act)
        let own = try act.caller.memberID.map { (id) throws(Rejection) in try used(by: id, act).own } ?? 0
        return ["member": .int(room.member), "family": .int(room.family), "used": .int(own)]
    }

    // MARK: Counting

    /// Bytes of one member's files and of all files, unfinished uploads among them. The sums of kept files are stored,
    /// so the cost does not grow with the number of files.
    private static func used(
        by member: Identifier?, _ act: Act, withUnfinished: Bool = true
    ) throws(Rejection) -> (own: Int64, all: Int64) {
        try act.first(
            """
            SELECT sum(iif(member = ?1, bytes, 0)) AS own, sum(bytes) AS total FROM (
                SELECT member, bytes FROM kept_bytes
                UNION ALL SELECT member, bytes_max FROM uploads WHERE ?2)
            """, Value(member), .bool(withUnfinished)
        ) { row in (own: row.optionalInt("own") ?? 0, all: row.optionalInt("total") ?? 0) } ?? (0, 0)
    }

    /// Refuses further bytes for which there is no room, and tells those who come near the bound. A file whose upload
    /// is finished counts once: `withUnfinished` is false for it.
    static func require(
        _ bytes: Int64, of member: Identifier, withUnfinished: Bool, _ act: Act
    ) throws(Rejection) {
        let room = try Room.find(act)
        let used = try used(by: member, act, withUnfinished: withUnfinished)
        guard used.own + bytes <= room.member else {
            throw Rejection(
                .tooLarge,
                "Your files may take \(written(room.member)) together. Remove some, or ask an admin for more room.")
        }
        guard used.all + bytes <= room.family else {
            throw Rejection(
                .tooLarge,
                "The family's files may take \(written(room.family)) together. An admin can allow more.")
        }
        try quota.tell(member, before: used.own, after: used.own + bytes, of: room.member, act)
        for admin in try act.admins {
            try familyQuota.tell(admin, before: used.all, after: used.all + bytes, of: room.family, act)
        }
    }

    private static func written(_ bytes: Int64) -> String {
        bytes >= 1 << 30 && bytes % (1 << 30) == 0 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }
}

extension Act {
    /// Puts a file of a member's into the blobs, and answers its name. If there is no room for it, or the folder takes
    /// no file, only this command fails.
    public func putBlob(_ bytes: [UInt8], of member: Identifier) throws(Rejection) -> String {
        try FileRoom.require(Int64(bytes.count), of: member, withUnfinished: false, self)
        let name = try putBlob(bytes)
        try count(name, Int64(bytes.count), of: member)
        return name
    }

    /// Takes over a blob that a worker made of a member's file (``MadeOfFile``). If there is no room for it, it goes with
    /// the command.
    package func take(blob name: String, bytes: Int64, of member: Identifier) throws(Rejection) {
        took(blob: name)
        try FileRoom.require(bytes, of: member, withUnfinished: false, self)
        try count(name, bytes, of: member)
    }

    private func count(_ name: String, _ bytes: Int64, of member: Identifier) throws(Rejection) {
        try run(
            "INSERT INTO kept_files (name, member, bytes) VALUES (?, ?, ?)", .text(name), .id(member), .int(bytes))
        try run(
            """
            INSERT INTO kept_bytes (member, bytes) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes
            """, .id(member), .int(bytes))
    }

    /// Removes a blob when the transaction is on disk.
    public func dropBlob(_ name: String) throws(Rejection) {
        drop(blob: name)
        try run(
            """
            UPDATE kept_bytes SET bytes = kept_bytes.bytes - f.bytes FROM kept_files f
            WHERE f.name = ? AND f.member = kept_bytes.member
            """, .text(name))
        try run("DELETE FROM kept_files WHERE name = ?", .text(name))
        try run("DELETE FROM kept_bytes WHERE bytes = 0")
    }
}
