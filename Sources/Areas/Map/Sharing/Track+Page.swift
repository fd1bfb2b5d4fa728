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
    /// Invisible points take time as well, and there may be any number of them. So a page takes several passes of a
    /// long read where it must, and ends only when it is full or the history is over. Every page but the last has a
    /// next one. Neither the number of pages nor their borders tell anything about invisible points.
    struct Page: Sendable {
        /// Points looked at in one stride at most, seen or not; behind each a pass may end.
        static let lookedAtPerStrideMax = 20_000

        // Fixed at birth.
        let after: PageKey?
        private let limit: Int

        // Lives across strides.
        private(set) var positions: [Position] = []
        /// Where the next page goes on; `nil` when there is none.
        private(set) var next: PageKey?
        private var ofLastMoment = 0
        private var lastMoment: Instant?
        /// The stretch it is in, by the last of its versions, and the last row of it that was looked at.
        private var stretch: Int64 = 0
        private(set) var place: RowKey?

        // Changes within a stride.
        private var looked = 0
        private(set) var isTired = false

        init(after: PageKey?, limit: Int) {
            self.after = after
            self.limit = limit
        }

        var isFull: Bool { next != nil }

        /// Another stride.
        mutating func beginStride() {
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

        /// Whether this stride may look at one more row, which is at that place of its stretch.
        mutating func looks(at place: RowKey) -> Bool {
            guard looked < Self.lookedAtPerStrideMax else {
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
            if let after, at == after.at, ofLastMoment < after.skip {
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
