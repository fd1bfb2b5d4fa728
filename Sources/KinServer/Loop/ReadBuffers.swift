/// The memory that bytes are read into: one read of a socket, and what TLS makes of it. All connections share it,
/// because only one is read at a time. Both buffers live as long as this object and nobody keeps them, hence `@safe`.
@safe final class ReadBuffers {
    /// Bytes of one reading.
    static let bytesMax = 64 << 10

    /// What came from a socket.
    let read = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadBuffers.bytesMax, alignment: 16)
    /// The same, decrypted.
    let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadBuffers.bytesMax, alignment: 16)

    deinit {
        unsafe read.deallocate()
        unsafe plain.deallocate()
    }
}
