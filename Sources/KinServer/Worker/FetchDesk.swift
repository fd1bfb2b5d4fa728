import KinCodec
import KinFetch
import KinKeeper
import KinLoop

/// The daemon's only way out of the house, for the worker that asks there. Every letter goes through ``Fetcher``, which
/// decides whether the host may be asked.
struct FetchDesk: OutsideDesk {
    private let fetcher: Fetcher

    /// Uses the roots that this machine trusts, unless a test says otherwise.
    init(_ fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    func send(_ letter: OutsideLetter) -> OutsideAnswer {
        var policy = FetchPolicy(purpose: letter.purpose)
        policy.isOn = true
        policy.ports = letter.address.hasPrefix("http://") ? [80] : [443]
        // A place within the house is reached only by an admin's word, which names this one machine.
        policy.inside = letter.permitted.compactMap { InsidePlace($0.place, isPlain: $0.isPlain) }
        policy.hosts =
            letter.hosts + letter.inside.compactMap { place in try? "\(FetchURL("https://" + place).origin.host)" }
        policy.limits.totalMilliseconds = letter.milliseconds
        policy.limits.idleMilliseconds = letter.milliseconds
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
}
