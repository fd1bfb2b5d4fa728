extension Machine {
    /// The words of the command line, the program's own name first.
    ///
    /// Read from the kernel. Swift's `CommandLine` looks for them beside the environment, and finds none when a library
    /// that was loaded first (`LD_PRELOAD`) has moved the environment.
    public static let arguments: [String] = {
        let kept = try? Files.read("/proc/self/cmdline", max: 16 << 20)
        guard let bytes = kept, bytes.last == 0 else { return CommandLine.arguments }
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }()
}
