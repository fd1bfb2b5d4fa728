/// The unanswered requests of one connection, by number, oldest first. There are few at a time, and mostly none: then
/// it takes no memory.
struct Answers {
    private var all: [(sequence: UInt64, answer: Connection.Answer)] = []

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }
    /// The oldest.
    var first: Connection.Answer? { all.first?.answer }

    /// The answer of a request, if it waits; `nil` removes it.
    subscript(sequence: UInt64) -> Connection.Answer? {
        get { all.first { $0.sequence == sequence }?.answer }
        set {
            let index = all.firstIndex { $0.sequence == sequence }
            switch (index, newValue) {
            case (let index?, let answer?): all[index].answer = answer
            case (let index?, nil):
                all.remove(at: index)
                if all.isEmpty { all = [] }
            case (nil, let answer?): all.append((sequence, answer))
            case (nil, nil): break
            }
        }
    }

    /// Removes a request and returns the form of its answer.
    mutating func remove(_ sequence: UInt64) -> Connection.Answer? {
        defer { self[sequence] = nil }
        return self[sequence]
    }

    mutating func removeAll() { all = [] }
}
