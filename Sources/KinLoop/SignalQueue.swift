import CLinux

/// The signals that have reached this process and were not seen yet (a signalfd).
final class SignalQueue {
    let descriptor: Descriptor

    /// Blocks the signals in this thread, so that they queue here.
    init(_ signals: [Signal]) throws(LoopFailure) {
        Signal.block(signals)
        var set = Signal.set(of: signals)
        descriptor = Descriptor(owning: try LoopFailure.check("signalfd", unsafe kin_signalfd(&set)))
    }

    /// The next signal; `nil` when there is none.
    func next() -> Signal? {
        let number = kin_signal_read(descriptor.number)
        return number > 0 ? Signal(number: number) : nil
    }
}
