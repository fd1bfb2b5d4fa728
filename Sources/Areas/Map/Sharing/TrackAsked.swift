import KinKeeper
import KinModel
import KinStore

/// Which page of a history is asked for, and everything that says how much of it the caller sees.
struct TrackAsked: Sendable, Equatable {
    let member: Identifier
    /// What is kept of the member, if anything.
    let sharing: MemberSharing?
    /// Who sees it, where that is somebody else.
    let viewer: Int32?
    let from: Instant
    let to: Instant
    let limit: Int
    /// When it was asked.
    let at: Instant
    /// Where the page before ended, for somebody else and for oneself.
    let seenAfter: Track.PageKey?
    let ownAfter: Track.RowKey?

    /// Judges a question. `shown` is what ``Map/shown(_:to:_:)`` says of the member.
    init(
        _ asked: Identifier, _ shown: MemberSharing?, from: Instant, to: Instant, after: String?, limit: Int,
        at: Instant, _ act: Act
    ) throws(Rejection) {
        guard from <= to else { throw Rejection(.invalid, "to must not be before from.", field: "to") }
        (member, self.from, self.to, self.limit, self.at) = (asked, from, to, limit, at)
        if let shown {
            sharing = shown
            viewer = try act.member.number
            seenAfter = try after.map { (text) throws(Rejection) in try Map.read(Track.PageKey(text)) }
            ownAfter = nil
        } else {
            sharing = try act.ask { (database) throws(StoreFailure) in try MemberSharing.find(database, asked) }
            viewer = nil
            seenAfter = nil
            ownAfter = try after.map { (text) throws(Rejection) in try Map.read(Track.RowKey(text)) }
        }
    }
}

/// What was found of it.
struct TrackFound: Sendable {
    /// What somebody else sees, as it is gathered.
    private var seen: Track.Page?
    private(set) var positions: [Position] = []
    /// Where the next page goes on.
    private(set) var next: String?
    /// The state of the whole history that this page begins, where it is the reader's own and has more pages.
    private(set) var state: String?

    /// Goes on for a pass; answers whether the page is whole.
    mutating func goOn(_ asked: TrackAsked, _ time: ReadTime, _ database: Database) throws(StoreFailure) -> Bool {
        guard let viewer = asked.viewer, let sharing = asked.sharing else {
            let page = try Track.page(
                of: asked.sharing, from: asked.from, to: asked.to, after: asked.ownAfter, limit: Int64(asked.limit),
                now: asked.at, database)
            (positions, next) = (page.positions, page.hasMore ? page.last?.text : nil)
            if page.hasMore, asked.ownAfter == nil, let sharing = asked.sharing {
                state = try Track.state(of: sharing, from: asked.from, to: asked.to, now: asked.at, database)
            }
            return true
        }
        var page = seen ?? Track.Page(after: asked.seenAfter, limit: asked.limit)
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
