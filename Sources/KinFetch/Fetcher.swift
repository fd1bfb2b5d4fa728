import KinCodec
public import KinLoop
import Synchronization

/// The one way out of the daemon: asks machines outside, for the daemon's worker threads.
///
/// Each request waits, at most as long as its policy says; never call it on the loop or the keeper. Any thread may
/// call. It repeats nothing by itself: the caller decides whether and when.
public final class Fetcher: Sendable {
    /// Who certifies the machines that are asked.
    public enum Trust: Sendable, Hashable {
        /// What this machine trusts.
        case system
        /// The PEM certificates in this file.
        case file(String)
    }

    /// Looks a name up: its addresses, in the order they are to be tried. Asked once for each connection.
    public typealias Names =
        @Sendable (_ name: String, _ timeoutMilliseconds: Int) throws(LoopFailure) -> [IPAddress]

    private let trust: Trust
    private let cache: FetchCache?
    private let time: any TimeSource
    private let names: Names
    private let ownNetworks: @Sendable () throws(LoopFailure) -> [CIDR]
    private let rates = Mutex(RateTable())
    private let asking = Mutex(0)

    /// - Parameters:
    ///   - cache: `nil` keeps nothing.
    ///   - names: By the system unless given.
    ///   - ownNetworks: Asked before each connection, since networks come and go.
    public init(
        trust: Trust = .system, cache: FetchCache? = nil, time: any TimeSource = SystemTime(), names: Names? = nil,
        ownNetworks: @escaping @Sendable () throws(LoopFailure) -> [CIDR] = { () throws(LoopFailure) in
            try Machine.localNetworks()
        }
    ) {
        self.trust = trust
        self.cache = cache
        self.time = time
        self.ownNetworks = ownNetworks
        if let names {
            self.names = names
        } else {
            let lookup = NameLookup()
            self.names = { (name, milliseconds) throws(LoopFailure) in
                try lookup.addresses(of: name, timeoutMilliseconds: milliseconds)
            }
        }
    }

    /// Asks, follows redirects, and gives what came: any final status. Waits.
    public func fetch(_ request: FetchRequest, by policy: FetchPolicy) throws(FetchFailure) -> FetchAnswer {
        guard policy.isOn else { throw .off(purpose: policy.purpose) }
        try request.check(policy.limits)
        let mayAsk = asking.withLock { count in
            guard count < policy.limits.askingMax else { return false }
            count += 1
            return true
        }
        guard mayAsk else { throw .busy }
        defer { asking.withLock { $0 -= 1 } }
        let deadline = Deadline(afterMilliseconds: policy.limits.totalMilliseconds)
        var request = request
        var isFromOutside = false
        for _ in 0...max(0, policy.limits.redirectsMax) {
            switch try ask(request, by: policy, fromOutside: isFromOutside, until: deadline) {
            case .final(let answer): return answer
            case .redirect(let reference, let wasInside):
                let next = try Self.next(request.url, reference)
                if next.origin != request.url.origin {
                    request.headers = request.harmlessHeaders
                    if !wasInside { isFromOutside = true }
                }
                request.url = next
            }
        }
        throw .redirectRefused(
            "\(request.url.origin.host) redirects again and again; check the address.")
    }

    /// Whether an answer leads elsewhere (RFC 9110 §15.4).
    static func isRedirect(_ head: HTTPResponseHead) -> Bool { [301, 302, 303, 307, 308].contains(head.status) }

    private static func next(_ url: FetchURL, _ reference: String) throws(FetchFailure) -> FetchURL {
        let next: FetchURL
        do throws(FetchFailure) { next = try url.following(reference) } catch {
            throw .redirectRefused("\(url.origin.host) redirects to what is not asked. \(error.sentence)")
        }
        guard next.origin.isEnciphered || !url.origin.isEnciphered else {
            throw .redirectRefused(
                "\(url.origin.host) redirects from https:// to http://, which is not followed: it can be read and changed."
            )
        }
        return next
    }
}

// MARK: One connection

extension Fetcher {
    private enum Hop {
        case final(FetchAnswer)
        case redirect(String, wasInside: Bool)
    }

    /// Asks one address, or gives what is kept of it.
    private func ask(
        _ request: FetchRequest, by policy: FetchPolicy, fromOutside: Bool, until deadline: Deadline
    ) throws(FetchFailure) -> Hop {
        let url = request.url
        try policy.check(url)
        var kept: KeptAnswer?
        if request.method == .get, !request.isPersonal, request.keeping == .cache,
            let found = cache?.answer(url, of: policy.purpose),
            found.body.count <= policy.limits.bodyBytesMax,
            !found.isInside || !fromOutside && policy.mayBeInside(url.origin),
            !found.isOlder(thanDays: policy.limits.keptDaysMax, at: time.wallMilliseconds())
        {
            kept = found
            if found.isFresh(at: time.wallMilliseconds()) { return Self.hop(found, url, .kept) }
        }
        do throws(FetchFailure) {
            // A lookup asks a name server outside: it counts, whatever becomes of it.
            try countAsk(of: url, policy.limits)
            let places = try judged(url, by: policy, fromOutside: fromOutside, until: deadline)
            let wire = try FetchWire(
                to: places, for: url, trust: trust, idleMilliseconds: policy.limits.idleMilliseconds, until: deadline)
            let outcome = try FetchExchange(host: url.origin.host, limits: policy.limits)
                .perform(request, Self.fields(request, kept), over: wire)
            return try take(outcome, request, by: policy, kept, isInside: wire.isInside)
        } catch {
            guard error.isPassing, request.takesStale, let kept, kept.freshness.mayBeStale else { throw error }
            return Self.hop(kept, url, .stale)
        }
    }

    private static func hop(_ kept: KeptAnswer, _ url: FetchURL, _ source: FetchAnswer.Source) -> Hop {
        .final(FetchAnswer(status: 200, headers: kept.headers, body: kept.body, url: url, source: source))
    }

    /// The addresses of the host that may be connected to. Nothing is looked up again after this.
    private func judged(
        _ url: FetchURL, by policy: FetchPolicy, fromOutside: Bool, until deadline: Deadline
    ) throws(FetchFailure) -> [AddressJudge.Permitted] {
        let addresses: [IPAddress]
        switch url.origin.host {
        case .address(let address): addresses = [address]
        case .name(let name):
            do throws(LoopFailure) {
                addresses = try names(
                    name, min(policy.limits.idleMilliseconds, deadline.remainingMilliseconds ?? .max))
            } catch {
                if case .timedOut = error {
                    throw .timedOut("The name server does not answer for \(name); check the internet connection.")
                }
                throw .unreachable("\(name) was not found; check the address and the internet connection.")
            }
        }
        let own: [CIDR]
        do throws(LoopFailure) { own = try ownNetworks() } catch {
            throw .refused("Nothing is asked while this machine's networks are not known: \(error.sentence)")
        }
        return try AddressJudge(ownNetworks: own).judge(addresses, of: url, by: policy, fromOutside: fromOutside)
    }

    private func countAsk(of url: FetchURL, _ limits: FetchLimits) throws(FetchFailure) {
        let host = "\(url.origin.host)"
        let now = time.monotonicNanoseconds()
        let seconds = rates.withLock { rates in
            rates.take(host, most: limits.asksOfHostMax, perMinute: limits.asksOfHostPerMinute, now: now)
                ?? rates.take("", most: limits.asksMax, perMinute: limits.asksPerMinute, now: now)
        }
        if let seconds { throw .tooOften(host: host, retryAfterSeconds: seconds) }
    }

    /// All fields of a request.
    private static func fields(_ request: FetchRequest, _ kept: KeptAnswer?) -> HTTPHeaders {
        var fields: HTTPHeaders = [
            "Host": request.url.origin.authority, "Connection": "close", "Accept-Encoding": "identity",
        ]
        // Says what asks, as keepers of maps and feeds wish, and nothing of the family.
        if request.headers["User-Agent"] == nil { fields.append("User-Agent", "kinwire") }
        for field in request.headers.fields + (kept?.conditions.fields ?? []) { fields.append(field.name, field.value) }
        if case .caller(let validators?) = request.keeping {
            for field in validators.conditions(for: request.url) { fields.append(field.name, field.value) }
        }
        if case .post(let bytes) = request.method { fields.append("Content-Length", "\(bytes.count)") }
        return fields
    }

    /// What an answer comes to, and what of it is kept.
    private func take(
        _ outcome: FetchExchange.Outcome, _ request: FetchRequest, by policy: FetchPolicy, _ kept: KeptAnswer?,
        isInside: Bool
    ) throws(FetchFailure) -> Hop {
        let url = request.url
        let head = outcome.head
        if Self.isRedirect(head) {
            if case .post = request.method {
                throw .redirectRefused("\(url.origin.host) redirects what is sent to it, which is not followed.")
            }
            guard let reference = head.headers["Location"] else {
                throw .notUnderstood("\(url.origin.host) redirects to nowhere; check the address.")
            }
            return .redirect(reference, wasInside: isInside)
        }
        let now = time.wallMilliseconds()
        if head.status == 304, var kept {
            kept.confirm(head.headers, at: now)
            keep(kept, url, of: policy.purpose)
            return Self.hop(kept, url, .confirmed)
        }
        switch request.method {
        case .head: break
        case .get:
            guard !request.isPersonal, request.keeping == .cache else { break }
            let fresh = KeptAnswer(head.headers, body: outcome.body, cameAt: now, isInside: isInside)
            if head.status == 200 { keep(fresh, url, of: policy.purpose) }
            if head.status == 404 || head.status == 410 { cache?.forget(url, of: policy.purpose) }
        // RFC 9111 §4.4: what was sent may have changed what is there.
        case .post: if head.status < 400 { cache?.forget(url, of: policy.purpose) }
        }
        return .final(
            FetchAnswer(status: head.status, headers: head.headers, body: outcome.body, url: url, source: .asked))
    }

    private func keep(_ answer: KeptAnswer, _ url: FetchURL, of purpose: String) {
        if answer.freshness.isStorable {
            cache?.keep(answer, url, of: purpose)
        } else {
            cache?.forget(url, of: purpose)
        }
    }
}
