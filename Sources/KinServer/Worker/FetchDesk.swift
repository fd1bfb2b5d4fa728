import KinCodec
import KinFetch
import KinKeeper
import KinLoop

/// The daemon's only way out of the house, for the worker that asks there. Everything goes through ``Fetcher``, which
/// decides whether the host may be asked.
struct FetchDesk: OutsideDesk {
    private let fetcher: Fetcher

    /// Uses the roots that this machine trusts and keeps nothing, unless a test says otherwise.
    init(_ fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    /// Keeps what it looked at in a folder of the data directory; nothing where that cannot be.
    init(keepingIn directory: String) {
        self.init(
            Fetcher(
                cache: try? FetchCache(
                    folder: directory + "/outside", bytesMax: Self.keptBytesMax, daysMax: FetchLimits().keptDaysMax)))
    }

    private static let keptBytesMax = 128 << 20

    func send(_ letter: OutsideLetter) -> OutsideAnswer {
        var policy = Self.policy(letter.purpose, letter.address, letter.permitted, letter.milliseconds)
        policy.hosts =
            letter.hosts + letter.inside.compactMap { place in try? "\(FetchURL("https://" + place).origin.host)" }
        // Push services answer nothing, or a sentence.
        policy.limits.bodyBytesMax = 64 << 10
        do throws(FetchFailure) {
            var headers: HTTPHeaders = [:]
            for field in letter.headers { headers.append(field.name, field.value) }
            let request = FetchRequest(
                try FetchURL(letter.address), method: .post(letter.content), headers: headers)
            let answer = try fetcher.fetch(request, by: policy)
            return .answered(
                status: answer.status, retryAfterSeconds: answer.headers["Retry-After"].flatMap { Int64($0) })
        } catch { return .failed(error.sentence) }
    }

    func look(_ look: OutsideLook) -> OutsideSight {
        var policy = Self.policy(look.purpose, look.address, look.permitted, look.milliseconds)
        policy.hosts = look.hosts
        policy.limits.bodyBytesMax = look.bytesMax
        policy.limits.asksOfHostMax = look.perMinute
        policy.limits.asksOfHostPerMinute = look.perMinute
        do throws(FetchFailure) {
            var request = FetchRequest(try FetchURL(look.address), headers: ["Accept": look.accept])
            if look.isPrivate {
                request.keeping = .caller(look.validators.flatMap { FetchValidators($0) })
            } else {
                request.takesStale = true
            }
            let answer = try fetcher.fetch(request, by: policy)
            guard answer.status != 304 || look.validators == nil else { return .unchanged }
            return .shown(
                OutsidePage(
                    status: answer.status, content: answer.body, validators: FetchValidators(answer)?.text,
                    retryAfterSeconds: answer.headers["Retry-After"].flatMap { Int64($0) },
                    freshSeconds: answer.freshSeconds))
        } catch { return .failed(OutsideFailure(error.kind, error.sentence)) }
    }

    /// The policy for a place. A machine within the house is reached only by an admin's word, which names this one
    /// machine.
    static func policy(
        _ purpose: String, _ address: String, _ permitted: [OutsideHost], _ milliseconds: Int
    ) -> FetchPolicy {
        var policy = FetchPolicy(purpose: purpose)
        policy.isOn = true
        // A machine that is asked in clear may lead to its own https.
        policy.ports = address.hasPrefix("http://") ? [80, 443] : [443]
        policy.inside = permitted.compactMap { InsidePlace($0.place, isPlain: $0.isPlain) }
        policy.limits.totalMilliseconds = milliseconds
        policy.limits.idleMilliseconds = milliseconds
        return policy
    }
}

extension FetchFailure {
    /// The sort of failure, as areas tell it apart.
    fileprivate var kind: OutsideFailure.Kind {
        switch self {
        case .off, .badRequest, .refused: .refused
        case .redirectRefused: .redirected
        case .unreachable: .unreachable
        case .timedOut: .slow
        case .untrusted: .untrusted
        case .tooLarge: .tooLarge
        case .notUnderstood: .notUnderstood
        case .tooOften, .busy: .later
        }
    }
}
