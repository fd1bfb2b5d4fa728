import KinModel

/// A list of which no snapshot has anything, as a client keeps it: as it was answered, with every event since applied.
protocol KeptList: Sendable {
    /// From an answer; `nil` where that is not the whole list.
    init?(_ result: JSON)
    /// Applies an event; false where it does not say what the list is now, and a client asks for it again.
    mutating func apply(_ event: Event) -> Bool
    /// What the list says, by what each line is about.
    var lines: [String: JSON] { get }
    /// Whether it lists nothing.
    var isEmpty: Bool { get }
}

extension KeptList {
    var isEmpty: Bool { lines.isEmpty }

    /// The first line that another list has otherwise.
    func difference(from now: any KeptList) -> String? {
        let (kept, listed) = (lines, now.lines)
        guard let about = Set(kept.keys).union(listed.keys).sorted().first(where: { kept[$0] != listed[$0] }) else {
            return nil
        }
        let (old, new) = (kept[about]?.text ?? "not there", listed[about]?.text ?? "not there")
        return "\(about) is \(new); in the list before, with every event since, it is \(old)"
    }
}
