extension Machine {
    /// The words of the command line, the program's own name first.
    ///
    /// Swift's `CommandLine` looks for them beside the environment, and finds none when a library that was loaded first
    /// (`LD_PRELOAD`) has moved the environment. The kernel knows them always, but behind the loader's own words where the
    /// program was begun through the loader, as in the archive for other distributions. So the kernel's are taken unless
    /// Swift's are the end of them.
    public static let arguments: [String] = {
        let found = CommandLine.arguments
        let kept = try? Files.read("/proc/self/cmdline", max: 16 << 20)
        guard let bytes = kept, bytes.last == 0 else { return found }
        let all = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard !found.isEmpty, found.count <= all.count, all.suffix(found.count - 1) == found.dropFirst()[...] else {
            return all
        }
        return found
    }()
}
