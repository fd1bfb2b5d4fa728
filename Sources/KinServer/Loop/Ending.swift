/// The daemon's end: by when everybody must have taken leave, what forced it, and whether it is reached.
///
/// Confined to the loop's thread.
struct Ending {
    /// The moment at which whoever is still connected is closed; `nil` while nothing ends.
    private(set) var deadline: UInt64?
    /// The reason for an end that nobody asked for, such as a commit whose fate is unknown.
    private(set) var fatal: String?
    /// True when everything is closed.
    private(set) var isFinished = false

    /// Whether nothing new is taken any more.
    var hasBegun: Bool { deadline != nil }

    /// Nothing new is taken from here on.
    mutating func begin(closingAt moment: UInt64) { deadline = moment }

    /// Something forces the end. Of several reasons the first is told.
    mutating func fail(_ sentence: String) {
        if fatal == nil { fatal = sentence }
    }

    /// Nobody is connected any more.
    mutating func finish() { isFinished = true }
}
