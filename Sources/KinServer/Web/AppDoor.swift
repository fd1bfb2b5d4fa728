import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel
import KinQR
import KinWeb
import KinWords

/// The family's page: the shell at `/` for browsers that are signed in, its files, its service worker and its manifest.
/// All of it is the same for everybody. The page itself then asks who is signed in.
final class AppDoor: Door {
    /// The policy for the shell. It may load its own files and the daemon's answers, and nothing from elsewhere.
    /// Scripts are files, never text in a page.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        + "media-src 'self' blob:; connect-src 'self'; "
        + "manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        let app = doorway.server.settings.web.map { WebApp(folder: $0) { try? Files.read($0) } } ?? .shared
        let answer: () -> HTTPAnswer
        switch head.path.first {
        case nil where hasCookie(head, doorway):
            answer = {
                var shown = visit(app, head, doorway, .page)
                doorway.server.nameSignIn(doorway.connection, head, &shown)
                return shown
            }
        case "wall" where head.path.count == 1 && hasCookie(head, doorway):
            answer = { visit(app, head, doorway, .wall) }
        case "sw.js" where head.path.count == 1: answer = { worker(app, head) }
        case "manifest.webmanifest" where head.path.count == 1: answer = { manifest(app, head) }
        case "app" where head.path == ["app", "qr"]:
            return head.method == .post ? .taken(AppDoor()) : .otherVerbs(["POST"])
        case "app" where head.path.count == 3: answer = { file(app, head) }
        default: return nil
        }
        // OwnTracks posts to whatever address was typed, even the bare one.
        guard head.method == .get || head.method == .head else {
            return head.path.isEmpty ? nil : .otherVerbs(["GET", "HEAD"])
        }
        return .answered(answer())
    }

    // MARK: A text as a code to scan

    func content(_ doorway: Doorway) -> DoorContent { .held(bytesMax: 1_024) }

    /// Answers the request's text as a QR code. Nothing of it is kept, and no address has the text in it.
    func end(isTooLong: Bool, _ doorway: Doorway) {
        guard !isTooLong, let svg = QRCode(String(decoding: doorway.body, as: UTF8.self))?.svg else {
            return doorway.respond(.problem(413, "A code holds at most 1,024 bytes."))
        }
        doorway.respond(
            HTTPAnswer(
                200,
                [
                    "Content-Type": "image/svg+xml", "Cache-Control": "no-store",
                    "Content-Security-Policy": ServedType.contentSecurityPolicy,
                ], body: Array(svg.utf8)))
    }

    private static func hasCookie(_ head: HTTPRequestHead, _ doorway: Doorway) -> Bool {
        head.headers.cookies(doorway.server.hall.policy.cookieName(doorway.connection)).first.map { !$0.isEmpty }
            ?? false
    }

    // MARK: The answers

    /// The shell, which a visit begins with: all else that the page needs follows at once.
    private static func visit(
        _ app: WebApp, _ head: HTTPRequestHead, _ doorway: Doorway, _ entry: WebApp.Entry
    ) -> HTTPAnswer {
        doorway.server.noteChurn(by: Churn.visitWeight)
        return shell(app, head, doorway.site, entry)
    }

    private static func shell(
        _ app: WebApp, _ head: HTTPRequestHead, _ site: Site, _ entry: WebApp.Entry
    ) -> HTTPAnswer {
        let language = Language(accepting: head.headers.values("Accept-Language").joined(separator: ","))
        let content = app.shell(entry, language, leaflet: Leaflet.folder, canonicalURL: site.canonicalURL)
        return fresh(
            head, content, type: "text/html; charset=utf-8", key: "\(entry.rawValue).\(language.rawValue)",
            [
                "Content-Language": language.rawValue, "Content-Security-Policy": contentSecurityPolicy,
                "Permissions-Policy": "geolocation=(self), screen-wake-lock=(self), camera=(), microphone=()",
            ], vary: "Accept-Language, Cookie, Accept-Encoding")
    }

    private static func worker(_ app: WebApp, _ head: HTTPRequestHead) -> HTTPAnswer {
        fresh(
            head, app.worker, type: "text/javascript; charset=utf-8", key: "worker",
            [
                "Content-Security-Policy":
                    "default-src 'none'; connect-src 'self'; script-src 'self'"
            ])
    }

    private static func manifest(_ app: WebApp, _ head: HTTPRequestHead) -> HTTPAnswer {
        let language = Language(accepting: head.headers.values("Accept-Language").joined(separator: ","))
        return fresh(
            head, app.manifest(language), type: "application/manifest+json",
            key: "manifest.\(language.rawValue)", vary: "Accept-Language, Accept-Encoding")
    }

    /// A file at the address of its version, or Leaflet's where Debian's package is installed.
    private static func file(_ app: WebApp, _ head: HTTPRequestHead) -> HTTPAnswer {
        let (version, name) = (head.path[1], head.path[2])
        if version == Leaflet.version, let file = Leaflet.file(name) {
            return kept(head, file, key: "leaflet.\(name)")
        }
        guard version == app.version, let file = app.file(name) else {
            return .problem(
                404, "This file is of another version of the page; load the page anew.",
                headers: ["Cache-Control": "no-store"])
        }
        return kept(head, file, key: "\(version)/\(name)")
    }

    /// An answer that the browser keeps and revalidates each time, which costs a few bytes.
    private static func fresh(
        _ head: HTTPRequestHead, _ content: [UInt8], type: String, key: String, _ more: HTTPHeaders = [:],
        vary: String = "Accept-Encoding"
    ) -> HTTPAnswer {
        let etag = Representation.etag(Digest.sha256(content))
        return answer(
            head, content, more, etag: etag, cacheControl: "no-cache", vary: vary, type: type, key: "\(key).\(etag)",
            isText: true)
    }

    /// An answer that the browser keeps for ever: other content has another address.
    private static func kept(_ head: HTTPRequestHead, _ file: WebFile, key: String) -> HTTPAnswer {
        answer(
            head, file.content, [:], etag: Representation.etag(file.digest),
            cacheControl: "public, max-age=31536000, immutable", vary: "Accept-Encoding", type: file.type, key: key,
            isText: file.isText)
    }

    /// The answer with a content. `etag` is the validator of the content as it is; the compressed form has its own.
    private static func answer(
        _ head: HTTPRequestHead, _ content: @autoclosure () -> [UInt8], _ more: HTTPHeaders, etag: String,
        cacheControl: String, vary: String, type: String, key: String, isText: Bool
    ) -> HTTPAnswer {
        let isCompressed = isText && head.headers.takesGzip
        let etag = isCompressed ? Representation.compressed(etag) : etag
        var headers: HTTPHeaders = ["Cache-Control": cacheControl, "ETag": etag, "Vary": vary]
        for field in more.fields { headers.append(field.name, field.value) }
        if let judged = Representation.judge(head, etag, cacheControl) {
            return judged.status == 304 ? HTTPAnswer(304, headers) : judged
        }
        headers.append("Content-Type", type)
        guard isCompressed else { return HTTPAnswer(200, headers, body: content()) }
        headers.append("Content-Encoding", "gzip")
        return HTTPAnswer(200, headers, body: WebApp.shared.gzip(content(), key: key))
    }
}

extension HTTPHeaders {
    /// Whether an answer may be gzip (RFC 9110 §12.5.3): named, and not with the weight 0.
    fileprivate var takesGzip: Bool {
        tokens("Accept-Encoding").contains { token in
            let parts = token.split(separator: ";").map { $0.split(separator: " ").joined() }
            guard parts.first?.lowercased() == "gzip" else { return false }
            return !parts.dropFirst().contains {
                $0 == "q=0" || $0.hasPrefix("q=0.0") && !$0.contains { ("1"..."9").contains($0) }
            }
        }
    }
}
