import CZlib

/// Decompresses one message of permessage-deflate (RFC 7692 §7.2.2) as it arrives, never beyond a bound.
///
/// Lives as long as the message: up to 40 kB of zlib's, and nothing between messages.
///
/// Rule: belongs to one machine, which only one thread at a time consumes with.
@safe final class Inflater: @unchecked Sendable {
    /// How it went.
    enum Outcome {
        case good
        /// The message is longer than the bound.
        case tooBig
        /// These bytes are no compressed message.
        case broken
    }

    /// Never moved, for zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether a block was marked as the last one; others may follow (§7.2.3.4).
    private var isEnded = false
    private var isEmpty = true

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // The largest window, whatever was agreed: a peer that has a smaller one is understood just as well.
        let status = unsafe kin_inflate_start(stream, Int32(Deflater.windowBitsMax))
        precondition(status == Z_OK, "zlib has memory and takes these parameters")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Appends the decompressed bytes of a part of a message. `message` never has more than `bytesMax` bytes, nor room
    /// for more.
    func inflate(_ bytes: Span<UInt8>, into message: inout [UInt8], bytesMax: Int) -> Outcome {
        if bytes.isEmpty { return .good }
        isEmpty = false
        // The pointer does not leave the closure: everything is taken before it ends.
        return unsafe bytes.withUnsafeBufferPointer { input in
            unsafe stream.pointee.next_in = input.baseAddress
            unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceBytes) { piece in
                while true {
                    let outcome = unsafe inflate(piece, into: &message, bytesMax: bytesMax)
                    if let outcome { return outcome }
                }
            }
        }
    }

    /// Ends the message with the octets that the sender left off (§7.2.2). It must end where a block ends.
    func end(into message: inout [UInt8], bytesMax: Int) -> Outcome {
        if isEmpty || isEnded { return .good }
        let end = Deflater.end
        let outcome = inflate(end.span, into: &message, bytesMax: bytesMax)
        guard outcome == .good else { return outcome }
        // zlib.h, `data_type`: 128 right after a block's end, and below it how many bits are left of the last byte.
        let place = unsafe stream.pointee.data_type
        return isEnded || place & 128 != 0 && place & 63 == 0 ? .good : .broken
    }

    /// One piece of output; `nil` when there may be more.
    private func inflate(
        _ piece: UnsafeMutableBufferPointer<UInt8>, into message: inout [UInt8], bytesMax: Int
    ) -> Outcome? {
        if isEnded {
            guard unsafe stream.pointee.avail_in > 0 else { return .good }
            unsafe inflateReset(stream)
            isEnded = false
        }
        // One byte more than is allowed shows that there are too many.
        let room = min(piece.count, max(0, bytesMax - message.count) + 1)
        unsafe stream.pointee.next_out = piece.baseAddress
        unsafe stream.pointee.avail_out = UInt32(clamping: room)
        let status = unsafe CZlib.inflate(stream, Z_SYNC_FLUSH)
        let count = unsafe room - Int(stream.pointee.avail_out)
        guard message.count + count <= bytesMax else { return .tooBig }
        let needed = message.count + count
        if needed > message.capacity { message.reserveCapacity(min(max(needed, 2 * message.capacity), bytesMax)) }
        unsafe message.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<count]))
        switch status {
        case Z_OK:
            let isTaken = unsafe stream.pointee.avail_in == 0
            return isTaken && count < room ? .good : nil
        case Z_STREAM_END:
            isEnded = true
            return nil
        // Nothing was left to do.
        case Z_BUF_ERROR: return .good
        default: return .broken
        }
    }

    private static let pieceBytes = 16 << 10
}
