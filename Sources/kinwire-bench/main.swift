// What Kinwire costs. Each figure stands beside its floor, measured in the same minutes on the same machine, since
// times alone say more about the machine than about the program.

import Glibc
import KinLoop

let options: Options
do throws(Trouble) {
    options = try Options(Array(Machine.arguments.dropFirst()))
    Signal.ignorePipe()
    let report: Report?
    switch options.command {
    case .help:
        print(Options.help)
        exit(0)
    case .latency: report = try Latency.measure(options)
    case .group: report = try Group.measure(options)
    case .idle: report = try Idle.measure(options)
    case .tenYears: report = try TenYears.measure(options)
    case .votes: report = try Votes.measure(options)
    case .lists: report = try Lists.measure(options)
    case .calendars: report = try CalendarCost.measure(options)
    case .search: report = try SearchDecade.measure(options)
    case .shared: report = try SharedDecade.measure(options)
    case .chat: report = try Talk.measure(options)
    case .contacts: report = try ContactBook.measure(options)
    case .pictures: report = try Darkrooms.measure(options)
    case .places: report = try Arrivals.measure(options)
    case .fanout: report = try Fanout.measure(options)
    case .scale: report = try Fanout.measureScale(options)
    case .comeback: report = try Comeback.measure(options)
    case .memory: report = try Memory.measure(options)
    case .storm: report = try Storm.measure(options)
    case .soak: report = try Soak.measure(options)
    case .rings: report = try Rings.measure(options)
    case .streams: report = try Streams.measure(options)
    case .reporting: report = try Reporting.measure(options)
    case .positions: report = try Positions.measure(options)
    case .history: report = try History.measure(options)
    case .offline: report = try Offline.measure(options)
    case .fairness: report = try Fairness.measure(options)
    case .allocations: report = try Allocations.measure(options)
    case .bare:
        try BareServer.run(options)
        report = nil
    case .bareTLS:
        try BareTLS.run(options)
        report = nil
    case .countedDaemon: report = try CountedDaemon.run(options)
    }
    if let report { print(options.isJSON ? report.json : report.table) }
} catch {
    say("kinwire-bench: \(error.sentence)")
    exit(1)
}
