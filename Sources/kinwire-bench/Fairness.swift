import KinClient
import KinCodec
import KinModel

/// A sign-in and a member's command beside floods: made-up sign-ins and guesses from the same address, pictures, 64
/// connections of one guest, points. Each stands beside the same client's times while the same bytes are sent to `kinwire-echo` instead:
/// what the machine is busy with is the same, only that the daemon has no part in it. The highest resident memory is told
/// too.
enum Fairness {
    static func measure(_ options: Options) throws(Trouble) -> Report {
        let place = try Place(in: options.directory)
        let house = try House(place.path + "/data", options)
        try house.found()
        let guest = try settle(house)
        let echo = try EchoChild()
        // Signed in before the first flood: afterwards the address is slowed for strangers.
        var people = People(ada: try house.signIn())
        let idle = house.child.number("VmRSS", in: "status")
        var report = Report("beside a flood, p50 and p99 in milliseconds")
        for flood in Flood.Kind.allCases where options.flood.map({ flood.rawValue.contains($0) }) ?? true {
            house.child.forgetPeak()
            // The machine's part first: a flood of the daemon leaves quotas and slowed sign-ins behind.
            let floor = try beside(flood, port: echo.port, guest: nil, house, &people, options)
            let ours = try beside(flood, port: house.port, guest: guest, house, &people, options)
            for (name, ours, floor) in [
                ("sign-in", ours.signIns, floor.signIns), ("command", ours.commands, floor.commands),
            ] {
                let ratio = ours.percentile(0.99) / max(floor.percentile(0.99), 1)
                report.add(
                    "\(flood.rawValue): \(name)", text(ours), floor: text(floor),
                    verdict: "p99 \(ratio.rounded(2)) x (goal: at most 3), \(ours.count) and \(floor.count) times")
            }
            report.add(
                "\(flood.rawValue): refused sign-ins, commands", "\(ours.refused)", floor: "\(floor.refused)",
                verdict: "\(ours.sent) messages of the flood, \(floor.sent) to the echo")
            report.add(
                "\(flood.rawValue): highest resident memory, kB", "\(house.child.number("VmHWM", in: "status"))",
                floor: "\(idle) at rest", verdict: "\(max(ours.threads, floor.threads)) threads")
        }
        return report
    }

    private static func text(_ times: [Double]) -> String {
        "\((times.percentile(0.5) / 1000).rounded(1)), \((times.percentile(0.99) / 1000).rounded(1))"
    }

    /// Adds a member who signs in and a guest; answers the guest.
    private static func settle(_ house: House) throws(Trouble) -> Flood.Guest {
        let machine = try house.conversation()
        let shown = try attempt { try machine.call("family.show") }
        guard let household = shown["households"]?.array?.first?["id"] else { throw Trouble("There is no household.") }
        for (name, role) in [("ben", "member"), ("gil", "guest")] {
            try attempt {
                _ = try machine.call(
                    "member.add",
                    [
                        "username": .string(name), "password": .string(House.password), "displayName": .string(name),
                        "household": household, "role": .string(role), "kind": "adult",
                    ])
            }
        }
        let line = try attempt {
            try Conversation.open(.tcp(host: "127.0.0.1", port: house.port, isTLS: false, envelope: .lines))
        }
        let opened = try attempt {
            try line.call("session.open", ["username": "gil", "password": .string(House.password)])
        }
        guard let token = opened["token"]?.string, let id = opened["member"]?["id"]?.identifier else {
            throw Trouble("The daemon gave no token.")
        }
        return Flood.Guest(id: id, token: token, knownDevice: opened["knownDevice"] ?? .null)
    }

    private struct People {
        let ada: String
        /// What Ben's device is known by.
        var ben: JSON = .null
    }

    private struct Times {
        var signIns: [Double] = []
        var commands: [Double] = []
        var refused = 0
        var sent = 0
        /// The daemon's threads, at most.
        var threads = 0
    }

    /// Ada commands, one after the other, and so does Ben sign in, while the flood goes on.
    private static func beside(
        _ kind: Flood.Kind, port: UInt16, guest: Flood.Guest?, _ house: House, _ people: inout People,
        _ options: Options
    ) throws(Trouble) -> Times {
        let ada = try house.client(.webSocket, token: people.ada, follows: false)
        let ben = try LeanClient(port: house.port, .webSocket)
        try ben.open()
        func ask(_ known: JSON) throws(Trouble) {
            let params = JSON.object(leavingOut: [
                "username": "ben", "password": .string(House.password),
                "knownDevice": known.isNull ? JSON?.none : known,
            ])
            try ben.write(ben.request("session.open", params))
        }
        // Each sign-in gives the device what it shows next time.
        func isIn(_ known: inout JSON) throws(Trouble) -> Bool {
            let answer = try ben.nextAnswer()
            if let given = answer["result"]?["knownDevice"] { known = given }
            return answer["result"] != nil
        }
        try ask(people.ben)
        guard try isIn(&people.ben) else { throw Trouble("Ben cannot sign in before \(kind.rawValue).") }
        let flood = try Flood(kind, port: port, guest: guest)
        var times = Times()
        let end = Clock.microseconds + Double((options.seconds)) * 1_000_000
        while Clock.microseconds < end {
            let asked = Clock.microseconds
            try ask(people.ben)
            repeat {
                let start = Clock.microseconds
                try ada.write(ada.request("activity.announce", ["text": "Dinner is at seven."]))
                if try ada.nextAnswer()["result"] == nil { times.refused += 1 }
                times.commands.append(Clock.microseconds - start)
            } while !ben.isReadable(milliseconds: 0)
            if try !isIn(&people.ben) { times.refused += 1 }
            times.signIns.append(Clock.microseconds - asked)
            times.threads = max(times.threads, house.child.threads.count)
        }
        times.sent = flood.end()
        return times
    }
}

extension LeanClient {
    /// The next answer.
    fileprivate func nextAnswer() throws(Trouble) -> JSON {
        while true {
            try wait()
            if let message = try messages().first { return (try? JSON.parse(Array(message))) ?? .null }
        }
    }
}

/// The echo server, as a program of its own.
private final class EchoChild {
    private let child: Child
    let port: UInt16

    init() throws(Trouble) {
        let own = Place.program
        let path = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "./") + "kinwire-echo"
        child = try Child(path, ["--port", "0"])
        var port: UInt16?
        while port == nil, let line = child.line() {
            guard let range = line.firstRange(of: "127.0.0.1:") else { continue }
            port = UInt16(line[range.upperBound...].filter { $0.isNumber })
        }
        guard let port else { throw Trouble("The echo did not start.") }
        self.port = port
    }
}
