import COpenSSL
import Glibc

/// The two buffers between a session and its socket. libssl reads and writes them through a BIO of our own: its memory
/// BIOs never shrink, and clear their whole size on each reset.
final class TLSWire {
    /// Ciphertext from the peer, not yet read by libssl from `inputStart` on.
    private var input: [UInt8] = []
    private var inputStart = 0
    /// Ciphertext for the peer.
    fileprivate(set) var output: [UInt8] = []

    /// An idle session keeps at most this much of its buffers.
    private static let keptBytesMax = 1024

    func received(_ bytes: UnsafeRawBufferPointer) {
        if inputStart > 0 {
            input.removeFirst(inputStart)
            inputStart = 0
        }
        unsafe input.append(contentsOf: bytes)
    }

    fileprivate func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
        let count = min(count, input.count - inputStart)
        guard count > 0 else { return 0 }
        unsafe input.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe target.copyMemory(from: base + inputStart, byteCount: count)
        }
        inputStart += count
        if inputStart == input.count {
            input.removeAll(keepingCapacity: input.capacity <= Self.keptBytesMax)
            inputStart = 0
        }
        return count
    }

    /// Moves the output away; the storage itself when the target is empty.
    func takeOutput(into target: inout [UInt8]) {
        if target.isEmpty {
            swap(&target, &output)
            if output.capacity > Self.keptBytesMax { output = [] }
        } else {
            target += output
            output.removeAll(keepingCapacity: output.capacity <= Self.keptBytesMax)
        }
    }

    /// A BIO over this wire, which must outlive it.
    func makeBIO() -> OpaquePointer? {
        let bio = unsafe BIO_new(Self.method)
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Rule: filled in here once, then only read.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire")
        unsafe BIO_meth_set_write(method) { bio, bytes, count in
            guard let bytes = unsafe bytes, count > 0, let wire = unsafe TLSWire.of(bio) else { return 0 }
            unsafe wire.output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        unsafe BIO_meth_set_read(method) { bio, target, count in
            guard let target = unsafe target, count > 0, let wire = unsafe TLSWire.of(bio) else { return 0 }
            unsafe kin_bio_clear_retry(bio)
            let read = unsafe wire.read(target, Int(count))
            if read > 0 { return CInt(read) }
            unsafe kin_bio_retry_read(bio)
            return -1
        }
        unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return unsafe method
    }()

    private static func of(_ bio: OpaquePointer?) -> TLSWire? {
        guard let data = unsafe BIO_get_data(bio) else { return nil }
        return unsafe Unmanaged<TLSWire>.fromOpaque(data).takeUnretainedValue()
    }
}
