/// Identifies one socket for as long as it is open: its place in the table, and a count of that place's uses.
///
/// The kernel reuses a descriptor's number at once after a close; a token is never reused. So a late event for the
/// former owner is recognised and dropped.
public struct Token: Hashable, Sendable {
    /// The place in the table of sockets; used again after a close.
    public let slot: UInt32
    /// Counts the uses of the place, from 1; 0 is the loop's own descriptors.
    public let generation: UInt32

    /// A token from its parts, for networks that are not the kernel's.
    public init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    /// The 64 bits that travel through epoll.
    var bits: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    init(bits: UInt64) {
        slot = UInt32(truncatingIfNeeded: bits)
        generation = UInt32(truncatingIfNeeded: bits >> 32)
    }
}
