/// The members who may see something: a set of member numbers, each at least 1. One bit for each member, so that asking
/// costs the same for three members and for a thousand.
public struct Audience: Hashable, Sendable {
    /// 64 members a word, lowest first; the last word is never 0, so equal sets are equal arrays.
    private var words: [UInt64] = []

    /// Nobody.
    public init() {}

    /// These members. Numbers must be at least 1 and at most ``memberMax``.
    public init(_ members: some Sequence<Int32>) {
        for member in members { insert(member) }
    }

    /// The largest member number: a bound on what one set can take (8 kB).
    public static let memberMax: Int32 = 65_535

    /// Whether nobody may see it.
    public var isEmpty: Bool { words.isEmpty }
    /// How many may see it.
    public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Whether this member may see it.
    public func contains(_ member: Int32) -> Bool {
        let word = Int(member >> 6)
        return member > 0 && word < words.count && words[word] & (1 << UInt64(member & 63)) != 0
    }

    /// Adds a member.
    public mutating func insert(_ member: Int32) {
        precondition(member >= 1 && member <= Self.memberMax, "member numbers count from 1 to \(Self.memberMax)")
        let word = Int(member >> 6)
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(member & 63)
    }

    /// Takes a member away.
    public mutating func remove(_ member: Int32) {
        guard contains(member) else { return }
        words[Int(member >> 6)] &= ~(1 << UInt64(member & 63))
        trim()
    }

    /// The members of either set.
    public func union(_ other: Audience) -> Audience {
        var (long, short) = words.count >= other.words.count ? (self, other) : (other, self)
        for index in short.words.indices { long.words[index] |= short.words[index] }
        return long
    }

    /// The members of both sets.
    public func intersection(_ other: Audience) -> Audience {
        var both = Audience()
        both.words = zip(words, other.words).map { $0 & $1 }
        both.trim()
        return both
    }

    /// The members of this set that are not in the other.
    public func subtracting(_ other: Audience) -> Audience {
        var rest = self
        for index in rest.words.indices where index < other.words.count { rest.words[index] &= ~other.words[index] }
        rest.trim()
        return rest
    }

    /// The members' numbers, ascending.
    public var members: [Int32] {
        var all: [Int32] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                all.append(Int32(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return all
    }

    /// Whether a member of this set is in another one and not in a third; no new set is made to find out.
    public func hasMember(in other: Audience, notIn third: Audience) -> Bool {
        for index in words.indices where index < other.words.count {
            let rest = index < third.words.count ? third.words[index] : 0
            if words[index] & other.words[index] & ~rest != 0 { return true }
        }
        return false
    }

    /// The set's bytes, the same for equal sets: eight for every 64 members, the lowest first.
    public var bytes: [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) } }
    }

    /// Reads the form of ``bytes``; surplus bytes are ignored.
    public init(bytes: some Collection<UInt8>) {
        var offset: UInt64 = 0
        for byte in bytes.prefix((Int(Self.memberMax) + 1) / 8) {
            if offset & 63 == 0 { words.append(0) }
            words[words.count - 1] |= UInt64(byte) << (offset & 63)
            offset += 8
        }
        // Nobody has the number 0.
        if !words.isEmpty { words[0] &= ~1 }
        trim()
    }

    private mutating func trim() {
        while words.last == 0 { words.removeLast() }
    }
}
