internal import CICal

/// libical, set up once: an error is an answer there, never the end of the process.
enum Library {
    /// Said before the first call; libical keeps it for the whole process.
    static let isReady: Bool = {
        icalerror_set_errors_are_fatal(0)
        ical_set_unknown_token_handling_setting(ICAL_TREAT_AS_ERROR)
        return true
    }()

    /// Runs something on libical. Afterwards nothing of it is left in libical's ring of temporary texts, which else keeps
    /// the last 2,500 of each thread.
    static func use<T>(_ body: () -> T) -> T {
        precondition(isReady)
        defer { icalmemory_free_ring() }
        return body()
    }

    /// A text of libical's that is the caller's to free.
    static func text(_ made: UnsafeMutablePointer<CChar>?) -> String? {
        guard let made = unsafe made else { return nil }
        defer { unsafe icalmemory_free_buffer(made) }
        return unsafe String(validatingCString: made)
    }
}
