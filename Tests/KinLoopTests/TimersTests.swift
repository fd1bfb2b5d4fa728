import Testing

@testable import KinLoop

@Suite struct `Planned moments` {
    @Test func `come up in order, equal ones as they were planned`() {
        var timers = Timers<String>()
        for (key, moment) in [("c", 30), ("a", 10), ("b2", 20), ("b1", 20), ("d", 40)] as [(String, UInt64)] {
            timers.set(key, at: moment)
        }
        #expect(timers.next == 10)
        var order: [String] = []
        while let key = timers.popDue(now: 30) { order.append(key) }
        #expect(order == ["a", "b2", "b1", "c"])
        #expect(timers.next == 40)
        #expect(timers.count == 1)
    }

    @Test func `that are put off, brought forward or cancelled keep only their last moment`() {
        var timers = Timers<Int>()
        timers.set(1, at: 10)
        timers.set(1, at: 50)
        timers.set(2, at: 100)
        timers.set(2, at: 20)
        timers.set(3, at: 5)
        timers.cancel(3)
        timers.cancel(99)
        #expect(timers.next == 20)
        #expect(timers.popDue(now: 49) == 2)
        #expect(timers.popDue(now: 49) == nil)
        #expect(timers.popDue(now: 50) == 1)
        #expect(timers.popDue(now: .max) == nil)
        #expect(timers.next == nil)
    }

    @Test func `set anew after a cancel come up once`() {
        var timers = Timers<Int>()
        timers.set(0, at: 1_000)
        for _ in 0..<3 {
            timers.set(1, at: 10)
            timers.cancel(1)
        }
        timers.set(1, at: 10)
        #expect(timers.popDue(now: 10) == 1)
        #expect(timers.popDue(now: 10) == nil)
        timers.set(1, at: 10)
        #expect(timers.popDue(now: 10) == 1)
        #expect(timers.popDue(now: 10) == nil)
    }

    @Test func `behave like a sorted list under thousands of random changes`() {
        var random = SystemRandomNumberGenerator()
        var timers = Timers<Int>()
        var model: [Int: (at: UInt64, order: Int)] = [:]
        var now: UInt64 = 0
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let at = now + UInt64.random(in: 0..<100, using: &random)
                timers.set(key, at: at)
                model[key] = (at, step)
            case 6:
                timers.cancel(key)
                model[key] = nil
            default:
                now += UInt64.random(in: 0..<20, using: &random)
                let due = model.filter { $0.value.at <= now }
                    .sorted { ($0.value.at, $0.value.order) < ($1.value.at, $1.value.order) }.map(\.key)
                var popped: [Int] = []
                while let key = timers.popDue(now: now) { popped.append(key) }
                #expect(popped == due)
                for key in due { model[key] = nil }
            }
            #expect(timers.next == model.values.map(\.at).min())
            #expect(timers.count == model.count)
        }
    }

    @Test func `put off for ever keep the heap small`() {
        var timers = Timers<Int>()
        for moment in 0..<100_000 as Range<UInt64> {
            timers.set(1, at: moment)
            timers.set(2, at: 200_000 - moment)
        }
        #expect(timers.queuedCount < 100)
    }

    @Test func `say how long to wait, rounded up and never negative`() {
        var timers = Timers<Int>()
        #expect(timers.timeoutMilliseconds(now: 0) == nil)
        timers.set(1, at: 1_000_001)
        #expect(timers.timeoutMilliseconds(now: 0) == 2)
        #expect(timers.timeoutMilliseconds(now: 1) == 1)
        #expect(timers.timeoutMilliseconds(now: 1_000_000) == 1)
        #expect(timers.timeoutMilliseconds(now: 1_000_001) == 0)
        #expect(timers.timeoutMilliseconds(now: .max) == 0)
        timers.set(1, at: .max)
        #expect(timers.timeoutMilliseconds(now: 0) == 18_446_744_073_710)
    }
}
