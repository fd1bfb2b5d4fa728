import KinModel
import KinWords

/// Decides when to tell the desktop of new inbox entries, without a storm. Entries that come together make one notice,
/// and so do those missed while away. Between two notices there is a pause.
struct Notices {
    /// Seconds of silence that end a burst; seconds after which even a burst that goes on is shown; and seconds between
    /// two notices.
    static let silenceSeconds: Int64 = 1
    static let burstSeconds: Int64 = 5
    static let pauseSeconds: Int64 = 30

    /// The entries that wait, the newest last; one for each thing.
    private var waiting: [InboxEntry] = []
    private var first: Instant?
    private var last: Instant?
    private var told: Instant?
    /// Whether missed entries are still coming in. They are shown when that is over.
    private var isCatchingUp: Bool

    init(isCatchingUp: Bool) { self.isCatchingUp = isCatchingUp }

    /// Takes a new entry. A member's own acts are not in that member's inbox; if one is, it is left out here.
    mutating func heard(_ entry: InboxEntry, me: Identifier?, now: Instant) {
        guard entry.isUnread else { return forget(entry.id) }
        if let me, entry.lines.last?["by"]?.identifier == me { return }
        waiting.removeAll { $0.id == entry.id }
        waiting.append(entry)
        first = first ?? now
        last = now
    }

    /// Forgets an entry that was read or dismissed elsewhere meanwhile.
    mutating func forget(_ id: Identifier) { waiting.removeAll { $0.id == id } }
    mutating func read(upTo: Instant) { waiting.removeAll { $0.at <= upTo } }

    /// The connection broke: the next entries are those that were missed.
    mutating func lost() { isCatchingUp = true }
    /// All missed notices have been told.
    mutating func caughtUp() { isCatchingUp = false }

    /// The entries to be shown now, the newest last; empty if nothing is due.
    mutating func due(_ now: Instant) -> [InboxEntry] {
        guard !waiting.isEmpty, let moment = dueAt, now >= moment else { return [] }
        defer {
            waiting = []
            (first, last, told) = (nil, nil, now)
        }
        return waiting
    }

    /// Milliseconds until an entry is due; `nil` if none waits.
    func milliseconds(_ now: Instant) -> Int? {
        guard !waiting.isEmpty, let moment = dueAt else { return nil }
        return Int(clamping: max(0, moment.milliseconds(since: now)))
    }

    private var dueAt: Instant? {
        guard let first, let last else { return nil }
        // The daemon reports the end of a replay. If that report is missing, a longer silence ends the replay.
        let silence = isCatchingUp ? 3 * Self.silenceSeconds : Self.silenceSeconds
        var moment = min(last.adding(seconds: silence), first.adding(seconds: Self.burstSeconds))
        if isCatchingUp { moment = last.adding(seconds: silence) }
        if let told { moment = max(moment, told.adding(seconds: Self.pauseSeconds)) }
        return moment
    }

    /// A heading and a text for one entry or for several.
    static func text(_ entries: [InboxEntry], _ voice: InboxVoice) -> (title: String, body: String)? {
        guard let newest = entries.last else { return nil }
        if entries.count == 1 {
            let sentence = newest.lines.last.map { voice.sentence($0, of: newest) } ?? ""
            return voice.hasTitle(newest) ? (voice.title(newest), sentence) : ("Kinwire", sentence)
        }
        let shown = entries.suffix(3).map { voice.whole($0) }
        let more = entries.count - shown.count
        let lines = shown + (more > 0 ? [phrase("notify.more", ["n": more])] : [])
        return (phrase("notify.several", ["n": entries.count]), lines.joined(separator: "\n"))
    }
}
