import Glibc
import KinClient
import KinLoop
import KinModel
import KinWords

/// The reason why a command failed, in one sentence, and the exit code.
struct Problem: Error, Equatable {
    let exit: ExitCode
    let sentence: String

    init(_ exit: ExitCode, _ sentence: String) {
        self.exit = exit
        self.sentence = sentence
    }

    static func usage(_ sentence: String) -> Problem { Problem(.usage, sentence) }
    static func failed(_ sentence: String) -> Problem { Problem(.failed, sentence) }

    /// The C library's text for an error number, in the language of this run if it is known.
    static func reason(_ number: Int32) -> String { Reader.here.failure(LoopFailure.reason(number)) }

    /// A file could not be read.
    static func unreadable(_ path: String, _ failure: LoopFailure) -> Problem {
        guard case .system(_, let number) = failure else { return .failed(Reader.here.failure(failure.sentence)) }
        return .failed(phrase("file.unreadable", ["path": Plain.line(path), "reason": reason(number)]))
    }

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
        // A caller who is just signing in need not be told to sign in.
        let isSigningIn = rejection.message == "The username or the password is not right."
        if rejection.kind == .notSignedIn, !isSigningIn, !sentence.contains("kin ") {
            // Only a saved sign-in has a token. It goes before the socket, even one that KINWIRE_SOCKET names.
            let isSaved = rejection.message == "This token is no longer good. Sign in again."
            sentence += " " + phrase(isSaved ? "problem.saved-sign-in" : "problem.sign-in")
        }
        self.init(rejection.kind == .notSignedIn ? .notSignedIn : .refused, sentence)
    }
}

/// Calls the client library, and turns its failures into this program's.
func client<T>(_ body: () throws(ClientFailure) -> T) throws(Problem) -> T {
    do throws(ClientFailure) { return try body() } catch { throw Problem(error) }
}
