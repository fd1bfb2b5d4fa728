import CLinux

/// How soon a thread gets a processor that others of the process want as well.
public enum Pace: Sendable {
    /// It wakes often and does little: it does not wait for the end of another's slice, which takes milliseconds.
    case prompt
    /// It computes for long and gives way.
    case patient

    /// Makes it the calling thread's. The kernel may know nothing of it or a sandbox refuse: nothing but time depends on
    /// it.
    public func take() {
        switch self {
        case .prompt: _ = kin_shorten_slice(100_000)
        case .patient: _ = kin_be_nicer(10)
        }
    }
}
