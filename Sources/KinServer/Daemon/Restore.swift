import KinFamily
import KinKeeper
import KinModel
import KinStore

/// Restores a backup. It is verified first, and goes into an empty directory. A backup may be old and its secrets may
/// have leaked: so every session and app password is closed, and sharing is paused until each member confirms.
public enum Restore {
    /// Restores or only verifies; answers what to tell the person.
    public static func run(
        _ archive: String, into directory: String, verifiesOnly: Bool
    ) throws(Daemon.StartFailure) -> String {
        do throws(StoreFailure) {
            let summary = try Backup.verify(archive, scratch: directory + ".verify")
            let words = "of \(summary.at), \(summary.blobs) pictures, \(summary.bytes) bytes"
            if verifiesOnly { return "The backup is whole: \(words)." }
            _ = try Backup.extract(archive, into: directory)
            try Keeper.afterRestore(directory: directory, registry: .family, now: summary.at)
            return """
                The backup was restored: \(words).
                Everybody signs in again, phones get new app passwords, and sharing is paused until each member turns it on.
                """
        } catch { throw Daemon.StartFailure(sentence: error.sentence) }
    }
}
