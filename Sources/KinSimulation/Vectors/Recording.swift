import KinFamily
import KinKeeper
import KinModel
import KinStore

/// A family in the box in which things happen as a story says, without faults, and one member's stream of it.
final class Recording {
    let world: World
    /// What was received so far, and what fresh snapshots said.
    private(set) var steps: [JSON] = []
    /// Whether each event comes after copies of it that nobody understands.
    var isSpoiled = false
    /// Parts that there is no room for.
    var absent: [String] = []

    private let follower: World.Person
    private let view: String
    private let listener: Listener
    private var taken = 0
    private var nextOp = 0

    init(_ story: FoldStory) throws(Finding) {
        world = try World(seed: 1)
        guard let follower = world.people.first(where: { $0.username == story.follower }) else {
            throw Finding(checker: "story", what: "there is no \(story.follower)")
        }
        self.follower = follower
        view = story.view
        listener = Listener(token: follower.token, view: story.view)
    }

    /// A member's identifier.
    func id(_ username: String) -> JSON {
        world.people.first { $0.username == username }.map { .id($0.id) } ?? .null
    }

    /// A moment from now.
    func time(in seconds: Int64) -> JSON {
        .time(Instant(milliseconds: world.time.trueMilliseconds() + seconds * 1000))
    }

    /// The follower comes, or comes back.
    func comes() throws(Finding) {
        listener.come(world)
        try settle()
    }

    /// The follower goes, without a word.
    func leaves() { listener.leave(world) }

    /// Somebody asks for something, a second after what was before; it has to be done. `machine`: whoever is at it.
    @discardableResult
    func asks(_ username: String, _ method: String, _ params: JSON = [:]) throws(Finding) -> JSON {
        try passes(seconds: 1)
        let index = world.people.firstIndex { $0.username == username }
        let commander = index.map { world.commanders[$0] } ?? world.machine
        nextOp += 1
        let isQuery = if case .query? = Registry.family.methods[method]?.sort { true } else { false }
        commander.does(Commander.Command(op: isQuery ? "" : "story-\(nextOp)", method: method, params: params), world)
        var patience = 2000
        while commander.isBusy {
            try turn()
            try commander.step(world)
            patience -= 1
            guard patience > 0 else { throw Finding(checker: "story", what: "\(method) is never answered") }
        }
        // Whoever signs in there is not at the machine any more.
        if index == nil { commander.drop(world, isRude: false) }
        try settle()
        switch commander.results[method] {
        case .success(let result)?: return result
        case .failure(let rejection)?:
            throw Finding(checker: "story", what: "\(username) may not \(method): \(rejection.message)")
        case nil: throw Finding(checker: "story", what: "\(method) has no answer")
        }
    }

    /// Time passes, and what falls due is done.
    func passes(seconds: Int64) throws(Finding) {
        world.time.advance(milliseconds: seconds * 1000)
        try world.look()
        try settle()
    }

    /// The data of the last event of a type that the follower was told.
    func told(_ type: String) throws(Finding) -> JSON {
        for step in steps.reversed() {
            if let event = step["event"], event["type"]?.string == type { return event["data"] ?? .null }
        }
        throw Finding(checker: "story", what: "no \(type) was told")
    }

    /// Waits for the follower to be at the log's end, and writes down what a fresh snapshot says there.
    func compare() throws(Finding) {
        for _ in 0..<20 {
            try passes(seconds: 16)
            guard let end = try? world.daemon?.position(), case .object(var last)? = steps.last,
                let cursor = last["upto"]?["cursor"]?.string, world.position(of: cursor) == end
            else { continue }
            let fresh = Listener(token: follower.token, view: view)
            fresh.come(world)
            for _ in 0..<40 {
                try turn()
                try fresh.take(world)
            }
            guard let answer = fresh.steps.first?["answer"], let snapshot = answer["snapshot"], !snapshot.isNull else {
                throw Finding(checker: "story", what: "a fresh snapshot never came")
            }
            fresh.leave(world)
            last["snapshot"] = snapshot
            steps[steps.count - 1] = .object(last)
            return try settle()
        }
        throw Finding(checker: "story", what: "the follower never came to the log's end")
    }

    /// The steps without these parts of every snapshot, as a daemon says them that has no room for the parts.
    static func leaveOut(_ names: [String], of steps: [JSON]) -> [JSON] {
        guard !names.isEmpty else { return steps }
        func less(_ snapshot: JSON) -> JSON {
            guard var object = snapshot.object else { return snapshot }
            for name in names { object[name] = nil }
            object["more"] = .array(names.sorted().map { .string($0) })
            return .object(object)
        }
        return steps.map { step in
            var step = step
            for name in ["answer", "reset"] {
                if let snapshot = step[name]?["snapshot"] { step[name]?["snapshot"] = less(snapshot) }
            }
            if let snapshot = step["snapshot"] { step["snapshot"] = less(snapshot) }
            return step
        }
    }

    // MARK: Turns

    private func turn() throws(Finding) {
        try world.turnEverything()
        try listener.take(world)
        for step in listener.steps.dropFirst(taken) {
            taken += 1
            if isSpoiled, let event = step["event"] { steps += Self.spoiled(event).map { ["event": $0] } }
            steps.append(step)
        }
    }

    /// Until nothing moves any more.
    private func settle() throws(Finding) {
        var quiet = 0
        while quiet < 4 {
            let (moves, count) = (world.network.moves, taken)
            try turn()
            quiet = (moves, count) == (world.network.moves, taken) ? quiet + 1 : 0
        }
    }

    /// An event of a type that nobody knows, and copies without what has to be known of it.
    private static func spoiled(_ event: JSON) -> [JSON] {
        guard let type = event["type"]?.string, let data = event["data"]?.object,
            let declared = Registry.family.events[type]
        else { return [] }
        var unknown = event
        unknown["type"] = .string(type + "Tomorrow")
        // Lists of what changed came later; a daemon of an earlier version left them out.
        let needed = names(declared.data).filter { data[$0] != nil && $0 != "changed" && $0 != "changes" }
        return [unknown]
            + needed.map { name in
                var less = event
                less["data"]?[name] = nil
                return less
            }
    }

    /// The fields that must be there.
    private static func names(_ shape: Shape) -> [String] {
        switch shape {
        case .named(_, let shape): names(shape)
        case .either(let first, let second): names(first).filter { Set(names(second)).contains($0) }
        case .object(let fields): fields.filter(\.isRequired).map(\.name)
        default: []
        }
    }
}
