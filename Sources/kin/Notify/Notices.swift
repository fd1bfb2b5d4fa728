import KinModel
import KinWords

/// Decides when to tell the desktop of new inbox entries, without a storm. Entries that come together make one notice,
/// and so do those missed while away. Between two notices there is a pause.
struct Notices {
    /// Seconds of silence that end a burst, seconds after which even a burst that goes on is told, and seconds between
    /// two notices.
    static let silenceSeconds: Int64 = 1
    static let burstSeconds: Int64 = 5
    static let pauseSeconds: Int64 = 30

    /// What is waiting, the newest last; one of each thing.
    private var waiting: [InboxEntry] = []
    private var first: Instant?
    private var last: Instant?
    private var told: Instant?
    /// Whether missed entries are still coming in. They are told when that is over.
    private var isCatchingUp: Bool

    init(isCatchingUp: Bool) { self.isCatchingUp = isCatchingUp }

    /// Something came. The own acts of a member are not in the own inbox; if one were, it is left out here.
    mutating func heard(_ entry: InboxEntry, me: Identifier?, now: Instant) {
        guard entry.isUnread else { return forget(entry.id) }
        if let me, entry.lines.last?["by"]?.identifier == me { return }
        waiting.removeAll { $0.id == entry.id }
        waiting.append(entry)
        first = first ?? now
        last = now
    }

    /// It was read or dismissed elsewhere meanwhile.
    mutating func forget(_ id: Identifier) { waiting.removeAll { $0.id == id } }
    mutating func read(upTo: Instant) { waiting.removeAll { $0.at <= upTo } }

    /// The connection broke: what comes next is what was missed.
    mutating func lost() { isCatchingUp = true }
    /// All missed notices have been told.
    mutating func caughtUp() { isCatchingUp = false }

    /// The entries to tell now, the newest last; empty when nothing is due.
    mutating func due(_ now: Instant) -> [InboxEntry] {
        guard !waiting.isEmpty, let moment = dueAt, now >= moment else { return [] }
        defer {
            waiting = []
            (first, last, told) = (nil, nil, now)
        }
        return waiting
    }

    /// Milliseconds until something is due; `nil` when nothing waits.
    func milliseconds(_ now: Instant) -> Int? {
        guard !waiting.isEmpty, let moment = dueAt else { return nil }
        return Int(clamping: max(0, moment.milliseconds(since: now)))
    }

    private var dueAt: Instant? {
        guard let first, let last else { return nil }
        // A replay ends with a word of the daemon's; should that not come, the silence after it does.
        let silence = isCatchingUp ? 3 * Self.silenceSeconds : Self.silenceSeconds
        var moment = min(last.adding(seconds: silence), first.adding(seconds: Self.burstSeconds))
        if isCatchingUp { moment = last.adding(seconds: silence) }
        if let told { moment = max(moment, told.adding(seconds: Self.pauseSeconds)) }
        return moment
    }

    /// A heading and a text, of one thing or of several.
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
