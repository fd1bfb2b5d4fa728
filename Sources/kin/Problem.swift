import KinClient
import KinModel
import KinWords

/// Why a command failed: one sentence, and how `kin` ends.
struct Problem: Error, Equatable {
    let exit: ExitCode
    let sentence: String

    init(_ exit: ExitCode, _ sentence: String) {
        self.exit = exit
        self.sentence = sentence
    }

    static func usage(_ sentence: String) -> Problem { Problem(.usage, sentence) }
    static func failed(_ sentence: String) -> Problem { Problem(.failed, sentence) }

    init(_ failure: ClientFailure) {
        let sentence = Reader.here.failure(failure.sentence)
        switch failure {
        case .badAddress: self.init(.usage, sentence)
        case .unreachable, .timedOut, .untrusted, .notUnderstood: self.init(.notReachable, sentence)
        case .closed(let closing): self.init(closing?.isFinal == true ? .notSignedIn : .notReachable, sentence)
        case .file: self.init(.failed, sentence)
        case .refused(let rejection): self.init(rejection)
        }
    }

    init(_ rejection: Rejection) {
        var sentence = Reader.here.refusal(rejection)
        if let seconds = rejection.retryAfter {
            sentence += " " + phrase("problem.again", ["span": Words.span(seconds: Int64(seconds))])
        }
        // The daemon does not know the method or a parameter: this kin is newer.
        let isStrange = rejection.kind == .method || rejection.message.hasPrefix("There is no parameter ")
        if isStrange { sentence += " " + phrase("problem.older", ["version": Kin.version]) }
        if rejection.kind == .notSignedIn, !sentence.contains("kin ") {
            sentence += " " + phrase("problem.sign-in")
        }
        self.init(rejection.kind == .notSignedIn ? .notSignedIn : .refused, sentence)
    }
}

/// Runs something of the client library; its failures become this program's.
func client<T>(_ body: () throws(ClientFailure) -> T) throws(Problem) -> T {
    do throws(ClientFailure) { return try body() } catch { throw Problem(error) }
}
