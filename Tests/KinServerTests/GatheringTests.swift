import KinFamily
import KinKeeper
import Testing

@testable import KinServer

/// Reports of many phones share a turn; nobody else waits for anything.
@Suite struct GatheringTests {
    private static let millisecond: UInt64 = 1_000_000

    /// A crowd of phones whose reports are each done as they come, five milliseconds apart.
    private func crowd(of phones: Int) -> (gathering: Gathering, now: UInt64) {
        var (gathering, now) = (Gathering(), UInt64(1_000) * Self.millisecond)
        for number in 0..<Gathering.few {
            gathering.came(.address("\(number % phones)"), now: now)
            gathering.turned(now: now)
            now += 5 * Self.millisecond
        }
        return (gathering, now)
    }

    @Test func `a report of a crowd waits for those behind it, and not for long`() {
        var (gathering, now) = crowd(of: 100)
        gathering.came(.address("new"), now: now)
        #expect(gathering.pause(now: now) == Gathering.longest)
        gathering.came(.address("newer"), now: now + 5 * Self.millisecond)
        #expect(gathering.pause(now: now + 5 * Self.millisecond) == Gathering.longest - 5 * Self.millisecond)
        #expect(gathering.pause(now: now + Gathering.longest) == nil)
        // What is done together counts as what was done one by one.
        gathering.turned(now: now + Gathering.longest)
        gathering.came(.address("last"), now: now + Gathering.longest)
        #expect(gathering.pause(now: now + Gathering.longest) != nil)
    }

    @Test func `whoever asks for anything else waits for no report`() {
        var (gathering, now) = crowd(of: 100)
        gathering.came(.address("new"), now: now)
        gathering.came(nil, now: now)
        #expect(gathering.pause(now: now) == nil)
        gathering.turned(now: now)
        gathering.came(.address("next"), now: now)
        #expect(gathering.pause(now: now) != nil)
    }

    @Test func `who reports alone, or after a while, is not held`() {
        var alone = Gathering()
        alone.came(.address("a"), now: 1)
        #expect(alone.pause(now: 1) == nil)
        var (gathering, now) = crowd(of: 100)
        now += Gathering.spell
        gathering.came(.address("late"), now: now)
        #expect(gathering.pause(now: now) == nil)
    }

    /// Each sends its next report when the last one is answered: holding them would only make each of them slow.
    @Test(arguments: [1, 2, 3]) func `a few phones that bring their day are not held`(phones: Int) {
        var (gathering, now) = crowd(of: phones)
        gathering.came(.address("0"), now: now)
        #expect(gathering.pause(now: now) == nil)
    }

    @Test func `where all that reported of late wait already, the turn begins`() {
        var (gathering, now) = crowd(of: 4)
        for phone in 0..<3 {
            gathering.came(.address("\(phone)"), now: now)
            #expect(gathering.pause(now: now) != nil)
        }
        gathering.came(.address("3"), now: now)
        #expect(gathering.pause(now: now) == nil)
    }

    @Test func `only what phones report is patient`() {
        let patient = Registry.family.methods.values.filter(\.isPatient).map(\.name).sorted()
        #expect(patient == ["owntracks.publish", "phone.publish", "position.report"])
    }
}
