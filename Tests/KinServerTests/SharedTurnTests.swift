import KinFamily
import KinKeeper
import Testing

@testable import KinServer

/// Reports of many phones share a turn; nobody else waits for anything.
@Suite struct SharedTurnTests {
    private static let millisecond: UInt64 = 1_000_000

    /// A crowd of phones whose reports are each done as they come, five milliseconds apart.
    private func crowd(of phones: Int) -> (shared: SharedTurn, now: UInt64) {
        var (shared, now) = (SharedTurn(), UInt64(1_000) * Self.millisecond)
        for number in 0..<SharedTurn.few {
            shared.came(.address("\(number % phones)"), now: now)
            shared.turned(now: now)
            now += 5 * Self.millisecond
        }
        return (shared, now)
    }

    @Test func `a report of a crowd waits for those behind it, and not for long`() {
        var (shared, now) = crowd(of: 100)
        shared.came(.address("new"), now: now)
        #expect(shared.pause(now: now) == SharedTurn.longest)
        shared.came(.address("newer"), now: now + 5 * Self.millisecond)
        #expect(shared.pause(now: now + 5 * Self.millisecond) == SharedTurn.longest - 5 * Self.millisecond)
        #expect(shared.pause(now: now + SharedTurn.longest) == nil)
        // What is done together counts as what was done one by one.
        shared.turned(now: now + SharedTurn.longest)
        shared.came(.address("last"), now: now + SharedTurn.longest)
        #expect(shared.pause(now: now + SharedTurn.longest) != nil)
    }

    @Test func `whoever asks for anything else waits for no report`() {
        var (shared, now) = crowd(of: 100)
        shared.came(.address("new"), now: now)
        shared.came(nil, now: now)
        #expect(shared.pause(now: now) == nil)
        shared.turned(now: now)
        shared.came(.address("next"), now: now)
        #expect(shared.pause(now: now) != nil)
    }

    @Test func `who reports alone, or after a while, is not held`() {
        var alone = SharedTurn()
        alone.came(.address("a"), now: 1)
        #expect(alone.pause(now: 1) == nil)
        var (shared, now) = crowd(of: 100)
        now += SharedTurn.spell
        shared.came(.address("late"), now: now)
        #expect(shared.pause(now: now) == nil)
    }

    /// Each sends its next report when the last one is answered: holding them would only make each of them slow.
    @Test(arguments: [1, 2, 3]) func `a few phones that bring their day are not held`(phones: Int) {
        var (shared, now) = crowd(of: phones)
        shared.came(.address("0"), now: now)
        #expect(shared.pause(now: now) == nil)
    }

    @Test func `where all that reported of late wait already, the turn begins`() {
        var (shared, now) = crowd(of: 4)
        for phone in 0..<3 {
            shared.came(.address("\(phone)"), now: now)
            #expect(shared.pause(now: now) != nil)
        }
        shared.came(.address("3"), now: now)
        #expect(shared.pause(now: now) == nil)
    }

    @Test func `only what phones report is patient`() {
        let patient = Registry.family.methods.values.filter(\.isPatient).map(\.name).sorted()
        #expect(patient == ["owntracks.publish", "phone.publish", "position.report"])
    }
}
