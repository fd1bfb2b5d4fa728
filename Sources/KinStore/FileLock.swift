/// An exclusive lock on a file, as long as this object lives. It ends with the process.
final class FileLock {
    private let release: () -> Void
    init(release: @escaping () -> Void) { self.release = release }
    deinit { release() }
}
