import KinCrypto
import KinModel
import KinStore

extension Map {
    /// What the gateway hands over of a phone with the OwnTracks app. The app posts a refused message again and again
    /// and holds back all behind it, so nothing authenticated is ever refused.
    static let publish = Method.command(
        "owntracks.publish", "Takes a message of the OwnTracks app, answers with the members who share.",
        access: .signedIn, note: "For the daemon's own gateway; any message is answered, a useless one with no effect.",
        [
            .required("message", .any, "The message as the app sent it, decrypted."),
            .optional("device", .text(max: Limits.nameCharactersMax), "The device's name; else the app password's."),
        ],
        result: .list(.any, max: 2 * Limits.membersMax), events: ["position"],
        again: { (act, _) throws(Rejection) in try friends(act) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member
            switch OwnTracksMessage(params["message"] ?? .null, now: act.now) {
            case .location(var point):
                let named = params.optionalString("device").flatMap { $0.isEmpty ? nil : $0 }
                point.device = named ?? member.appPassword?.device
                try Track.take([point], of: member.id, act)
            case .unusable(let why):
                act.keeper.counters.pointsUnusable += 1
                act.note(.phone, "A location from OwnTracks was passed over: \(why).")
            case .other: break
            }
            return .done(try friends(act))
        }
    ).scoped(.location).forGateways()

    /// For each member whom the caller sees: a card with the name and the face, then the location.
    private static func friends(_ act: Act) throws(Rejection) -> JSON {
        let member = try act.member.id
        let others = try look(.phone, act).positions.filter { $0.member != member }
        guard !others.isEmpty else { return [] }
        let names = try self.names(act)
        var messages: [JSON] = []
        var room = Limits.facesBytesMax
        for position in others {
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
        try act.first(
            "SELECT jpeg FROM faces WHERE member = ?", .id(member), map: { (row) throws(StoreFailure) in row.blob(0) }
        ).map { Base64.encode($0) }
    }
}
