import Glibc
import KinFetch
import KinLoop
import Synchronization

/// A clock that stands until it is moved.
final class StandingTime: TimeSource {
    private let milliseconds = Mutex<Int64>(1_790_000_000_000)
    private let passed = Mutex<UInt64>(1_000_000_000)
    let boot = "standing"

    func wallMilliseconds() -> Int64 { milliseconds.withLock { $0 } }
    func monotonicNanoseconds() -> UInt64 { passed.withLock { $0 } }
    func synchronisation() -> Synchronisation { Synchronisation(isNow: true, wasSinceBoot: true) }

    func pass(seconds: Int64) {
        milliseconds.withLock { $0 += seconds * 1000 }
        if seconds > 0 { passed.withLock { $0 += UInt64(seconds) * 1_000_000_000 } }
    }
}

/// A name server that a test holds: each name has a list of answers, the last of which stays.
final class NameServer: Sendable {
    private let answers = Mutex<[String: [[String]]]>([:])
    private let asked = Mutex<[String]>([])

    /// Names in the order they were asked for.
    var questions: [String] { asked.withLock { $0 } }

    func answer(_ name: String, _ addresses: [String]...) { answers.withLock { $0[name] = addresses } }

    func look(up name: String) throws(LoopFailure) -> [IPAddress] {
        asked.withLock { $0.append(name) }
        let next = answers.withLock { answers -> [String]? in
            guard let list = answers[name], let first = list.first else { return nil }
            if list.count > 1 { answers[name] = Array(list.dropFirst()) }
            return first
        }
        guard let next else { throw .unknownHost(name) }
        return next.compactMap { IPAddress($0) }
    }
}

/// A fetcher with everything around it in a test's hands, and a policy that allows the servers of the test.
struct Outside {
    let time = StandingTime()
    let names = NameServer()
    let fetcher: Fetcher
    var policy = FetchPolicy(purpose: "tests")

    init(
        _ servers: FetchServer..., trust: Fetcher.Trust = .system, cache: FetchCache? = nil, ownNetworks: [CIDR] = []
    ) {
        let names = names
        fetcher = Fetcher(
            trust: trust, cache: cache, time: time,
            names: { (name, _) throws(LoopFailure) in try names.look(up: name) }, ownNetworks: { ownNetworks })
        policy.isOn = true
        policy.allowsPlain = true
        policy.inside = servers.compactMap { InsidePlace("127.0.0.1:\($0.port)") }
    }

    func get(_ text: String) throws(FetchFailure) -> FetchAnswer {
        try fetcher.fetch(FetchRequest(FetchURL(text)), by: policy)
    }

    func failure(_ text: String) -> FetchFailure? {
        do throws(FetchFailure) { _ = try get(text) } catch { return error }
        return nil
    }
}

extension FetchAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A folder that goes with its last reference, files in it and in its folders too.
final class TestFolder {
    let path: String

    init() {
        var template = Array("/tmp/kinfetch-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("a temporary folder can be made") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if Files.isDirectory(path) { for name in Files.names(in: path) { remove(path + "/" + name) } }
        if unlink(path) != 0 { rmdir(path) }
    }
}
