import KinModel
import KinStore

/// Uploads: bytes that arrive by themselves and not within a message, for a method that takes one of its parameters as
/// a file. What has arrived outlives its connection and the daemon, until the upload is finished or expires.
///
/// Only doors call these methods (``Method/forGateways()``). A door asks before it takes the first byte, so that no
/// stranger's bytes go to the disk, and again whenever an upload is resumed. Nobody else may know whose upload it is.
package enum Uploads {
    package static let area = Area(
        "Uploads",
        // A restored family has none of the uploads' files.
        tables: [Table("uploads", dated: ["made_at"], ahead: ["ends_at"], givesWayIn: true)] + FileRoom.tables,
        migrations: [
            Migration(
                number: 24, name: "uploads", tables: ["uploads"],
                sql: """
                    CREATE TABLE uploads (
                        id BLOB NOT NULL PRIMARY KEY, member BLOB NOT NULL, file TEXT NOT NULL UNIQUE,
                        method TEXT NOT NULL, params TEXT NOT NULL, length INTEGER, bytes_max INTEGER NOT NULL,
                        made_at INTEGER NOT NULL, ends_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """),
            FileRoom.migration,
        ],
        methods: [begin, find, end, FileRoom.show, FileRoom.set], events: [],
        due: [
            expiry: { (act, about) throws(Rejection) in
                guard let id = Identifier(about) else { return }
                for upload in try Upload.all("id = ?", .id(id), act: act) { try upload.delete(act) }
            }
        ],
        quotas: [FileRoom.quota, FileRoom.familyQuota], sums: [FileRoom.sum],
        blobs: { (database) throws(StoreFailure) in
            try database.rows("SELECT file FROM uploads") { row in row.text(0) }
        },
        life: Area.Life(deleteOwned: { (act, member) throws(Rejection) in
            for upload in try Upload.all("member = ?", .id(member), act: act) { try upload.delete(act) }
        }))

    private static let expiry = "upload"

    private static let bytes = Form.integer(0...Int64.max)

    /// One upload, as its door is told of it.
    private struct Upload: WireRecord {
        let id: Identifier
        let file: String
        let method: String
        let params: String
        let length: Int64?
        let bytesMax: Int64
        let until: Instant

        static let fields = Fields(
            nil, Upload.init(id:file:method:params:length:bytesMax:until:),
            .required("upload", \.id, .id),
            .required("file", \.file, .token(max: 64)),
            .required("method", \.method, .token(max: 64)),
            .required("params", \.params, .text(max: Limits.uploadParamsCharactersMax)),
            .optional("length", \.length, bytes),
            .required("bytesMax", \.bytesMax, bytes),
            .required("until", \.until, .time))

        static let columns = Columns<Upload>(called: ["upload": "id", "until": "ends_at"])

        /// The uploads that match a condition.
        static func all(_ condition: String, _ values: Value..., act: Act) throws(Rejection) -> [Upload] {
            try act.ask { (database) throws(StoreFailure) in
                try database.rows("SELECT \(columns.names) FROM uploads WHERE " + condition, values: values) {
                    (row) throws(StoreFailure) in try columns.read(row)
                }
            }
        }

        /// The caller's own upload.
        static func own(_ params: Params, _ act: Act) throws(Rejection) -> Upload {
            let found = try all(
                "id = ? AND member = ? AND ends_at > ?", .id(try params.id("upload")), .id(try act.member.id),
                .time(act.now), act: act)
            guard let upload = found.first else {
                throw Rejection(.notFound, "There is no such upload, or it is over.", field: "upload")
            }
            return upload
        }

        func delete(_ act: Act) throws(Rejection) {
            try act.run("DELETE FROM uploads WHERE id = ?", .id(id))
            act.drop(blob: file)
        }
    }

    static let begin = Method.command(
        "upload.begin", "Begins an upload.", access: .signedIn,
        [
            .required("method", .token(max: 64), "What it is for."),
            .required("params", .any, "An object: that method's other parameters."),
            .optional("length", bytes.shape, "Bytes, where that is known."),
            .optional("isOnce", .bool, "Its client cannot go on with it: it ends in minutes."),
            .optional("repeatOf", .token(max: 64), "The op of the method's call, if the client says it already."),
        ],
        result: Upload.shape, events: [],
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
            let others = try others(params)
            try judge(method, others, params, act)
            try makeRoom(for: length ?? bytesMax, of: member.id, act)
            let seconds = params["isOnce"]?.bool ?? false ? Limits.uploadOnceSeconds : Limits.uploadSeconds
            let (id, until) = (act.newIdentifier(), act.now.adding(seconds: seconds))
            let upload = Upload(
                id: id, file: Blobs.unfinishedName(act.randomBytes(16)), method: name,
                params: JSON.object(others).text, length: length, bytesMax: length ?? bytesMax, until: until)
            try act.run(
                """
                INSERT INTO uploads (\(Upload.columns.names), member, made_at)
                VALUES (\(Upload.columns.placeholders), ?, ?)
                """, values: Upload.columns.values(of: upload) + [.id(member.id), .time(act.now)])
            try act.plan(expiry, about: id.description, at: until)
            act.store.removeUnlessCommitted(blob: upload.file)
            do throws(StoreFailure) { try act.store.blobs.begin(unfinished: upload.file) } catch {
                throw Rejection(.unavailable, error.sentence, retryAfter: 60)
            }
            return .done(upload.json)
        }
    ).forGateways()

    /// Refuses an upload that its method would refuse, whatever the file is. A repeat of a call that was carried out is
    /// answered once its file is here, though it would be refused as a new one.
    private static func judge(
        _ method: Method, _ others: JSON.Object, _ params: Params, _ act: Act
    ) throws(Rejection) {
        guard let mayBegin = method.mayBegin else { return }
        if let op = params.optionalString("repeatOf"), try act.remembers(op: op) { return }
        try mayBegin(act, Params(others))
    }

    /// The other parameters of the method that the file is for.
    private static func others(_ params: Params) throws(Rejection) -> JSON.Object {
        guard let others = params["params"]?.object else {
            throw Rejection(.params, "params is an object.", field: "params")
        }
        guard JSON.object(others).text.count <= Limits.uploadParamsCharactersMax else {
            throw Rejection(
                .tooLarge, "The parameters may have \(Limits.uploadParamsCharactersMax) characters.", field: "params")
        }
        return others
    }

    /// Refuses an upload that would be one too many, or for which there is no room.
    private static func makeRoom(for bytes: Int64, of member: Identifier, _ act: Act) throws(Rejection) {
        let count = try act.first("SELECT count(*) FROM uploads WHERE member = ?", .id(member)) { row in row.int(0) }
        guard count ?? 0 < Limits.uploadsPerMemberMax else {
            throw Rejection(
                .slowDown, "Too many uploads of yours are not finished; finish or cancel one.", retryAfter: 60)
        }
        try FileRoom.require(bytes, of: member, withUnfinished: true, act)
    }

    static let find = Method.query(
        "upload.find", "An upload of the caller's that is not over.", access: .signedIn, [.required("upload", .id)],
        result: Upload.shape, apply: { (act, params) throws(Rejection) in .done(try Upload.own(params, act).json) }
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
