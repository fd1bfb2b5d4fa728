import KinCrypto
import KinKeeper
import KinModel
import KinStore

extension Map {
    /// The method by which the gateway hands over messages of phones with the OwnTracks app. The app posts a refused
    /// message again and again and holds back all messages behind it, so nothing authenticated is ever refused.
    static let publish = Method.command(
        "owntracks.publish",
        "Takes a message of the OwnTracks app, answers with the members who share and what the phone is to do.",
        access: .signedIn, note: "For the daemon's own gateway; any message is answered, a useless one with no effect.",
        [
            .required("message", .any, "The message as the app sent it, decrypted."),
            .optional("device", .text(max: Limits.nameCharactersMax), "The device's name; else the app password's."),
        ],
        // Commands for the phone come last, as texts.
        result: .list(.any, max: 2 * Limits.membersMax + Limits.phoneCommandsMax),
        events: [Position.seen, Member.updated], isSlow: true,
        again: { (act, _) throws(Rejection) in try act.member.scope == .report ? [] : try friends(act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            let message = params["message"] ?? .null
            let named = params.optionalString("device").flatMap { $0.isEmpty ? nil : $0 }
            let read = OwnTracksMessage(message, now: act.now, isClockDoubted: act.isClockDoubted)
            if case .card(let face?) = read, act.isFirstWay, let picture = try newFace(face, act),
                let work = try act.hooks.portrait?.work(act, picture)
            {
                return .later(work)
            }
            var phone = try Phone.posting(.owntracks, named: named, act)
            switch read {
            case .location(var point, let isQuiet):
                point.device = phone.name
                phone.sent([point], now: act.now)
                if !Point.isPossible(point.at, now: act.now) {
                    act.count(.pointsUnusable, 1)
                    act.note(.phone, "A location from OwnTracks was kept apart: the phone's clock is ahead.")
                }
                if let isQuiet { phone.said(isQuiet: isQuiet) }
                let isKept = try Track.takePhoneQuota(1, for: member.id, act)
                try Track.take([point], of: member.id, isKept: isKept, act)
            case .transition(let crossed):
                // The same message again is no further evidence.
                if try crossed.keep(from: phone, act) {
                    let place = try Waypoints.place(stamped: crossed.stamp, on: phone, act)
                    try Stays.evidence(crossed.crossing, region: place, of: member.id, act)
                }
            case .regions(let count): if let count { phone.regions = Int64(count) }
            case .card: try putFace(act)
            case .status(let troubles): phone.said(troubles)
            case .configuration(let takesCommands, let isQuiet):
                // The phone ignored what it was told before.
                if takesCommands == true, phone.takesCommands == false { try Waypoints.forget(phone, act) }
                phone.takesCommands = takesCommands ?? phone.takesCommands
                if let isQuiet { phone.said(isQuiet: isQuiet) }
            case .unusable(let why):
                act.count(.pointsUnusable, 1)
                act.note(.phone, "A location from OwnTracks was passed over: \(why).")
            case .other: break
            }
            try phone.save(act)
            // A phone that only reports is told nothing: neither positions nor the places in commands.
            guard member.scope != .report else { return .done([]) }
            let friends = try friends(act).array ?? []
            let commands = try PhoneCommands.ride(phone, answering: message, act)
            return .done(.array(friends + commands))
        }
    ).scoped(.location, .report).forGateways().patiently()

    // MARK: The own card

    /// The picture of a phone's own card, when its member has none yet: what a member chose here is not the phone's to
    /// change. The name on the card counts for nothing, since the family knows its own.
    private static func newFace(_ face: String, _ act: Act) throws(Rejection) -> [UInt8]? {
        guard face.utf8.count <= Limits.cardFaceBytesMax, let bytes = Base64.decode(face), !bytes.isEmpty,
            try act.member(try act.member.id).picture == nil
        else { return nil }
        return bytes
    }

    /// Takes what a worker made of it; what cannot be used is passed over.
    private static func putFace(_ act: Act) throws(Rejection) {
        guard case .made? = act.work else { return }
        let member = try act.member(try act.member.id)
        guard member.picture == nil else { return }
        do throws(Rejection) { try act.hooks.portrait?.put(act.work, member, act) } catch {
            act.note(.phone, "The picture of an OwnTracks card was passed over: \(error.message)")
        }
    }

    // MARK: The answer

    /// For each member whom the caller sees: a card with the name and the face, then the location.
    private static func friends(_ act: Act) throws(Rejection) -> JSON {
        let member = try act.member.id
        let others = try look(.phone, act).positions.filter { $0.member != member }
        guard !others.isEmpty else { return [] }
        let names = try self.names(act)
        var messages: [JSON] = []
        var room = Limits.facesBytesMax
        for position in others {
            // A guest whom only a rule shows somebody gets neither name nor initials nor face.
            guard let household = try act.roster[position.member]?.household, act.sight?.contains(household) == true
            else {
                let tid = try TrackerID.neutral(position.member, act)
                messages.append(OwnTracksMessage.location(of: position, tid: tid))
                continue
            }
            guard let name = names[position.member] else { continue }
            let tid = try TrackerID.of(position.member, name: name, act)
            let face = try face(of: position.member, act)
            room -= face?.utf8.count ?? 0
            messages.append(
                .object(leavingOut: [
                    "_type": "card", "tid": .string(tid), "name": .string(name),
                    "face": room >= 0 ? face.map { .string($0) } : nil,
                ]))
            messages.append(OwnTracksMessage.location(of: position, tid: tid))
        }
        return .array(messages)
    }

    /// The small picture that was made when the member's own was set; base64.
    private static func face(of member: Identifier, _ act: Act) throws(Rejection) -> String? {
        try act.hooks.portrait?.face(act, member).map { Base64.encode($0) }
    }
}
