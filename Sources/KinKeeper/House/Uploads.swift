import KinModel
import KinStore

/// Bytes that arrive by themselves and not within a message, for a method one parameter of which may come as a file. What
/// has arrived outlives its connection and the daemon, until the upload is over or its time is.
///
/// A door asks for all of this (``Method/forGateways()``): before the first byte is taken, so that nothing of strangers
/// goes to the disk, and again whenever an upload goes on. Whose upload it is nobody else may know.
package enum Uploads {
    package static let area = Area(
        "Uploads",
        // A restored family has none of the files.
        tables: [Table("uploads", dated: ["made_at"], ahead: ["ends_at"], givesWayIn: true)],
        migrations: [
            Migration(
                number: 24, name: "uploads", tables: ["uploads"],
                sql: """
                    CREATE TABLE uploads (
                        id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL, file TEXT NOT NULL UNIQUE,
                        method TEXT NOT NULL, params TEXT NOT NULL, length INTEGER, bytes_max INTEGER NOT NULL,
                        made_at INTEGER NOT NULL, ends_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        ],
        methods: [begin, find, end], events: [],
        due: [
            expiry: { (act, about) throws(Rejection) in
                guard let id = Identifier(about), let upload = try Upload.find(id, act) else { return }
                try upload.delete(act)
            }
        ],
        blobs: { (database) throws(StoreFailure) in
            try database.rows("SELECT file FROM uploads") { row in row.text(0) }
        },
        life: Area.Life(deleteOwned: { (act, member) throws(Rejection) in
            for upload in try Upload.all(of: member, act) { try upload.delete(act) }
        }))

    private static let expiry = "upload"

    /// One of them.
    private struct Upload {
        let id: Identifier
        let member: Identifier
        let file: String
        let method: String
        let params: String
        let length: Int64?
        let bytesMax: Int64
        let endsAt: Instant

        static let columns = "id, member, file, method, params, length, bytes_max, ends_at"

        init(_ row: borrowing Row) throws(StoreFailure) {
            id = row.identifier(0)
            member = row.identifier(1)
            file = row.text(2)
            method = row.text(3)
            params = row.text(4)
            length = row.optionalInt(5)
            bytesMax = row.int(6)
            endsAt = row.instant(7)
        }

        static func find(_ id: Identifier, _ act: Act) throws(Rejection) -> Upload? {
            try act.first("SELECT \(columns) FROM uploads WHERE id = ?", .id(id)) { (row) throws(StoreFailure) in
                try Upload(row)
            }
        }

        static func all(of member: Identifier, _ act: Act) throws(Rejection) -> [Upload] {
            try act.rows("SELECT \(columns) FROM uploads WHERE member = ?", .id(member)) { (row) throws(StoreFailure) in
                try Upload(row)
            }
        }

        /// The caller's own.
        static func own(_ params: Params, _ act: Act) throws(Rejection) -> Upload {
            let id = try params.id("upload")
            guard let upload = try find(id, act), try act.member.id == upload.member, upload.endsAt > act.now else {
                throw Rejection(.notFound, "There is no such upload, or it is over.", field: "upload")
            }
            return upload
        }

        func delete(_ act: Act) throws(Rejection) {
            try act.run("DELETE FROM uploads WHERE id = ?", .id(id))
            act.dropBlob(file)
        }

        var json: JSON {
            .object(leavingOut: [
                "upload": .id(id), "file": .string(file), "method": .string(method), "params": .string(params),
                "length": length.map { .int($0) }, "bytesMax": .int(bytesMax), "until": .time(endsAt),
            ])
        }
    }

    private static let shape = Shape.object([
        .required("upload", .id), .required("file", .token(max: 64)), .required("method", .token(max: 64)),
        .required("params", .text(max: Limits.uploadParamsCharactersMax)), .optional("length", bytes),
        .required("bytesMax", bytes), .required("until", .time),
    ])
    private static let bytes = Shape.integer(0...Int64.max)

    static let begin = Method.command(
        "upload.begin", "Begins an upload.", access: .signedIn,
        [
            .required("method", .token(max: 64), "What it is for."),
            .required(
                "params", .text(max: Limits.uploadParamsCharactersMax), "That method's other parameters, as JSON."),
            .optional("length", bytes, "Bytes, where that is known."),
            .optional("isOnce", .bool, "Its client cannot go on with it: it ends in minutes."),
        ],
        result: shape, events: [],
        apply: { (act, params) throws(Rejection) in
            let (member, name) = (try act.member, try params.string("method"))
            guard let method = act.registry.methods[name], let place = method.parcel,
                method.access.contains(act.caller.access)
            else { throw Rejection(.forbidden, "\(Text.quoted(name)) takes no upload of yours.") }
            let bytesMax = Int64(place.charactersMax / 4 * 3)
            let length = params.optionalInt("length")
            if let length, length > bytesMax {
                throw Rejection(.tooLarge, "An upload for \(name) may have \(bytesMax) bytes.", field: "length")
            }
            try makeRoom(for: length ?? bytesMax, of: member.id, act)
            let seconds = params["isOnce"]?.bool ?? false ? Limits.uploadOnceSeconds : Limits.uploadSeconds
            let (id, until) = (act.newIdentifier(), act.now.adding(seconds: seconds))
            try act.run(
                """
                INSERT INTO uploads (id, member, file, method, params, length, bytes_max, made_at, ends_at)
                VALUES (?,?,?,?,?,?,?,?,?)
                """, .id(id), .id(member.id), .text(Blobs.unfinishedName(act.randomBytes(16))), .text(name),
                .text(try params.string("params")), Value(length), .int(length ?? bytesMax), .time(act.now),
                .time(until))
            try act.plan(expiry, about: id.description, at: until)
            guard let upload = try Upload.find(id, act) else { throw Rejection(.unavailable, "It did not begin.") }
            act.store.removeUnlessCommitted(blob: upload.file)
            do throws(StoreFailure) { try act.store.blobs.begin(unfinished: upload.file) } catch {
                throw Rejection(.unavailable, error.sentence, retryAfter: 60)
            }
            return .done(upload.json)
        }
    ).forGateways()

    /// Refuses what would be too much of one member's, or of all.
    private static func makeRoom(for bytes: Int64, of member: Identifier, _ act: Act) throws(Rejection) {
        let (count, own, all) =
            try act.first(
                "SELECT sum(member = ?1), sum(iif(member = ?1, bytes_max, 0)), sum(bytes_max) FROM uploads",
                .id(member)
            ) { row in (row.optionalInt(0) ?? 0, row.optionalInt(1) ?? 0, row.optionalInt(2) ?? 0) } ?? (0, 0, 0)
        guard count < Limits.uploadsPerMemberMax, own + bytes <= Limits.uploadBytesPerMemberMax else {
            throw Rejection(
                .slowDown, "Too many uploads of yours are not finished; finish or cancel one.", retryAfter: 60)
        }
        guard all + bytes <= Limits.uploadBytesMax else {
            throw Rejection(.unavailable, "Too many uploads of the family are not finished; try again.", retryAfter: 60)
        }
    }

    static let find = Method.query(
        "upload.find", "An upload of the caller's that is not over.", access: .signedIn, [.required("upload", .id)],
        result: shape, apply: { (act, params) throws(Rejection) in .done(try Upload.own(params, act).json) }
    ).forGateways()

    static let end = Method.command(
        "upload.end", "An upload is over: what has arrived of it goes.", access: .signedIn,
        [.required("upload", .id)], result: .object([]), events: [],
        apply: { (act, params) throws(Rejection) in
            try Upload.own(params, act).delete(act)
            return .done([:])
        }
    ).freeingRoom().forGateways()
}
