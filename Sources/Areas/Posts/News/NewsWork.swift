import KinCrypto
package import KinKeeper
import KinModel

/// Reads a source of news outside, and what its feed says.
package struct NewsWork: SlowWork {
    /// What is looked at.
    package let look: OutsideLook
    private let id: Identifier
    private let digest: [UInt8]?

    package var sort: WorkSort { .outside }

    init(_ source: StoredSource) {
        look = OutsideLook(
            at: source.address,
            accept: "application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, */*;q=0.1",
            purpose: "news", hosts: nil, bytesMax: Limits.newsBytesMax, milliseconds: Limits.newsMilliseconds,
            perMinute: Limits.newsPerMinute, isPrivate: true, validators: source.validators)
        id = source.id
        digest = source.digest
    }

    /// What came of it.
    struct Made: Sendable {
        enum Outcome: Sendable {
            /// Nothing has changed.
            case same
            /// There is this now. `freshSeconds`: for how long the server says that it stays so.
            case file(FeedFile, digest: [UInt8], freshSeconds: Int64?)
            case failed(NewsSource.Trouble, retryAfter: Int64?)
            /// Nobody asked: too much was asked at once.
            case crowded
        }

        let id: Identifier
        /// Where it was read: by now it may have another address.
        let address: String
        var validators: String?
        let outcome: Outcome

        var isCrowded: Bool { if case .crowded = outcome { true } else { false } }
    }

    package func run(at place: borrowing Workplace) -> SlowResult {
        func made(_ outcome: Made.Outcome, validators: String? = nil) -> SlowResult {
            .made(Made(id: id, address: look.address, validators: validators, outcome: outcome))
        }
        switch look.read(at: place) as OutsideReading<NewsSource.Trouble> {
        case .same: return made(.same, validators: look.validators)
        case .crowded: return made(.crowded)
        case .failed(let trouble, let retryAfter): return made(.failed(trouble, retryAfter: retryAfter))
        case .page(let page):
            let found = Array(Digest.sha256(page.content))
            guard found != digest else { return made(.same, validators: page.validators) }
            do throws(FeedFile.NoFeed) {
                let file = try FeedFile(page.content, at: look.address)
                return made(.file(file, digest: found, freshSeconds: page.freshSeconds), validators: page.validators)
            } catch { return made(.failed(error.trouble, retryAfter: nil)) }
        }
    }
}

extension NewsSource.Trouble: OutsideTrouble {}
