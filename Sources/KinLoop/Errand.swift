import CLinux
import Glibc

/// A program that is started for one task, and waited for. It has its input and its output, no other descriptor of this
/// process, and no environment.
public struct Errand: Sendable, Equatable {
    /// How it ended.
    public enum Ending: Sendable, Equatable {
        /// By itself, with this code.
        case exited(Int32)
        /// By this signal: it crashed, or exceeded a limit.
        case crashed(Int32)
        /// It took too long and was ended.
        case tooSlow
    }

    /// How it ended.
    public let ending: Ending
    /// Its processor time, in microseconds.
    public let microseconds: Int64

    /// Starts a program by its path and waits at most so long. For threads that may wait.
    public static func run(
        _ program: String, _ arguments: [String], input: borrowing MemoryFile, output: borrowing MemoryFile,
        milliseconds: Int32
    ) throws(LoopFailure) -> Errand {
        input.rewind()
        let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        let started = unsafe kin_spawn(program, words, input.descriptor.number, output.descriptor.number)
        let process = try LoopFailure.check("posix_spawn", started)
        var ending = kin_ending()
        try LoopFailure.check("wait4", unsafe kin_wait_for(process, milliseconds, &ending))
        let (status, signal) = (ending.status, ending.status & 0x7F)
        let how: Ending =
            ending.was_too_slow != 0 ? .tooSlow : signal == 0 ? .exited(status >> 8 & 0xFF) : .crashed(signal)
        return Errand(ending: how, microseconds: ending.microseconds)
    }
}
