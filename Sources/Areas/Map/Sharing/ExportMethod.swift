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
                "after", .token(max: Limits.exportNextBytesMax), "next of the piece before, for the piece after it."),
        ],
        result: .object([
            .required("text", .text(max: Limits.exportPieceCharactersMax), "The next piece of the file."),
            .required("positions", .integer(0...Int64(Limits.exportPositionsPerPiece)), "How many are in it."),
            .optional("next", .token(max: Limits.exportNextBytesMax), "To be given as after; left out with the last."),
        ]),
        route: Route("GET", "/api/positions/{member}/export"),
        admit: { (act, params, before: TrackAsked?) throws(Rejection) in
            let asked = try params.id("member")
            let shown = try shown(asked, to: try act.member, act)
            if let shown, shown.viewers.historyPrecision(for: try act.member.number) < .coarse {
                throw Rejection(
                    .forbidden,
                    "This member shows you the names of places or home only: there are no coordinates to take out.",
                    field: "member")
            }
            let after = try key(params, of: asked)
            // An export that is judged again keeps its end.
            let at = before?.at ?? act.now
            return try TrackAsked(
                asked, shown, from: params.optionalTime("from") ?? Point.atEarliest,
                to: params.optionalTime("to") ?? after?.to ?? at, after: after?.place,
                limit: Limits.exportPositionsPerPiece, at: at, act)
        },
        begin: { (_) in TrackFound() },
        read: { (database, asked, found, time) throws(StoreFailure) in
            try found.goOn(asked, time, database)
        },
        answer: { (act, params, question, page) throws(Rejection) in
            let (asked, from, to) = (question.member, question.from, question.to)
            let after = try key(params, of: asked)
            guard let format = TrackFormat(rawValue: try params.string("format")) else {
                preconditionFailure("the shape of format was checked")
            }
            try Looks.noteHistory(.export, of: asked, from: from, to: to, isFurther: after != nil, act)
            // A member whom a guest sees only by a rule has no name there.
            let member = try act.ask { (database) throws(StoreFailure) in try People.member(asked, database) }
            let name = member.flatMap { act.sight?.contains($0.household) ?? false ? $0.displayName : nil } ?? ""
            var last = after?.last
            let text = format.piece(
                page.positions, of: name, after: &last, isFirst: after == nil, isLast: page.next == nil)
            let next = page.next.map { TrackKey(to: to, last: last, place: $0).text }
            return .done(
                .null,
                effect: .piece(
                    FilePiece(
                        bytes: Array(text.utf8), count: page.positions.count, of: "positions", next: next,
                        mediaType: format.mediaType, fileName: "positions.\(format.rawValue)",
                        state: page.state.map { "\(name) \(format.rawValue) \($0)" })))
        }
    ).answering(TrackFormat.allCases.map(\.mediaType)).forOwnWord()

    /// Where the piece before ended.
    private static func key(_ params: Params, of asked: Identifier) throws(Rejection) -> TrackKey? {
        try params.optionalString("after").map { (text) throws(Rejection) in try read(TrackKey(text, of: asked)) }
    }
}
