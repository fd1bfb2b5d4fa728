import KinCrypto
public import KinKeeper

/// The slow part of passwords.
public enum PasswordWork: SlowWork {
    /// Judge a new password and hash it.
    case newPassword(String, knownWords: [String], salt: [UInt8])
    /// Compare a password with a stored hash (or with the decoy, so that the time tells nothing).
    case checkPassword(String, encoded: String)
    /// Compare the old password, then judge and hash the new one.
    case changePassword(old: String, encoded: String, new: String, knownWords: [String], salt: [UInt8])

    /// The result of the work.
    public enum Made: Sendable {
        /// The new password's encoded hash; and the old one it was checked against, where one was.
        case hash(String, replacing: String?)
        /// The password is too weak; the sentence says why and what to do.
        case weak(String)
        /// Whether the password was right, and the hash it was compared with: it may be another by now.
        case matched(Bool, encoded: String)
    }

    /// The worker that does it.
    public var sort: WorkSort { .password }

    /// Does it.
    public func run(at place: borrowing Workplace) -> SlowResult {
        switch self {
        case .newPassword(let password, let knownWords, let salt):
            return Self.hash(password, knownWords, salt, replacing: nil)
        case .checkPassword(let password, let encoded):
            return .passwordMatched(PasswordHash.matches(password, encoded), encoded: encoded)
        case .changePassword(let old, let encoded, let new, let knownWords, let salt):
            guard PasswordHash.matches(old, encoded) else { return .passwordMatched(false, encoded: encoded) }
            return Self.hash(new, knownWords, salt, replacing: encoded)
        }
    }

    private static func hash(
        _ password: String, _ knownWords: [String], _ salt: [UInt8], replacing old: String?
    ) -> SlowResult {
        let judgement = PasswordQuality.judge(password, knownWords: knownWords)
        if let advice = judgement.advice { return .weakPassword(advice) }
        return .passwordHash(PasswordHash.make(password, salt: salt), replacing: old)
    }
}

extension SlowResult {
    /// A password was hashed.
    public static func passwordHash(_ encoded: String, replacing old: String?) -> SlowResult {
        .made(PasswordWork.Made.hash(encoded, replacing: old))
    }
    /// A password is too weak.
    public static func weakPassword(_ advice: String) -> SlowResult { .made(PasswordWork.Made.weak(advice)) }
    /// A password was compared.
    public static func passwordMatched(_ isRight: Bool, encoded: String) -> SlowResult {
        .made(PasswordWork.Made.matched(isRight, encoded: encoded))
    }

    /// The result about a password.
    var password: PasswordWork.Made? { made(PasswordWork.Made.self) }
}
