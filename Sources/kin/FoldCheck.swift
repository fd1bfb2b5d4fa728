import KinClient
import KinCodec
import KinLoop
import KinModel
import KinWords

/// Checks that the snapshot of the last run, with every event since, equals a fresh snapshot. Every client relies on
/// this.
struct FoldCheck {
    static var name: String { phrase("doctor.fold") }

    private let door: Door
    private let path: String?
    private let member: String

    init(_ door: Door, username: String) {
        self.door = door
        member = username
        path = Login.folder("XDG_STATE_HOME", under: ".local/state").map { "\($0)/doctor.json" }
    }

    func run() throws(Problem) -> Check {
        let kept = kept()
        let follower = Follower(
            credential: door.credential, since: kept?.cursor, view: kept?.view, snapshot: kept?.snapshot)
        let wakeup: Wakeup
        do throws(LoopFailure) { wakeup = try Wakeup() } catch { throw .failed(error.sentence) }
        let client = FollowingClient(follower, address: door.address, trust: door.trust, interruption: wakeup)
        var events = 0
        var wasReset = false
        try follow(client, &events, &wasReset)
        var fresh = try snapshot()
        // A commit between the two may still be on its way. Only a difference that stays counts.
        for _ in 0..<10 where client.follower.snapshot != fresh {
            guard case .nothing = client.next(timeoutMilliseconds: 300) else { continue }
            fresh = try snapshot()
        }
        let folded = client.follower.snapshot
        try keep(client.follower)
        guard folded == fresh else {
            return .failed(
                Self.name,
                phrase("fold.differ", ["parts": Self.difference(folded, fresh)]))
        }
        guard kept != nil else { return .ok(Self.name, phrase("fold.first")) }
        if wasReset { return .ok(Self.name, phrase("fold.old")) }
        return .ok(Self.name, phrase("fold.same", ["n": events]))
    }

    private func follow(_ client: FollowingClient, _ events: inout Int, _ wasReset: inout Bool) throws(Problem) {
        let start = LocalTime.now
        var isReset = false
        while LocalTime.now.milliseconds(since: start) < 60_000 {
            switch client.next(timeoutMilliseconds: isReset ? 500 : 20_000) {
            case .event: events += 1
            case .reset: (wasReset, isReset) = (true, true)
            case .caughtUp: return
            case .nothing: if isReset || client.follower.state == .following { return }
            case .lost(let sentence, _): throw Problem(.notReachable, sentence)
            case .stopped(.refused(let rejection)): throw Problem(rejection)
            case .stopped(.closed(let closing)): throw Problem(.closed(closing))
            case .message, .passing, .back, .interrupted: break
            }
        }
    }

    private func snapshot() throws(Problem) -> Snapshot {
        let result = try client { () throws(ClientFailure) in
            let conversation = try Conversation.open(door.address, trust: door.trust, credential: door.credential)
            return try conversation.call("live.follow", ["since": .null])
        }
        guard let snapshot = result["snapshot"].flatMap(Snapshot.init) else {
            throw Problem(.notReachable, phrase("fold.none"))
        }
        return snapshot
    }

    private static func difference(_ folded: Snapshot?, _ fresh: Snapshot) -> String {
        guard let folded = folded?.json.object, let fresh = fresh.json.object else { return phrase("fold.everything") }
        return fresh.names.filter { folded[$0] != fresh[$0] }.joined(separator: ", ")
    }

    // MARK: What is kept from run to run

    private struct Kept {
        let cursor: String
        let view: String?
        let snapshot: Snapshot
    }

    private func kept() -> Kept? {
        guard let path, let bytes = try? Files.read(path, max: 4 << 20), let json = try? JSON.parse(bytes),
            json["address"]?.string == door.address.description, json["member"]?.string == member,
            let cursor = json["cursor"]?.string, let snapshot = json["snapshot"].flatMap(Snapshot.init)
        else { return nil }
        return Kept(cursor: cursor, view: json["view"]?.string, snapshot: snapshot)
    }

    private func keep(_ follower: Follower) throws(Problem) {
        guard let path, let cursor = follower.cursor, let snapshot = follower.snapshot else { return }
        let json = JSON.object(leavingOut: [
            "address": .string(door.address.description), "member": .string(member), "cursor": .string(cursor),
            "view": follower.view.map { .string($0) }, "snapshot": snapshot.json,
        ])
        try client { () throws(ClientFailure) in try Login.makeFolder(of: path) }
        do throws(LoopFailure) { try Files.write(json.bytes, to: path, mode: 0o600) } catch {
            throw .failed(phrase("file.unwritable-because", ["path": path, "reason": error.sentence]))
        }
    }
}
