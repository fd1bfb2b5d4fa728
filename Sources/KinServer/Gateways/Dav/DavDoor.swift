import KinCodec
import KinKeeper
import KinModel
import KinStore
import KinXML

/// WebDAV (RFC 4918) with what contacts and calendars are read and written by: principals (RFC 3744, 5397), CalDAV (RFC 4791,
/// 6638), CardDAV (RFC 6352) and synchronisation (RFC 6578). Whoever asks shows an app password with the scope `calendar`, by Basic
/// authentication; no session and no cookie counts here. Everything is asked of the keeper by methods of the areas, so that
/// their rights, their audiences and their log count as they do elsewhere.
final class DavDoor: Door {
    static let ownVerbs = ["COPY", "MKCALENDAR", "MKCOL", "MOVE", "PROPFIND", "PROPPATCH", "REPORT"]

    /// A step that is taken once an answer of the keeper is here.
    typealias Next = (JSON, Doorway) -> Void

    var place: DavPlace
    let verb: String
    /// The step after the keeper's answer.
    private var next: Next?
    private var refused: ((Rejection, Doorway) -> Bool)?
    /// The step after the client has taken everything so far.
    private var further: ((Doorway) -> Void)?
    /// The caller, once it is known.
    var caller: DavCaller?

    init(_ place: DavPlace, verb: String) {
        self.place = place
        self.verb = verb
    }

    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? {
        let verb = head.method.description
        if head.path.count == 2, head.path[0] == ".well-known", ["caldav", "carddav"].contains(head.path[1]) {
            // RFC 6764, 5: from there on clients ask who they are.
            return .answered(HTTPAnswer(301, ["Location": DavPlace.root.href, "Cache-Control": "max-age=3600"]))
        }
        // Some ask at the very top, whatever the well-known address said.
        let isTop = head.path.isEmpty && verb == "PROPFIND"
        guard isTop || head.path.first == DavPlace.top else { return nil }
        guard let place = isTop ? .root : DavPlace(head.path) else {
            return verbs(.contact(""), verb) ?? .taken(NoDav())
        }
        return verbs(place, verb) ?? .taken(DavDoor(place, verb: verb))
    }

    /// The answer of an address from the head alone: its verbs.
    private static func verbs(_ place: DavPlace, _ verb: String) -> Claim? {
        let verbs = verbs(of: place)
        if verb == "OPTIONS" {
            return .answered(
                HTTPAnswer(200, ["Allow": (verbs + ["OPTIONS"]).joined(separator: ", "), "DAV": compliance]))
        }
        return verbs.contains(verb) || place.isItem && verb.hasPrefix("MK") ? nil : .otherVerbs(verbs)
    }

    /// The verbs that an address takes, besides OPTIONS.
    private static func verbs(of place: DavPlace) -> [String] {
        var verbs =
            place.isItem
            ? ["DELETE", "GET", "HEAD", "PROPFIND", "PROPPATCH", "PUT"]
            : ["DELETE", "MKCALENDAR", "MKCOL", "PROPFIND", "PROPPATCH", "REPORT"]
        if case .outbox = place { verbs.insert("POST", at: 3) }
        if case .event = place {
            verbs.insert("MOVE", at: 3)
            verbs.insert("COPY", at: 0)
        }
        return verbs
    }

    /// RFC 4918 §10.1 and what is said there by RFC 3744, 4791, 5689, 6352 and 6638.
    static let compliance =
        "1, 3, access-control, extended-mkcol, addressbook, calendar-access, calendar-auto-schedule"

    func content(_ doorway: Doorway) -> DoorContent {
        switch verb {
        case "PUT": .held(bytesMax: 2 * DavLimits.itemBytesMax)
        case "GET", "HEAD", "DELETE", "COPY", "MOVE": .dropped
        default: .held(bytesMax: doorway.limits.bodyBytesMax)
        }
    }

    // MARK: The request

    func end(isTooLong: Bool, _ doorway: Doorway) {
        guard case .appPassword = doorway.credential else { return doorway.respond(Self.signIn()) }
        guard !["PUT", "GET", "HEAD", "DELETE", "COPY", "MOVE", "POST"].contains(verb), !doorway.body.isEmpty else {
            return begin(nil, doorway)
        }
        let parsing = DavParsing(bytes: doorway.body)
        guard doorway.body.count <= doorway.limits.parsedOnLoopBytesMax else { return doorway.work(parsing) }
        take(parsing.parsed, doorway)
    }

    func done(_ made: any Sendable, _ doorway: Doorway) {
        if let parsed = made as? Result<XMLElement, XMLFailure> { take(parsed, doorway) }
    }

    private func take(_ parsed: Result<XMLElement, XMLFailure>, _ doorway: Doorway) {
        doorway.dropBody()
        switch parsed {
        case .success(let root): begin(root, doorway)
        case .failure(let failure): respond(400, "", failure.sentence, doorway)
        }
    }

    /// Asks first who it is; what is done is then done by a method of an area, which judges it anew.
    private func begin(_ root: XMLElement?, _ doorway: Doorway) {
        ask("member.principal", [:], doorway) { [self] answer, doorway in
            guard let caller = DavCaller(answer) else { return doorway.respond(.problem(503, "Nobody is known.")) }
            self.caller = caller
            tellingLists(caller, doorway) { [self] doorway in act(root, caller, doorway) }
        }
    }

    private func act(_ root: XMLElement?, _ caller: DavCaller, _ doorway: Doorway) {
        switch verb {
        case "PROPFIND": propfind(root, caller, doorway)
        case "REPORT": report(root, caller, doorway)
        case "PROPPATCH": proppatch(root, caller, doorway)
        case "GET", "HEAD": fetch(doorway)
        case "PUT": put(doorway)
        case "DELETE": remove(doorway)
        case "COPY": copy(caller, doorway)
        case "MOVE": move(caller, doorway)
        case "POST": askFree(caller, doorway)
        default: make(root, caller, doorway)
        }
    }

    // MARK: Asking

    /// Asks the keeper; `next` goes on with its answer. `refused` may answer a refusal otherwise than by its sentence.
    func ask(
        _ method: String, _ params: JSON.Object, _ doorway: Doorway,
        refused: ((Rejection, Doorway) -> Bool)? = nil, then next: @escaping Next
    ) {
        self.next = next
        self.refused = refused
        doorway.ask(method, params, as: doorway.credential)
    }

    func reply(_ result: Result<[UInt8], Rejection>, _ effect: Effect, _ doorway: Doorway) {
        let (next, refused) = (next, refused)
        (self.next, self.refused) = (nil, nil)
        switch result {
        case .success(let bytes):
            guard let answer = try? JSON.parse(bytes) else { return doorway.respond(.problem(503, "No answer.")) }
            next?(answer, doorway)
        case .failure(let rejection):
            if doorway.exchange.isBegun { return doorway.breakOff() }
            if refused?(rejection, doorway) ?? false { return }
            refuse(rejection, doorway)
        }
    }

    /// Has a step follow when the client has taken everything so far.
    func whenTaken(_ next: @escaping (Doorway) -> Void) { further = next }

    /// Drops the steps that wait: each holds this door.
    func close(_ doorway: Doorway) { (next, refused, further) = (nil, nil, nil) }

    func taken(_ doorway: Doorway) {
        let next = further
        further = nil
        next?(doorway)
    }

    // MARK: Refusing

    private static func signIn() -> HTTPAnswer {
        .problem(
            401, "Sign in with your user name and an app password for calendars.",
            headers: ["WWW-Authenticate": "Basic realm=\"kinwire\", charset=\"UTF-8\""])
    }

    private func refuse(_ rejection: Rejection, _ doorway: Doorway) {
        switch rejection.kind {
        case .notSignedIn: doorway.respond(Self.signIn())
        case .forbidden where ["GET", "HEAD", "PROPFIND", "REPORT"].contains(verb) == false:
            let needed = "<D:resource>\(Dav.href(place.href))<D:privilege><D:write/></D:privilege></D:resource>"
            respond(403, Dav.element(Dav.core("need-privileges"), needed), rejection.message, doorway)
        case .slowDown, .unavailable: doorway.respond(.problem(rejection))
        default: respond(rejection.kind.httpStatus, "", rejection.message, doorway)
        }
    }

    /// Refuses by a precondition (RFC 4918 §16) and with a sentence.
    func respond(_ status: Int, _ condition: String, _ sentence: String, _ doorway: Doorway) {
        if doorway.exchange.isBegun { return doorway.breakOff() }
        let body =
            Dav.head + "<D:error\(Dav.declarations)>" + condition
            + Dav.element(XMLName("urn:kinwire:dav", "sentence"), XMLText.escaped(sentence)) + "</D:error>\n"
        var headers: HTTPHeaders = ["Content-Type": Dav.contentType, "Cache-Control": "no-store"]
        // RFC 9110 §15.5.6. What is there already is refused so: nothing can be made there.
        if status == 405 {
            let verbs = Self.verbs(of: place).filter { !$0.hasPrefix("MK") } + ["OPTIONS"]
            headers.append("Allow", verbs.joined(separator: ", "))
        }
        doorway.respond(HTTPAnswer(status, headers, body: Array(body.utf8)))
    }

    func nothingHere(_ doorway: Doorway) { respond(404, "", "There is nothing here.", doorway) }

    // MARK: Answering

    /// The fields of a multistatus.
    func multistatusHeaders(_ wanted: DavWanted) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Content-Type": Dav.contentType, "Cache-Control": "no-store", "DAV": Self.compliance,
        ]
        if wanted.isMinimal { headers.append("Preference-Applied", "return=minimal") }
        return headers
    }

    static let multistatusBegin = Array((Dav.head + "<D:multistatus\(Dav.declarations)>\n").utf8)
    static let multistatusEnd = Array("</D:multistatus>\n".utf8)

    /// All of a multistatus at once.
    func respond(_ things: [DavThing], _ wanted: DavWanted, _ doorway: Doorway) {
        var body = Self.multistatusBegin
        for thing in things { thing.write(wanted, to: &body) }
        body += Self.multistatusEnd
        doorway.respond(HTTPAnswer(207, multistatusHeaders(wanted), body: body))
    }
}

/// The caller of a request.
struct DavCaller {
    let member: Identifier
    let username: String
    let name: String
    let family: String
    let isGuest: Bool

    init?(_ answer: JSON) {
        guard let member = answer["member"]?.identifier, let name = answer["name"]?.string,
            let username = answer["username"]?.string, let family = answer["family"]?.string,
            let isGuest = answer["guest"]?.bool
        else { return nil }
        self.member = member
        self.username = username
        self.name = name
        self.family = family
        self.isGuest = isGuest
    }
}

/// Limits of the door, each with its unit.
enum DavLimits {
    /// Bytes of one thing that is written.
    static let itemBytesMax = 256 << 10
    /// Addresses that one report may name.
    static let hrefsMax = 20_000
    /// Conditions of one filter.
    static let conditionsMax = 100
}

/// A document that is too long to be read by the loop, which has others to wait on.
struct DavParsing: DoorWork {
    let bytes: [UInt8]

    var parsed: Result<XMLElement, XMLFailure> {
        do throws(XMLFailure) { return .success(try XMLReader.read(bytes)) } catch { return .failure(error) }
    }
    func run(at blobs: Blobs) -> any Sendable { parsed }
}

/// An address below ours where nothing can stand.
final class NoDav: Door {
    static func claims(_ head: HTTPRequestHead, _ doorway: Doorway) -> Claim? { nil }

    func end(isTooLong: Bool, _ doorway: Doorway) {
        guard case .appPassword = doorway.credential else {
            return DavDoor(.root, verb: "").end(isTooLong: false, doorway)
        }
        doorway.respond(.problem(404, "There is nothing here."))
    }
}
