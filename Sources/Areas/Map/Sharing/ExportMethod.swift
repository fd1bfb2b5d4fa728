import KinKeeper
import KinModel
import KinStore

extension Map {
    static let export = Method.query(
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
        route: Route("GET", "/api/positions/{member}/export"), isSlow: true,
        apply: { (act, params) throws(Rejection) in
            let caller = try act.member
            let asked = try params.id("member")
            let consent = try shown(asked, to: caller, act)
            if let consent, consent.viewers.historyPrecision(for: caller.number) < .coarse {
                throw Rejection(
                    .forbidden,
                    "This member shows you the names of places or home only: there are no coordinates to take out.",
                    field: "member")
            }
            guard let format = TrackFormat(rawValue: try params.string("format")) else {
                throw Rejection(.invalid, "format must be gpx or geojson.", field: "format")
            }
            let mark = try params.optionalString("after").map { (text) throws(Rejection) in
                try read(TrackMark(text, of: asked))
            }
            let from = params.optionalTime("from") ?? Point.atEarliest
            let to = params.optionalTime("to") ?? mark?.to ?? act.now
            guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
            let page: (positions: [Position], next: String?)
            if let consent {
                let place = try mark.map { (mark) throws(Rejection) in try read(Track.Mark(mark.place)) }
                var seen =
                    act.carried as? Track.Page ?? Track.Page(after: place, limit: Limits.exportPositionsPerPiece)
                guard try Track.gather(&seen, of: consent, for: caller.number, from: from, to: to, act) else {
                    return .later(.rest(after: 0, carrying: seen))
                }
                page = (seen.positions, seen.next?.text)
            } else {
                page = try ownPage(of: asked, from: from, to: to, after: mark?.place, act)
            }
            try Looks.noteHistory(.export, of: asked, from: from, to: to, isFurther: mark != nil, act)
            // Whom only a rule shows to a guest has no name there.
            let member = try act.ask { (database) throws(StoreFailure) in try People.member(asked, database) }
            let name = member.flatMap { act.sight?.contains($0.household) ?? false ? $0.displayName : nil } ?? ""
            var last = mark?.last
            let text = format.piece(
                page.positions, of: name, after: &last, isFirst: mark == nil,
                isLast: page.next == nil)
            let next = page.next.map { TrackMark(to: to, last: last, place: $0).text }
            return .done(
                .null,
                effect: .piece(
                    FilePiece(
                        bytes: Array(text.utf8), positions: page.positions.count, next: next,
                        mediaType: format.mediaType, fileName: "positions.\(format.rawValue)")))
        }
    ).answering(TrackFormat.allCases.map(\.mediaType)).forOwnWord()

    private static func ownPage(
        of member: Identifier, from: Instant, to: Instant, after place: String?, _ act: Act
    ) throws(Rejection) -> (positions: [Position], next: String?) {
        let place = try place.map { (text) throws(Rejection) in try read(Track.Place(text)) }
        let page = try Track.page(
            of: member, from: from, to: to, after: place, limit: Int64(Limits.exportPositionsPerPiece), act)
        return (page.positions, page.hasMore ? page.last?.text : nil)
    }
}
