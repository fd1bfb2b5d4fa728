// Runs families in a box: one seed again, or new seeds without end.

import Glibc
import KinLoop
import KinSimulation

// Swift's hash tables are laid out by address unless told otherwise; a seed must repeat itself.
if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    execv("/proc/self/exe", Machine.arguments.map { strdup($0) } + [nil])
}

var seed: UInt64?
var steps = 1000
var isTraced = false
var isOfSharing = false
var isSurvey = false
var alarmDays = 0
var isOfCalendars = false
var families: UInt64 = 0
var leftOut: String?
var arguments = Machine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) }
    case "--steps": steps = arguments.popFirst().flatMap { Int($0) } ?? steps
    case "--trace": isTraced = true
    case "--sharing": isOfSharing = true
    case "--alarms": alarmDays = 1000
    case "--calendars": isOfCalendars = true
    case "--families": families = arguments.popFirst().flatMap { UInt64($0) } ?? 0
    case "--survey": (isOfSharing, isSurvey) = (true, true)
    case "--without": leftOut = arguments.popFirst()
    default:
        print(
            """
            usage: kinwire-simulation [--sharing | --survey [--without RULE] | --alarms | --calendars] [--seed N]
                                      [--steps N] [--trace] [--families N]
            Runs one family by its seed, or without --seed one after the other until a promise is broken.
              --families   so many from the seed on, each to its end; prints only what was broken, and how many held
              --sharing    a family that does anything at any time: is anybody shown without their own word?
              --alarms     a thousand days of families that call each other: does every alarm ring, and none too often?
              --calendars  a week of calendars in which clocks change: does each see theirs, at its hour, and is reminded?
              --survey     the same with 20 families, each to its end; counts what is found, also where a rule is not kept
            """)
        exit(argument == "--help" ? 0 : 2)
    }
}

@MainActor func run(_ seed: UInt64) -> Bool {
    let trace: ((String) -> Void)? = isTraced ? { print($0) } : nil
    do throws(Finding) {
        let tally: Any
        if isOfCalendars {
            tally = try CalendarTrial.run(seed: seed, days: 7, trace: trace)
        } else if isOfSharing {
            tally = try SharingWorld.run(seed: seed, steps: steps, trace: trace)
        } else {
            tally = try World.run(seed: seed, steps: steps, trace: trace)
        }
        if families == 0 { print("seed \(seed): \(tally)") }
        return true
    } catch {
        print("seed \(seed): \(error)")
        print(
            "again: swift run kinwire-simulation\(isOfCalendars ? " --calendars" : isOfSharing ? " --sharing" : "") --seed \(seed) --steps \(steps) --trace"
        )
        return false
    }
}

if isSurvey {
    for line in SharingSurvey.lines(seeds: (seed ?? 0)..<((seed ?? 0) + 20), steps: steps, leavingOut: leftOut) {
        print(line)
    }
    exit(0)
}
if alarmDays > 0 {
    // A family lives for ten of them.
    let first = seed ?? 0
    for seed in first..<(first + UInt64(alarmDays / 10)) {
        do throws(Finding) {
            print("seed \(seed): \(try AlarmTrial.run(seed: seed, days: 10, trace: isTraced ? { print($0) } : nil))")
            // Seen when it is so, also through a pipe.
            fflush(nil)
        } catch {
            print("seed \(seed): \(error)")
            exit(1)
        }
    }
    exit(0)
}
if families > 0 {
    let first = seed ?? 0
    let held = (first..<first + families).count { run($0) }
    print("\(held) of \(families) families kept their promises.")
    exit(held == Int(families) ? 0 : 1)
}
if let seed { exit(run(seed) ? 0 : 1) }
var next = UInt64.random(in: 1_000...1_000_000_000)
while run(next) { next += 1 }
exit(1)
