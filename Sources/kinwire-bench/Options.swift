/// The command line.
struct Options {
    enum Command: String {
        case help, latency, group, idle, fanout, scale, comeback, memory, votes, lists, contacts, allocations, fairness
        case pictures, places, reporting, positions, offline, history
        case storm, soak, streams, rings, calendars, search, shared, chat
        /// For this program's own children.
        case bare
        case bareTLS = "bare-tls"
        case tenYears = "ten-years"
        case countedDaemon = "counted-daemon"
    }

    static let help = """
        kinwire-bench – what Kinwire costs, beside what the machine charges

        usage: kinwire-bench COMMAND [flags]
          latency     command to event at another client: WebSocket and lines, beside one sync and a bare broadcaster
          group       64 clients sending at once: syncs per command, rate beside the same statements in one transaction
          idle        context switches of a daemon with no client and nothing due
          ten-years   50,000 events and a million positions: time to ready, memory, snapshot, beside an empty family
          votes       200 members voting at once: votes per sync, time to the tally beside announcements
          contacts    lists and searches among 5,000 contacts, beside a family with one page of them
          pictures    three sizes of a picture of 12 megapixels, in the process that opens it, beside bare libgd and libheif
          calendars   a month of a large calendar, by CalDAV beside Radicale; one change among 10,000 entries
          lists       lists, inbox and search after ten years of meetings, beside a family without
          search      one search after ten years (200,000 messages, 40,000 pictures), beside a young family
          shared      what a family shares after ten years: a snapshot's parts, newest pages, searches, beside an empty one
          chat        a message in a room to 10 clients, beside an announcement
          places      arrivals on recorded tracks under noise, 1,000 seeds, beside asking whether a point lies inside
          fanout      the daemon's CPU time per delivery to many followers, beside bare broadcasters'
          scale       the same from 100 to 10,000 followers
          comeback    replays of 100,000 events; 1,000 clients coming back at once
          memory      an idle connection's memory, and what a storm of connections leaves
          storm       memory before, during and after a storm of everything at once
          soak        an hour of mixed load with floods and restarts: memory, descriptors, file sizes each minute
          streams     a file up, beside the disk; one down, beside nginx without sendfile; memory of a stream that waits
          rings       phones that ring by ntfy: time to one, memory and CPU time of 1,000 at rest, beside followers
          reporting   phones that report every 5 s: share of a core, time to a viewer, beside a transaction for each point
          positions   CPU time of one reported point with nine viewers, beside a synced row of that size
          offline     another member's commands while a phone posts 20,000 points, beside the same alone
          history     a day out of ten million positions, and the nearest places; bytes for each position
          fairness    a sign-in and a command beside floods, beside the same while the floods go to kinwire-echo
          allocations calls of the allocator for a delivery, a command and a connection
        needs apt-get install nginx-light curl for streams
        flags:
          --dir DIR        where families are made for the run: on the disk to be measured (default: the current folder)
          --keep DIR       ten-years, shared: keeps the family for the next run
          --rounds N       rounds, of which the best counts (default 5); chat, positions, fanout, scale: of which the middle
                           one counts (fanout, scale: default 24, or 8 where descriptors are too few to stay connected)
          --seconds N      idle, memory, rings: how long to watch and rest (default 60); fairness: of each flood
          --flood TEXT     fairness: only floods whose names have it
          --minutes N      soak: how long (default 60)
          --count N        samples a round (latency), commands a round (group), announcements a round (fanout),
                           MiB of the file that comes down (streams: 256)
          --clients N      group: senders (default 64); fanout: followers; votes: members (200); rings: of each (1,000);
                           reporting: phones (1,000)
          --window N       group, fanout: commands under way (default: 1 and 16 are shown)
          --tracks DIR     places: where the recordings are (default: Tests/EndToEndTests/Fixtures)
          --radicale FILE  calendars: PyPI's Radicale (default: what lies on the path)
          --daemon FILE    the daemon (default: kinwired beside this program)
          --json           one JSON object instead of a table
        """

    let command: Command
    private(set) var directory = "."
    private(set) var keep: String?
    private(set) var roundsAsked: Int?
    var rounds: Int { roundsAsked ?? 5 }
    private(set) var seconds = 60
    private(set) var minutes = 60
    private(set) var count: Int?
    private(set) var clients: Int?
    private(set) var window: Int?
    private(set) var daemon: String?
    /// For ``Command/calendars``.
    private(set) var radicale: String?
    /// For ``Command/fairness``.
    private(set) var flood: String?
    private(set) var tracks = "Tests/EndToEndTests/Fixtures"
    private(set) var isJSON = false
    /// For ``Command/bare``.
    private(set) var manner = Broadcaster.Manner.eachAlone

    init(_ arguments: [String]) throws(Trouble) {
        var rest = arguments[...]
        let word = rest.popFirst() ?? "help"
        guard let command = Command(rawValue: word.hasPrefix("--h") ? "help" : word) else {
            throw Trouble("There is no command \(word); see kinwire-bench help.")
        }
        self.command = command
        while let flag = rest.popFirst() {
            switch flag {
            case "--json": isJSON = true
            case "--dir": directory = try Self.value(flag, &rest)
            case "--keep": keep = try Self.value(flag, &rest)
            case "--tracks": tracks = try Self.value(flag, &rest)
            case "--flood": flood = try Self.value(flag, &rest)
            case "--daemon": daemon = try Self.value(flag, &rest)
            case "--radicale": radicale = try Self.value(flag, &rest)
            case "--manner": manner = Broadcaster.Manner(rawValue: try Self.value(flag, &rest)) ?? .eachAlone
            case "--rounds": roundsAsked = try Self.number(flag, &rest)
            case "--seconds": seconds = try Self.number(flag, &rest)
            case "--minutes": minutes = try Self.number(flag, &rest)
            case "--count": count = try Self.number(flag, &rest)
            case "--clients": clients = try Self.number(flag, &rest)
            case "--window": window = try Self.number(flag, &rest)
            default: throw Trouble("There is no flag \(flag); see kinwire-bench help.")
            }
        }
    }

    private static func value(_ flag: String, _ rest: inout ArraySlice<String>) throws(Trouble) -> String {
        guard let value = rest.popFirst() else { throw Trouble("\(flag) needs a value; see kinwire-bench help.") }
        return value
    }

    private static func number(_ flag: String, _ rest: inout ArraySlice<String>) throws(Trouble) -> Int {
        guard let number = Int(try value(flag, &rest)), (1...1_000_000).contains(number) else {
            throw Trouble("\(flag) needs a whole number above 0; see kinwire-bench help.")
        }
        return number
    }
}
