/// An exclusive hold on a file, as long as this object lives. A process that ends lets go by itself.
final class FileLock {
    private let release: () -> Void
    init(release: @escaping () -> Void) { self.release = release }
    deinit { release() }
}
