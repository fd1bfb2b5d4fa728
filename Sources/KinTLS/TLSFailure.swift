/// What can go wrong with certificates and TLS. The sentence is for a person.
public enum TLSFailure: Error, Sendable, Equatable {
    /// A file could not be read or written.
    case file(String)
    /// A certificate or key is not usable: unreadable, encrypted, or the two don't belong together.
    case certificate(String)
    /// The local authority's folder is damaged, and only a backup or a new root helps.
    case authority(String)
    /// libssl refused something.
    case library(String)

    /// What happened and what to do.
    public var sentence: String {
        switch self {
        case .file(let sentence), .certificate(let sentence), .authority(let sentence), .library(let sentence): sentence
        }
    }
}
