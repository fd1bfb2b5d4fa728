import KinCodec
import KinCrypto
import KinKeeper
import KinLoop
import KinModel

extension Server {
    /// - Parameter isShared: Whether others use the computer as well. The session then ends with the browser, and the
    ///   browser is not recognised at the next sign-in.
    func setCookies(
        _ connection: Connection, _ answer: inout HTTPAnswer, _ token: String, device: String?, isShared: Bool = false
    ) {
        let seconds = isShared ? nil : Limits.sessionDays * 86_400
        answer.headers.append(
            "Set-Cookie", cookie(connection, hall.policy.cookieName(connection), token, seconds: seconds))
        // The page may read this cookie, which grants nothing. It names the sign-in that the page belongs to, and says
        // whether to keep data.
        let digest = Self.signInName(token)
        answer.headers.append(
            "Set-Cookie",
            cookie(
                connection, hall.policy.pageCookieName(connection), isShared ? digest + ".shared" : digest,
                seconds: seconds,
                isOpen: true))
        guard let device, !isShared else { return }
        answer.headers.append(
            "Set-Cookie",
            cookie(
                connection, hall.policy.deviceCookieName(connection), device, seconds: Limits.knownDeviceDays * 86_400))
    }

    /// Names the sign-in to the page anew, where the cookie that does so is another's or is gone while the session's is
    /// there: a browser may drop one of the two for want of room, or whoever uses it. The page would know nobody's sign-in,
    /// and could not tell what another member left from its own. Until when it is good is not known here: it ends with
    /// the browser, and comes again with the next visit. Nor is it known whether others use the computer: it is named as one
    /// that they do use, so that nothing is kept. A page that kept something under this very sign-in knows better.
    func nameSignIn(_ connection: Connection, _ head: HTTPRequestHead, _ answer: inout HTTPAnswer) {
        let name = hall.policy.pageCookieName(connection)
        guard let token = head.headers.cookies(hall.policy.cookieName(connection)).first, !token.isEmpty else { return }
        let digest = Self.signInName(token)
        guard !head.headers.cookies(name).contains(where: { $0 == digest || $0 == digest + ".shared" }) else { return }
        answer.headers.append("Set-Cookie", cookie(connection, name, digest + ".shared", seconds: nil, isOpen: true))
    }

    /// What a sign-in is called in the cookie that the page reads: nothing of the token can be told from it.
    private static func signInName(_ token: String) -> String {
        Hex.encode(Array(Digest.sha256(Array("page \(token)".utf8)).prefix(8)))
    }

    func clearCookie(_ connection: Connection, _ answer: inout HTTPAnswer) {
        for (name, isOpen) in [
            (hall.policy.cookieName(connection), false), (hall.policy.pageCookieName(connection), true),
        ] {
            answer.headers.append("Set-Cookie", cookie(connection, name, "", seconds: 0, isOpen: isOpen))
        }
        // What the page keeps of the member's settings goes with the sign-in.
        for name in Policy.settingsCookies {
            answer.headers.append("Set-Cookie", cookie(connection, name, "", seconds: 0, isOpen: true))
        }
    }

    /// - Parameters:
    ///   - seconds: `nil`: until the browser is closed.
    ///   - isOpen: Scripts of the page may read it.
    private func cookie(
        _ connection: Connection, _ name: String, _ value: String, seconds: Int64?, isOpen: Bool = false
    ) -> String {
        "\(name)=\(value); Path=/" + (seconds.map { "; Max-Age=\($0)" } ?? "") + (isOpen ? "" : "; HttpOnly")
            + "; SameSite=Strict" + (connection.isEncrypted ? "; Secure" : "")
    }

    /// Writes a response; the connection goes on or ends after it.
    func respond(_ connection: Connection, _ exchange: HTTPExchange, _ answer: HTTPAnswer) {
        let hasContent = answer.status != 204 && answer.status != 304
        exchange.keepsAlive = exchange.keepsAlive && !ending.hasBegun
        begin(connection, exchange, answer.status, answer.headers, length: hasContent ? answer.body.count : nil)
        if !exchange.isHead, hasContent { connection.out += answer.body }
        end(connection, exchange)
    }

    /// Writes the head of a response. It says whether the connection goes on.
    func begin(
        _ connection: Connection, _ exchange: HTTPExchange, _ status: Int, _ headers: HTTPHeaders, length: Int? = nil
    ) {
        var head = HTTPResponseHead(status: status, headers: headers)
        head.headers.append("Date", now.httpDate)
        if let length { head.headers.append("Content-Length", String(length)) }
        addSafety(&head.headers, connection)
        if !exchange.keepsAlive {
            head.headers.append("Connection", "close")
        } else if exchange.head.minor == 0 {
            head.headers.append("Connection", "keep-alive")
        }
        head.write(to: &connection.out)
    }

    /// Writes the head of a response in pieces. Until its end nothing else of the connection is read.
    func beginPieces(
        _ connection: Connection, _ exchange: HTTPExchange, _ status: Int, _ headers: HTTPHeaders, length: Int? = nil
    ) {
        var headers = headers
        // HTTP/1.0 has no chunks: there the content ends with the connection (RFC 9112 §6.3).
        exchange.isChunked = length == nil && exchange.head.minor > 0
        let hasEnd = length != nil || exchange.isChunked
        exchange.keepsAlive = exchange.keepsAlive && hasEnd && !ending.hasBegun
        if exchange.isChunked { headers.append("Transfer-Encoding", "chunked") }
        stand(connection, exchange)
        begin(connection, exchange, status, headers, length: length)
        markDirty(connection)
    }

    /// From here on an answer in pieces is on its way.
    func stand(_ connection: Connection, _ exchange: HTTPExchange) {
        connection.sequence += 1
        exchange.standing = connection.sequence
        connection.answers[connection.sequence] = .http(exchange)
    }

    /// The response is written; the connection goes on or ends.
    func end(_ connection: Connection, _ exchange: HTTPExchange) {
        letUploadGo(connection)
        if let standing = exchange.standing { connection.answers[standing] = nil }
        connection.exchange = nil
        if exchange.keepsAlive, !ending.hasBegun {
            happened(.answered, connection)
            markDirty(connection)
        } else {
            endWhenFlushed(connection)
        }
    }

    /// Ends an answer that cannot be continued. The connection ends before the content does, so the client sees that it
    /// is incomplete.
    func breakOff(_ connection: Connection) {
        letUploadGo(connection)
        connection.exchange = nil
        endWhenFlushed(connection)
    }

    /// Answers what was refused before there was a request.
    func respondWithoutExchange(_ connection: Connection, _ answer: HTTPAnswer) {
        var head = HTTPResponseHead(status: answer.status, headers: answer.headers)
        head.headers.append("Date", now.httpDate)
        head.headers.append("Content-Length", String(answer.body.count))
        head.headers.append("Connection", "close")
        addSafety(&head.headers, connection)
        head.write(to: &connection.out)
        connection.out += answer.body
        letUploadGo(connection)
        connection.exchange = nil
        endWhenFlushed(connection)
    }

    /// Adds the header fields of every response that keep browsers from running or framing content.
    func addSafety(_ headers: inout HTTPHeaders, _ connection: Connection) {
        headers.append("X-Content-Type-Options", "nosniff")
        // Not `no-referrer`: with it browsers send `Origin: null` with our own pages' forms (Fetch §3.1).
        if headers["Referrer-Policy"] == nil { headers.append("Referrer-Policy", "same-origin") }
        if headers["Content-Security-Policy"] == nil {
            headers.append("Content-Security-Policy", HTTPAnswer.contentSecurityPolicy)
        }
        if connection.tls != nil, settings.site.rootSHA256 == nil {
            headers.append("Strict-Transport-Security", "max-age=31536000")
        }
    }
}
