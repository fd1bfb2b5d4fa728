/// Why a page that is read again and again could not be read; each area has its own words, and these among them.
package protocol OutsideTrouble: Sendable {
    /// There is nothing at the address.
    static var gone: Self { get }
    /// It is shown to nobody who asks so.
    static var closed: Self { get }
    /// The machine answers, but with no page.
    static var failing: Self { get }
    static var unreachable: Self { get }
    static var slow: Self { get }
    static var untrusted: Self { get }
    static var tooLarge: Self { get }
    static var refused: Self { get }
    static var redirected: Self { get }
}

extension OutsideTrouble {
    /// `nil` where it is nobody's.
    fileprivate static func of(_ kind: OutsideFailure.Kind) -> Self? {
        switch kind {
        case .refused: refused
        case .redirected: redirected
        case .unreachable: unreachable
        case .slow: slow
        case .untrusted: untrusted
        case .tooLarge: tooLarge
        case .notUnderstood: failing
        case .later: nil
        }
    }

    fileprivate static func of(status: Int) -> Self {
        switch status {
        case 404, 410: gone
        case 401, 403: closed
        default: failing
        }
    }
}

/// What came of reading a page outside again.
package enum OutsideReading<Trouble: OutsideTrouble>: Sendable {
    /// Nothing has changed since the page of the look's validators.
    case same
    case page(OutsidePage)
    case failed(Trouble, retryAfter: Int64?)
    /// Nobody asked: too much was asked at once.
    case crowded
}

extension OutsideLook {
    /// Reads the page, and says in the area's words why that failed.
    package func read<Trouble>(at place: borrowing Workplace) -> OutsideReading<Trouble> {
        guard let outside = place.outside else { return .failed(.unreachable, retryAfter: nil) }
        switch outside.look(self) {
        case .unchanged: return .same
        case .failed(let failure): return Trouble.of(failure.kind).map { .failed($0, retryAfter: nil) } ?? .crowded
        case .shown(let page) where page.status == 200: return .page(page)
        case .shown(let page): return .failed(.of(status: page.status), retryAfter: page.retryAfterSeconds)
        }
    }
}
