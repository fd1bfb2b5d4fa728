import Glibc
import KinClient
import KinModel

/// A family after ten years: how long until its daemon answers, and how much memory it takes, beside a family that was
/// founded a moment ago.
enum TenYears {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = if let keep = options.keep { try Place(keeping: keep) } else { try Place(in: options.directory) }
        let old = place.path + "/ten-years"
        let young = place.path + "/empty"
        if access(old + "/built", F_OK) != 0 {
            say("Making a family of ten years; this takes a minute.")
            Place.remove(old)
            try Decade.build(old)
            let marker = open(old + "/built", O_WRONLY | O_CREAT, 0o600)
            close(marker)
        }
        if access(young, F_OK) != 0 { try House(young, options).found() }
        // The first start of a family also makes the authority's keys; a start is meant here.
        _ = try Start(old, options)
        _ = try Start(young, options)
        var starts: [(old: Start, young: Start)] = []
        for _ in 0..<options.rounds { starts.append((try Start(old, options), try Start(young, options))) }
        func least(_ value: (Start) -> Double) -> (old: Double, young: Double) {
            (starts.map { value($0.old) }.min() ?? 0, starts.map { value($0.young) }.min() ?? 0)
        }
        var report = Report("a family of \(Decade.events) events and \(Decade.positions) positions")
        let listening = least(\.listening)
        report.add("listening, ms", listening.old.rounded(1), floor: "empty \(listening.young.rounded(1))")
        let ready = least(\.ready)
        report.add(
            "family.show answered, ms", ready.old.rounded(1), floor: "empty \(ready.young.rounded(1))",
            verdict: ready.old <= 100 ? "met (100)" : "missed (100)")
        let followed = least(\.followed)
        report.add("snapshot arrived, ms", followed.old.rounded(1), floor: "empty \(followed.young.rounded(1))")
        let resident = least(\.residentKilobytes)
        report.add(
            "resident after a follow, kB", resident.old.rounded(0), floor: "empty \(resident.young.rounded(0))",
            verdict: resident.old <= 20_480 ? "met (20 MiB)" : "missed (20 MiB)")
        let anonymous = least(\.anonymousKilobytes)
        report.add("of that not of files, kB", anonymous.old.rounded(0), floor: "empty \(anonymous.young.rounded(0))")
        let signedIn = least(\.signedInKilobytes)
        report.add(
            "resident after a sign-in, kB", signedIn.old.rounded(0), floor: "empty \(signedIn.young.rounded(0))",
            verdict: signedIn.old <= 20_480 ? "met (20 MiB)" : "missed (20 MiB)")
        let snapshot = least(\.snapshotBytes)
        report.add("snapshot, bytes", snapshot.old.rounded(0), floor: "empty \(snapshot.young.rounded(0))")
        return report
    }

    /// One start of a daemon, looked at and ended.
    private struct Start {
        let listening: Double
        let ready: Double
        let followed: Double
        let residentKilobytes: Double
        let anonymousKilobytes: Double
        let signedInKilobytes: Double
        let snapshotBytes: Double

        init(_ directory: String, _ options: Options) throws(Trouble) {
            let house = try House(directory, options)
            listening = house.readyAfter / 1000
            let line = try house.conversation(as: House.username)
            _ = try attempt { try line.call("family.show") }
            ready = house.age / 1000
            let follow = try attempt { try line.call("live.follow", ["since": .null]) }
            followed = house.age / 1000
            snapshotBytes = Double(follow["snapshot"]?.bytes.count ?? 0)
            residentKilobytes = Double(house.child.number("VmRSS", in: "status"))
            anonymousKilobytes = Double(house.child.number("RssAnon", in: "status"))
            _ = try house.signIn()
            signedInKilobytes = Double(house.child.number("VmRSS", in: "status"))
        }
    }
}
