/// The progress of a long job. It is drawn on a terminal only, over itself.
final class ProgressBar {
    private let output: Output
    private let total: Int
    private var shown = ""

    init(_ output: Output, total: Int) {
        self.output = output
        self.total = total
    }

    func show(_ done: Int) {
        guard output.canDraw else { return }
        let text = Self.text(done, of: total)
        guard text != shown else { return }
        shown = text
        output.draw("\r\(text)")
    }

    /// Clears its line for the next output.
    func clear() {
        guard !shown.isEmpty else { return }
        output.draw("\r" + String(repeating: " ", count: shown.count) + "\r")
        shown = ""
    }

    /// `[#####---------------]  25 %  5 of 20`.
    static func text(_ done: Int, of total: Int) -> String {
        let done = min(max(done, 0), max(total, 1))
        let filled = done * 20 / max(total, 1)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
        return phrase("progress", ["bar": bar, "percent": done * 100 / max(total, 1), "done": done, "total": total])
    }
}
