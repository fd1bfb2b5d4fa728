/// A failure of the store: one closed type for the module. Its words never hold a bound value.
public enum StoreFailure: Error, Equatable {
    /// The disk is full (or the quota is used up); what was being written was rolled back.
    case full
    /// The disk failed. `code` is an extended result code of SQLite (256 and more) or an `errno` (below 256).
    case io(code: Int32)
    /// The database is damaged, or no database of Kinwire.
    case corrupt(String)
    /// A backup is damaged, or none of ours.
    case badBackup(String)
    /// A backup ends before its end: it was copied in part.
    case backupCutOff
    /// The database was written by a newer Kinwire: its last migration is `found`, ours is `known`.
    case newer(found: Int, known: Int)
    /// Another process holds this directory.
    case inUse(path: String)
    /// A backup is put into an empty directory only, and this one holds something.
    case notEmpty(path: String)
    /// The directory or a file in it cannot be written by this user.
    case notWritable(path: String)
    /// The file system of the directory takes nothing: it is mounted read-only.
    case readOnly(path: String)
    /// The database is no longer where it was opened: what is written to it would be in no file with a name.
    case gone(path: String)
    /// A constraint of the schema was violated; the text names table and columns.
    case constraint(String)
    /// A statement failed for another reason: a fault of the program, or a limit.
    case statement(code: Int32, message: String)
    /// A statement that reads ran for longer than it may, and was ended.
    case overdue
    /// The transaction was rolled back by SQLite in the middle of a turn: the whole batch is refused.
    case transactionGone
    /// COMMIT failed so that nobody can say whether the transaction is on disk. Nothing may be done with this store any
    /// more: answer `outcome:"unknown"` and exit.
    case fateUnknown(code: Int32)

    /// One sentence for a person, with the next step where there is one.
    public var sentence: String {
        switch self {
        case .full: "The disk is full: nothing was changed. Make room, or delete something."
        case .io(let code): "The disk failed (code \(code)). Look at the system's log and at the disk's health."
        case .corrupt(let what): "The database is damaged: \(what). Restore the newest backup."
        case .badBackup(let what): "The backup cannot be used: \(what). Take another one."
        case .backupCutOff:
            "The backup is cut off: its end is missing, as after a copy that was interrupted. Copy it again, or take "
                + "another one."
        case .newer(let found, let known):
            "The database was written by a newer Kinwire (its version is \(found), this program knows \(known)): "
                + "install the newer Kinwire."
        case .inUse(let path): "Another kinwired is running on \(path): stop it first, or use another directory."
        case .notEmpty(let path):
            "\(path) is not empty, and a restore overwrites nothing: name a new directory, or move what is there away."
        case .notWritable(let path): "\(path) cannot be written: give it to the user that runs kinwired."
        case .readOnly(let path):
            "\(path) is on a read-only file system: mount it for writing. A disk that failed is made read-only too; the "
                + "system's log says so."
        case .gone(let path):
            "The family's directory \(path) is gone, or another one is in its place. Put it back, and start kinwired again."
        case .constraint(let what): "The change does not fit what is stored: \(what)."
        case .statement(let code, let message): "A statement failed (code \(code)): \(message)."
        case .overdue: "The database took too long for this. Ask for less at once."
        case .transactionGone: "The database rolled the change back; try again."
        case .fateUnknown(let code):
            "The disk failed while saving (code \(code)): whether the change was kept is known after the next start."
        }
    }
}
