/// A look at something that a machine outside shows, which an admin permitted. An answer that was kept and is still fresh is
/// taken without asking; an old one is taken if the machine cannot be reached. Nothing is kept if the address is a secret:
/// then the area keeps what it needs, and says by ``validators`` which state it has.
public struct OutsideLook: Sendable {
    /// The address. It may be a secret, and is never logged.
    public let address: String
    /// The media types that are wanted, as the field `Accept` has them.
    public let accept: String
    /// Its purpose, as part of a sentence: `map tiles`.
    public let purpose: String
    /// The only hosts that are asked, redirects included: `tiles.example.com`, `*.example.com`; `nil`: every host outside
    /// the house.
    public let hosts: [String]?
    /// Bytes of the content at most.
    public let bytesMax: Int
    /// Milliseconds for the whole exchange.
    public let milliseconds: Int
    /// How often one host is asked in a minute.
    public let perMinute: Int
    /// Whether nothing of what it shows is kept, because the address or the content is private.
    public let isPrivate: Bool
    /// Those of an earlier page (``OutsidePage/validators``): where nothing has changed since, nothing is sent.
    public let validators: String?
    /// The machines of the house that admins allow to be asked.
    public private(set) var permitted: [OutsideHost] = []

    /// A look.
    public init(
        at address: String, accept: String, purpose: String, hosts: [String]?, bytesMax: Int, milliseconds: Int,
        perMinute: Int, isPrivate: Bool = false, validators: String? = nil
    ) {
        self.address = address
        self.accept = accept
        self.purpose = purpose
        self.hosts = hosts
        self.bytesMax = bytesMax
        self.milliseconds = milliseconds
        self.perMinute = perMinute
        self.isPrivate = isPrivate
        self.validators = validators
    }

    /// The look with the admins' present permission.
    func permitting(_ places: [OutsideHost]) -> OutsideLook {
        var look = self
        look.permitted = places
        return look
    }
}

/// What a look showed.
public enum OutsideSight: Sendable, Hashable {
    /// The machine answered; or had, and what is kept of that is still good.
    case shown(OutsidePage)
    /// Nothing has changed since the page of the look's ``OutsideLook/validators``.
    case unchanged
    /// The machine did not answer, or was not asked.
    case failed(OutsideFailure)
}

/// What a machine outside showed.
public struct OutsidePage: Sendable, Hashable {
    /// The status of HTTP; never that of a redirect.
    public let status: Int
    /// The content, whole.
    public let content: [UInt8]
    /// The other machine's validators of this state, for the next look; `nil` where it gives none.
    public let validators: String?
    /// In how many seconds to ask again, where it said so.
    public let retryAfterSeconds: Int64?
    /// For how many seconds the machine says that it stays as it is, where it said so.
    public let freshSeconds: Int64?

    /// A page.
    public init(
        status: Int, content: [UInt8], validators: String? = nil, retryAfterSeconds: Int64? = nil,
        freshSeconds: Int64? = nil
    ) {
        self.status = status
        self.content = content
        self.validators = validators
        self.retryAfterSeconds = retryAfterSeconds
        self.freshSeconds = freshSeconds
    }
}

/// Why nothing was shown.
public struct OutsideFailure: Sendable, Hashable {
    /// What stood in the way.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// The address, or one that it redirects to, is not asked: it lies in the house, or nobody allowed it.
        case refused
        /// The address redirects to one that is none or is not enciphered, or again and again.
        case redirected
        /// The name was not found, or nobody answers there.
        case unreachable
        /// It took too long.
        case slow
        /// The machine could not show that it is the one that was asked for.
        case untrusted
        /// There is more than is taken.
        case tooLarge
        /// What came is no answer.
        case notUnderstood
        /// Too much is asked at once. Nobody is to blame, and a minute later it may go.
        case later
    }

    /// What stood in the way.
    public let kind: Kind
    /// A sentence on what happened and what to do. It names the host at most.
    public let sentence: String

    /// A failure.
    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

extension OutsideDesk {
    /// A desk that takes letters only.
    public func look(_ look: OutsideLook) -> OutsideSight {
        .failed(OutsideFailure(.refused, "Nothing is looked at from here."))
    }
}
