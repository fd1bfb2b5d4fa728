import Glibc

/// Owns a file descriptor and closes it at the end of its life.
public struct Descriptor: ~Copyable, Sendable {
    /// The number; valid only as long as this value lives.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is a number from 0")
        self.number = number
    }

    /// Gives the descriptor away without closing it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { Self.close(number) }

    /// Closes a number. EBADF is a trap: it was closed twice, and the second close may hit a stranger.
    static func close(_ number: Int32) {
        // On Linux the descriptor is gone whatever close answers, EINTR included: never twice.
        if Glibc.close(number) != 0 {
            precondition(errno != EBADF, "a descriptor is closed once, by its owner")
        }
    }
}
