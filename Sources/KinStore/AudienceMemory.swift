/// A cache of audiences by number and of numbers by audience; bounded, and emptied after a rollback.
struct AudienceMemory {
    private var byNumber: [Int64: Audience] = [:]
    private var numbers: [Audience: Int64] = [:]
    /// The most audiences that are kept. When there would be more, all are dropped, and the common ones come back.
    static let audiencesMax = 512

    subscript(number: Int64) -> Audience? { byNumber[number] }
    func number(of audience: Audience) -> Int64? { numbers[audience] }

    mutating func remember(_ audience: Audience, as number: Int64) {
        if byNumber.count >= Self.audiencesMax { removeAll() }
        byNumber[number] = audience
        numbers[audience] = number
    }

    mutating func removeAll() {
        if byNumber.isEmpty { return }
        byNumber.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }
}
