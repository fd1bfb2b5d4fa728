import CLinux

extension Machine {
    /// The words of the command line, the program's own name first.
    ///
    /// Read where the kernel put them. Swift's `CommandLine` looks for them beside the environment, and finds none when a
    /// library that was loaded first (`LD_PRELOAD`) has moved the environment; `/proc/self/cmdline` has the loader's own
    /// words where the program was begun through the loader, as in the archive for other distributions.
    public static let arguments: [String] = {
        let count = kin_argument_count()
        guard count > 0, unsafe kin_argument(count) == nil else { return CommandLine.arguments }
        return (0..<count).map { unsafe kin_argument($0).map { unsafe String(cString: $0) } ?? "" }
    }()
}
