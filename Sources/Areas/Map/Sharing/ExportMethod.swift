import KinKeeper
import KinModel
import KinStore

extension Map {
    static let export = Method.longRead(
        "position.export", "A member's history as a file, GPX 1.1 or GeoJSON, oldest first.", access: .signedIn,
        note: """
            The same points that position.history shows the caller, and as much of each. Who is shown places' names or home \
            only has no coordinates to take out: 1403. It is written down for the member as an export (sharing.looks). \
            Over HTTP it is the file; elsewhere it comes in pieces, whose texts one after the other are the file.
            """,
        [
            .required("member", .id), .required("format", .oneOf(TrackFormat.allCases.map(\.rawValue))),
            .optional("from", .time, "No earlier; all that is kept when left out."),
            .optional("to", .time, "No later; now when left out."),
            .optional(
                "after", .token(max: Limits.exportMarkBytesMax), "next of the piece before, for the piece after it."),
        ],
        result: .object([
            .required("text", .text(max: Limits.exportPieceCharactersMax), "The next piece of the file."),
            .required("positions", .integer(0...Int64(Limits.exportPositionsPerPiece)), "How many are in it."),
            .optional("next", .token(max: Limits.exportMarkBytesMax), "To be given as after; left out with the last."),
        ]),
        route: Route("GET", "/api/positions/{member}/export"),
        admit: { (act, params, before: TrackAsked?) throws(Rejection) in try TrackAsked(params, before, act) },
        begin: { (_) in TrackFound() },
        read: { (database, asked, found, time) throws(StoreFailure) in
            try found.goOn(asked, time, database)
        },
        answer: { (act, params, question, page) throws(Rejection) in
            let (asked, from, to, mark) = (question.member, question.from, question.to, question.mark)
            try Looks.noteHistory(.export, of: asked, from: from, to: to, isFurther: mark != nil, act)
            // Whom only a rule shows to a guest has no name there.
            let member = try act.ask { (database) throws(StoreFailure) in try People.member(asked, database) }
            let name = member.flatMap { act.sight?.contains($0.household) ?? false ? $0.displayName : nil } ?? ""
            var last = mark?.last
            let text = question.format.piece(
                page.positions, of: name, after: &last, isFirst: mark == nil,
                isLast: page.next == nil)
            let next = page.next.map { TrackKey(to: to, last: last, place: $0).text }
            return .done(
                .null,
                effect: .piece(
                    FilePiece(
                        bytes: Array(text.utf8), count: page.positions.count, of: "positions", next: next,
                        mediaType: question.format.mediaType,
                        fileName: "positions.\(question.format.rawValue)")))
        }
    ).answering(TrackFormat.allCases.map(\.mediaType)).forOwnWord()
}

/// Which piece of a history is asked for, and everything that says how much of it the caller sees.
struct TrackAsked: Sendable, Equatable {
    let member: Identifier
    /// What is kept of the member, if anything.
    let sharing: MemberSharing?
    /// Who sees it, where that is somebody else.
    let viewer: Int32?
    let format: TrackFormat
    let from: Instant
    let to: Instant
    /// When it was asked.
    let at: Instant
    /// Where the piece before ended, and as the history's pages have it.
    let mark: TrackKey?
    let seenAfter: Track.PageKey?
    let ownAfter: Track.RowKey?

    /// Judges a question; one that is judged again ends when it did.
    init(_ params: Params, _ before: TrackAsked?, _ act: Act) throws(Rejection) {
        let caller = try act.member
        let asked = try params.id("member")
        let shown = try Map.shown(asked, to: caller, act)
        if let shown, shown.viewers.historyPrecision(for: caller.number) < .coarse {
            throw Rejection(
                .forbidden,
                "This member shows you the names of places or home only: there are no coordinates to take out.",
                field: "member")
        }
        guard let format = TrackFormat(rawValue: try params.string("format")) else {
            throw Rejection(.invalid, "format must be gpx or geojson.", field: "format")
        }
        self.format = format
        mark = try params.optionalString("after").map { (text) throws(Rejection) in
            try Map.read(TrackKey(text, of: asked))
        }
        at = before?.at ?? act.now
        from = params.optionalTime("from") ?? Point.atEarliest
        to = params.optionalTime("to") ?? mark?.to ?? at
        guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
        member = asked
        viewer = shown == nil ? nil : caller.number
        if let shown {
            sharing = shown
            seenAfter = try mark.map { (mark) throws(Rejection) in try Map.read(Track.PageKey(mark.place)) }
            ownAfter = nil
        } else {
            sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, asked) }
            seenAfter = nil
            ownAfter = try mark.map { (mark) throws(Rejection) in try Map.read(Track.RowKey(mark.place)) }
        }
    }
}

/// What was found of it.
struct TrackFound: Sendable {
    /// What somebody else sees, as it is gathered.
    private var seen: Track.Page?
    private(set) var positions: [Position] = []
    /// Where the next piece goes on.
    private(set) var next: String?

    /// Goes on for a pass; answers whether the piece is whole.
    mutating func goOn(_ asked: TrackAsked, _ time: ReadTime, _ database: Database) throws(StoreFailure) -> Bool {
        let limit = Limits.exportPositionsPerPiece
        guard let viewer = asked.viewer, let sharing = asked.sharing else {
            let page = try Track.page(
                of: asked.sharing, from: asked.from, to: asked.to, after: asked.ownAfter, limit: Int64(limit),
                now: asked.at, database)
            (positions, next) = (page.positions, page.hasMore ? page.last?.text : nil)
            return true
        }
        var page = seen ?? Track.Page(after: asked.seenAfter, limit: limit)
        while true {
            let isWhole = try Track.gather(
                &page, of: sharing, for: viewer, from: asked.from, to: asked.to, now: asked.at, database)
            if isWhole {
                (positions, next) = (page.positions, page.next?.text)
                return true
            }
            guard !time.isOver else { break }
        }
        seen = page
        return false
    }
}
