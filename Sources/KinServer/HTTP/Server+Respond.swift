import KinCodec
import KinKeeper
import KinLoop
import KinMembers
import KinModel

extension Server {
    /// Turns a reply of the keeper into the response its request wants.
    func respond(_ connection: Connection, _ exchange: HTTPExchange, _ result: Result<[UInt8], Rejection>) {
        if exchange.continuation != nil { return resumePage(connection, exchange, result) }
        switch (exchange.destination, result) {
        case (.phone(let gateway), _): respondToPhone(connection, exchange, gateway, result)
        case (.method(let name, _, let status), .success(let bytes)):
            var answer = HTTPAnswer.json(status, bytes)
            switch registry.methods[name]?.session {
            case .opens? where wantsCookie(exchange): setCookie(connection, &answer, bytes)
            case .closes?: clearCookie(connection, &answer)
            default: break
            }
            respond(connection, exchange, answer)
        case (.metrics, .success(let bytes)):
            respond(
                connection, exchange,
                HTTPAnswer(200, ["Content-Type": Self.metricsType, "Cache-Control": "no-store"], body: bytes))
        case (.metrics, .failure(let rejection)) where rejection.kind == .notSignedIn:
            respond(
                connection, exchange,
                .problem(
                    401, "Metrics take an app password with the scope metrics, made by an admin.",
                    headers: ["WWW-Authenticate": "Basic realm=\"kinwire\", charset=\"UTF-8\""]))
        case (_, .success(let bytes)): respond(connection, exchange, .json(200, bytes))
        case (_, .failure(let rejection)): respond(connection, exchange, .problem(rejection))
        }
    }

    /// Only browsers get cookies: they say where a request comes from.
    private func wantsCookie(_ exchange: HTTPExchange) -> Bool {
        exchange.head.headers["Sec-Fetch-Site"] != nil || exchange.head.headers["Origin"] != nil
    }

    private func setCookie(_ connection: Connection, _ answer: inout HTTPAnswer, _ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), let token = json["token"]?.string else { return }
        setCookies(connection, &answer, token, device: json["knownDevice"]?.string)
    }

    private func setCookies(_ connection: Connection, _ answer: inout HTTPAnswer, _ token: String, device: String?) {
        let name = cookieName(connection)
        answer.headers.append("Set-Cookie", cookie(connection, name, token, seconds: Limits.sessionDays * 86_400))
        guard let device else { return }
        answer.headers.append(
            "Set-Cookie",
            cookie(connection, deviceCookieName(connection), device, seconds: Limits.knownDeviceDays * 86_400))
    }

    private func clearCookie(_ connection: Connection, _ answer: inout HTTPAnswer) {
        answer.headers.append("Set-Cookie", cookie(connection, cookieName(connection), "", seconds: 0))
    }

    private func cookie(_ connection: Connection, _ name: String, _ value: String, seconds: Int64) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (connection.isEncrypted ? "; Secure" : "")
    }

    /// Writes a response; the connection goes on or ends after it.
    func respond(_ connection: Connection, _ exchange: HTTPExchange, _ answer: HTTPAnswer) {
        let hasContent = answer.status != 204 && answer.status != 304
        exchange.keepsAlive = exchange.keepsAlive && drainDeadline == nil
        begin(connection, exchange, answer.status, answer.headers, length: hasContent ? answer.body.count : nil)
        if !exchange.isHead, hasContent { connection.out += answer.body }
        end(connection, exchange)
    }

    /// Writes the head of a response, which says what becomes of the connection.
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

    /// The response is written; the connection goes on or ends.
    func end(_ connection: Connection, _ exchange: HTTPExchange) {
        letUploadGo(connection)
        connection.exchange = nil
        if exchange.keepsAlive, drainDeadline == nil {
            happened(.answered, connection)
            markDirty(connection)
        } else {
            endWhenFlushed(connection)
        }
    }

    /// For what was refused before there was a request.
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

    /// What every response says so that browsers run nothing and frame nothing of ours.
    private func addSafety(_ headers: inout HTTPHeaders, _ connection: Connection) {
        headers.append("X-Content-Type-Options", "nosniff")
        // Not `no-referrer`: with it browsers send `Origin: null` with our own pages' forms (Fetch §3.1).
        headers.append("Referrer-Policy", "same-origin")
        headers.append("Content-Security-Policy", Pages.contentSecurityPolicy)
        if connection.tls != nil, settings.site.rootSHA256 == nil {
            headers.append("Strict-Transport-Security", "max-age=31536000")
        }
    }

    // MARK: Pages

    func page(_ connection: Connection, _ exchange: HTTPExchange, _ place: Pages.Place) {
        let visit = Visit(
            head: exchange.head, body: exchange.body, site: settings.site, cookieName: cookieName(connection),
            deviceCookieName: deviceCookieName(connection), now: now)
        carryOut(connection, exchange, Pages.step(place, visit))
    }

    private func resumePage(_ connection: Connection, _ exchange: HTTPExchange, _ result: Result<[UInt8], Rejection>) {
        guard let continuation = exchange.continuation else { return }
        exchange.continuation = nil
        carryOut(connection, exchange, continuation(result.map { (try? JSON.parse($0, pausing: false)) ?? .null }))
    }

    private func carryOut(_ connection: Connection, _ exchange: HTTPExchange, _ step: Pages.Step) {
        switch step {
        case .show(var answer, let change):
            switch change {
            case .none: break
            case .set(let token, let device): setCookies(connection, &answer, token, device: device)
            case .clear: clearCookie(connection, &answer)
            }
            respond(connection, exchange, answer)
        case .ask(let method, let params, let credential, let continuation):
            exchange.continuation = continuation
            submit(
                connection, method: method, params: params, op: nil, credential: .some(credential),
                answer: .http(exchange))
        }
    }
}
