import Testing

@testable import KinLoop

/// In a line parties take turns, and one that is full gives up what is too much of one party.
@Suite struct FairLineTests {
    private func all(_ line: FairLine<String, Int>) -> [Int] {
        var line = line
        var taken: [Int] = []
        while let next = line.take() { taken.append(next) }
        #expect(line.isEmpty && line.partyCount == 0)
        return taken
    }

    @Test func `one party alone has its own order`() {
        var line = FairLine<String, Int>()
        for number in 0..<300 { line.put(number, of: "a") }
        #expect(line.count == 300 && line.partyCount == 1)
        #expect(all(line) == Array(0..<300))
    }

    @Test func `parties take turns, each in its own order`() {
        var line = FairLine<String, Int>()
        for number in 0..<4 { line.put(number, of: "flood") }
        line.put(10, of: "ada")
        line.put(20, of: "ben")
        line.put(11, of: "ada")
        #expect(all(line) == [0, 10, 20, 1, 11, 2, 3])
    }

    @Test func `who comes while a flood waits is next after one of it`() {
        var line = FairLine<String, Int>()
        for number in 0..<1000 { line.put(number, of: "flood") }
        for number in 0..<500 { #expect(line.take() == number) }
        line.put(-1, of: "ada")
        #expect(line.take() == 500 && line.take() == -1 && line.take() == 501)
        #expect(line.count == 498)
    }

    @Test func `a full line gives up the newest of whoever has the most`() {
        var line = FairLine<String, Int>()
        for number in 0..<5 { line.put(number, of: "flood") }
        line.put(10, of: "ada")
        #expect(line.putIntoFull(20, of: "ben") { _ in false } == 4)
        #expect(line.putIntoFull(5, of: "flood") { _ in false } == 5)
        #expect(line.count == 6)
        #expect(all(line) == [0, 10, 20, 1, 2, 3])
    }

    @Test func `of several with as many, strangers give way first, then who comes now`() {
        var line = FairLine<String, Int>()
        for (index, party) in ["stranger 1", "stranger 2", "known 1"].enumerated() { line.put(index, of: party) }
        func isKnown(_ party: String) -> Bool { party.hasPrefix("known") }
        #expect(line.putIntoFull(7, of: "stranger 3", spared: isKnown) == 7)
        let gone = line.putIntoFull(8, of: "known 2", spared: isKnown)
        #expect(gone == 0 || gone == 1)
        var known = FairLine<String, Int>()
        known.put(1, of: "known 1")
        #expect(known.putIntoFull(2, of: "known 2", spared: isKnown) == 2)
        #expect(all(known) == [1])
    }

    @Test func `a party whose only one was given up has no turn left`() {
        var line = FairLine<String, Int>()
        line.put(1, of: "stranger")
        #expect(line.putIntoFull(2, of: "known") { $0 == "known" } == 1)
        line.put(3, of: "stranger")
        #expect(all(line) == [2, 3])
    }

    @Test func `a mailbox hands its messages to several readers by turns`() {
        let mailbox = FairMailbox<String, Int>()
        for number in 0..<3 { mailbox.post(number, of: "flood") }
        mailbox.post(10, of: "ada")
        #expect(mailbox.post(11, of: "ben", isFull: true) == 2)
        #expect(mailbox.count == 4)
        var taken: [Int] = []
        while let next = mailbox.take() { taken.append(next) }
        #expect(taken == [0, 10, 11, 1])
    }
}
