import CLinux
import Glibc

/// A client's socket: reads and writes with a deadline, or without waiting.
public final class ClientSocket {
    private let socket: Descriptor
    /// The address that answered; `nil` over a Unix socket.
    public let peerAddress: SocketAddress?

    init(_ socket: consuming Descriptor, peerAddress: SocketAddress?) {
        self.socket = socket
        self.peerAddress = peerAddress
    }

    /// The descriptor to poll; stays this object's.
    public var descriptor: Int32 { socket.number }

    /// Reads what has arrived, without waiting. The buffer must not be empty.
    public func readAvailable(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        unsafe ReadOutcome.receive(socket.number, buffer)
    }

    /// Waits for bytes and reads them; `wouldBlock` when the time is over first.
    /// - Parameter timeoutMilliseconds: `nil` waits without end.
    public func read(into buffer: UnsafeMutableRawBufferPointer, timeoutMilliseconds: Int?) -> ReadOutcome {
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        while true {
            let outcome = unsafe readAvailable(into: buffer)
            guard outcome == .wouldBlock else { return outcome }
            if !wait(timeoutMilliseconds: deadline.remainingMilliseconds) { return .wouldBlock }
        }
    }

    /// Waits for at most `max` bytes; `[]` is the end of the stream.
    /// - Parameter timeoutMilliseconds: `nil` waits without end; afterwards it is ``LoopFailure/timedOut(_:)``.
    public func read(max: Int, timeoutMilliseconds: Int?) throws(LoopFailure) -> [UInt8] {
        precondition(max > 0, "at least one byte is asked for")
        var outcome = ReadOutcome.end
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max) { buffer, count in
            outcome = unsafe read(into: UnsafeMutableRawBufferPointer(buffer), timeoutMilliseconds: timeoutMilliseconds)
            // The kernel filled as many bytes as it says.
            if case .bytes(let read) = outcome { count = read }
        }
        switch outcome {
        case .bytes, .end: return bytes
        case .wouldBlock: throw .timedOut("The other side")
        case .failed(let errno): throw .system(call: "recv", errno: errno)
        }
    }

    /// Writes bytes without waiting; perhaps only a part of them.
    public func writeAvailable(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        unsafe WriteOutcome.send(socket.number, bytes)
    }

    /// Writes all bytes, waiting at most the time given.
    /// - Parameter timeoutMilliseconds: `nil` waits without end; afterwards it is ``LoopFailure/timedOut(_:)``, with a
    ///   part of the bytes perhaps gone out.
    public func write(_ bytes: [UInt8], timeoutMilliseconds: Int?) throws(LoopFailure) {
        let deadline = Deadline(afterMilliseconds: timeoutMilliseconds)
        var sent = 0
        while sent < bytes.count {
            let outcome = unsafe bytes.withUnsafeBytes { bytes in
                unsafe writeAvailable(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
            }
            switch outcome {
            case .bytes(let count): sent += count
            case .failed(let errno): throw .system(call: "send", errno: errno)
            case .wouldBlock:
                if !wait(writable: true, timeoutMilliseconds: deadline.remainingMilliseconds) {
                    throw .timedOut("The other side")
                }
            }
        }
    }

    /// Waits until the socket is readable or, if that is asked for instead, writable; a hang-up counts as both. False
    /// when the time is over first.
    public func wait(writable: Bool = false, timeoutMilliseconds: Int?) -> Bool {
        Readiness.wait(
            socket.number, readable: !writable, writable: writable, timeoutMilliseconds: timeoutMilliseconds)
            != .timedOut
    }

    /// Tells the peer that nothing more will come; what it sends can still be read.
    public func shutdownWriting() { shutdown(socket.number, Int32(SHUT_WR)) }
}
