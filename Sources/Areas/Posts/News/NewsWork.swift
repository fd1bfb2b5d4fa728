import KinCrypto
package import KinKeeper
import KinModel

/// Reads a source of news outside, and parses its feed.
package struct NewsWork: SlowWork {
    /// The address to look at.
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

    /// The result.
    struct Made: Sendable {
        enum Outcome: Sendable {
            /// Nothing has changed.
            case same
            /// The feed has this content now. `freshSeconds` is the time for which the server says that it stays so.
            case file(FeedFile, digest: [UInt8], freshSeconds: Int64?)
            case failed(NewsSource.Trouble, retryAfter: Int64?)
            /// No request was made, because there were too many at once.
            case crowded
        }

        let id: Identifier
        /// The address at which it was read; by now the source may have another one.
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
