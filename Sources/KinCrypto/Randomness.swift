import COpenSSL

/// Random bytes nobody can predict, from libcrypto's generator. A simulation hands in its own source instead and never
/// comes here.
public enum Randomness {
    /// That many random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        precondition((0...Int(CInt.max)).contains(count), "0 to 2³¹−1 random bytes at once")
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(unsafe RAND_bytes(&bytes, CInt(count)) == 1, "a machine without randomness can keep no secret")
        return bytes
    }

    /// 64 random bits.
    public static func uint64() -> UInt64 {
        var value: UInt64 = 0
        let filled = unsafe withUnsafeMutableBytes(of: &value) { target in
            unsafe RAND_bytes(target.baseAddress?.assumingMemoryBound(to: UInt8.self), 8)
        }
        precondition(filled == 1, "a machine without randomness can keep no secret")
        return value
    }
}
