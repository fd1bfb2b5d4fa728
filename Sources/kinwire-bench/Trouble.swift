import Glibc
import KinClient
import KinLoop
import KinModel
import KinStore

/// Why a measurement did not come about, in one sentence.
struct Trouble: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

/// Runs what fails in its own way; the sentence is kept.
func attempt<T>(_ body: () throws -> T) throws(Trouble) -> T {
    do { return try body() } catch {
        switch error {
        case let failure as Trouble: throw failure
        case let failure as LoopFailure: throw Trouble(failure.sentence)
        case let failure as StoreFailure: throw Trouble(failure.sentence)
        case let failure as ClientFailure: throw Trouble(failure.sentence)
        case let rejection as Rejection: throw Trouble(rejection.message)
        default: throw Trouble("\(error)")
        }
    }
}

/// A line on standard error, whole and at once.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}
