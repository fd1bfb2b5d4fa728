import KinKeeper
import KinModel

extension Track {
    /// Where the next page goes on: a time the viewer knows, and how many of that time were on pages before. It tells
    /// nothing that the positions do not. The time is a position's, or when the viewer's sight became what it was then.
    struct PageKey: Equatable {
        let at: Instant
        let skip: Int

        init(at: Instant, skip: Int) {
            self.at = at
            self.skip = skip
        }

        init?(_ text: String) {
            let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
            guard numbers.count == 2, let at = numbers[0], let skip = numbers[1].flatMap({ Int(exactly: $0) }),
                skip >= 0, (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(at)
            else { return nil }
            self.init(at: Instant(milliseconds: at), skip: skip)
        }

        var text: String { "\(at.milliseconds).\(skip)" }
    }

    /// A page of a member's history for somebody else, as it is gathered.
    ///
    /// Points that are not seen cost time as well, and there may be any number of them. So a page takes several turns of
    /// the keeper where it has to, and ends only where it is full or the history is over: every page but the last goes
    /// on, and neither how many there are nor a mark tells anybody of what is not shown.
    struct Page: Sendable {
        /// Points looked at in one turn at most, seen or not.
        static let lookedAtPerTurnMax = 20_000

        // Fixed at birth.
        let mark: PageKey?
        private let limit: Int

        // Lives across turns.
        private(set) var positions: [Position] = []
        /// Where the next page goes on; `nil` when there is none.
        private(set) var next: PageKey?
        private var ofLastMoment = 0
        private var lastMoment: Instant?
        /// The version by whose rules all of this was judged.
        private var version: Int64?
        /// The stretch it is in, by the last of its versions, and the last row of it that was looked at.
        private var stretch: Int64 = 0
        private(set) var place: RowKey?

        // Changes within a turn.
        private var looked = 0
        private(set) var isTired = false

        init(after mark: PageKey?, limit: Int) {
            self.mark = mark
            self.limit = limit
        }

        var isFull: Bool { next != nil }

        /// Another turn. What was gathered by other rules than those of now is gathered anew.
        mutating func beginTurn(by version: Int64?) {
            if version != self.version {
                self = Page(after: mark, limit: limit)
                self.version = version
            }
            looked = 0
            isTired = false
        }

        /// Whether a stretch is still to be looked at; from here on it is.
        mutating func enters(_ versions: ClosedRange<Int64>) -> Bool {
            guard versions.upperBound >= stretch else { return false }
            if versions.upperBound > stretch {
                stretch = versions.upperBound
                place = nil
            }
            return true
        }

        /// Whether this turn may look at one more row, which is at that place of its stretch.
        mutating func looks(at place: RowKey) -> Bool {
            guard looked < Self.lookedAtPerTurnMax else {
                isTired = true
                return false
            }
            looked += 1
            self.place = place
            return true
        }

        /// Takes one that is seen, in the order of `at`; false when the page is full.
        mutating func take(_ position: Position, at: Instant) -> Bool {
            if at != lastMoment {
                lastMoment = at
                ofLastMoment = 0
            }
            if let mark, at == mark.at, ofLastMoment < mark.skip {
                ofLastMoment += 1
                return true
            }
            guard positions.count < limit else {
                next = PageKey(at: at, skip: ofLastMoment)
                return false
            }
            ofLastMoment += 1
            positions.append(position)
            return true
        }
    }
}
