import KinCrypto
import KinKeeper
import KinModel
import KinStore

extension Members {
    static let update = Method.command(
        "member.update", "Changes a member's names or picture, or whether the member is grown.",
        access: [.signedIn, .machine],
        note:
            "an adult's names, picture and becoming a child: oneself; a child's names and picture: the child, parents, holder, "
            + "who brought it in, heads of the household, admins; kind adult: as member.answerGrown",
        [
            .required("member", .id), .optional("displayName", .name), .optional("username", .username),
            .optional("kind", .kind),
            .optional("picture", .nullable(pictureShape), pictureSummary + " Null removes it."),
        ],
        result: .memberResult, route: Route("PATCH", "/api/members/{member}"),
        events: [Member.updated, Grown.answered],
        isSlow: true, again: { (act, ids) throws(Rejection) in try act.show(ids[0]) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            if act.keeps(.adultsStayAdults) || params["kind"] == nil { try mayChange(member, act) }
            if let picture = params.optionalString("picture"), act.isFirstWay { return try squaring(picture, act) }
            if params["kind"] != nil || params["username"] != nil { try Walls.mustNotBe(member) }
            var changed = member
            if let displayName = params.optionalString("displayName") { changed.displayName = displayName }
            if let username = params.optionalString("username"), username != member.username {
                try checkFree(username, act)
                changed.username = username
            }
            if let kind = params.optionalString("kind").flatMap({ MemberKind(rawValue: $0) }), kind != member.kind {
                if kind == .adult {
                    try mayDeclareGrown(member, act)
                } else if act.keeps(.adultsStayAdults) {
                    try mayBecomeChild(member, act)
                }
                changed.kind = kind
            }
            // Compared by bytes: Swift treats two spellings of a name as equal that may look different.
            if changed.json.bytes != member.json.bytes {
                if !changed.displayName.hasSameBytes(as: member.displayName) { try spendDisplayName(act) }
                try growing(act) { () throws(Rejection) in
                    try act.run(
                        "UPDATE members SET display_name = ?, username = ?, kind = ? WHERE id = ?",
                        .text(changed.displayName), .text(changed.username), .text(changed.kind.rawValue),
                        .id(member.id))
                }
                let fields = ["displayName", "username", "kind"].filter { changed.json[$0] != member.json[$0] }
                try tell(
                    Member.updated, member.id, act, changed: fields,
                    isSeenByGuests: changed.asGuestsSee.json.bytes != member.asGuestsSee.json.bytes)
                if changed.kind != member.kind { try settleGrown(changed, before: member, act) }
            }
            if params.optionalString("picture") != nil {
                try put(act.work, for: member, act)
            } else if params["picture"] != nil, member.picture != nil {
                try set(picture: nil, of: member, act)
            }
            return .done(try act.show(member.id), ids: [member.id])
        }
    ).takingParcel(as: "picture", bytesMax: Limits.pictureBytesMax).forOwnWord { $0.has("kind") }

    /// Takes one from the caller's quota of display names for the day. Each new name has everybody who is told of it read
    /// much again. The machine, which is nobody, has no quota.
    private static func spendDisplayName(_ act: Act) throws(Rejection) {
        guard let caller = act.caller.memberID else { return }
        guard try displayNames.take(1, of: Limits.displayNamesPerDayMax, for: caller, act) else {
            throw Quota.usedUp(
                "You changed \(Limits.displayNamesPerDayMax) names today, which is the most. Go on tomorrow.", act,
                field: "displayName")
        }
    }

    static let setRole = Method.command(
        "member.setRole", "Changes what a member may do. A guest who becomes a member keeps everything.",
        access: .admins, [.required("member", .id), .required("role", .role)], result: .memberResult,
        route: Route("PUT", "/api/members/{member}/role"), events: [Member.updated, Invites.revoked], isSlow: true,
        again: { (act, ids) throws(Rejection) in try act.show(ids[0]) },
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            try Walls.mustNotBe(member)
            guard let role = Role(rawValue: try params.string("role")), role != member.role else {
                return .done(try act.show(member.id), ids: [member.id])
            }
            if member.role == .admin { try checkOtherAdmin(than: member.id, act) }
            if let later = try act.losingFirst(member.id, role: role, household: member.household) { return later }
            try act.run("UPDATE members SET role = ? WHERE id = ?", .text(role.rawValue), .id(member.id))
            act.rosterChanged()
            // A member who becomes a guest, or was one, sees another part of the family from here on.
            let isSightChanged = role == .guest || member.role == .guest
            let anew = isSightChanged ? try act.roster.only(member.id) : Audience()
            try tell(Member.updated, member.id, act, changed: ["role"], except: anew)
            try Invites.endUnfounded(by: member.id, act)
            try act.reset(anew)
            // An admin who steps down sees the answer with the rights of the new role.
            let shown = Sight(role: role, household: member.household)
            var result = try act.show(member.id)
            if act.isOneself(member.id), let seen = result["member"].flatMap({ Member($0) }) {
                result["member"] = shown.show(seen).json
            }
            return .done(result, ids: [member.id])
        })

    /// Refuses what would leave the family without an admin.
    static func checkOtherAdmin(than member: Identifier, _ act: Act) throws(Rejection) {
        let other = try act.first("SELECT 1 FROM members WHERE role = 'admin' AND id != ?", .id(member)) { row in
            row.bool(0)
        }
        guard other != nil else {
            throw Rejection(
                .conflict,
                "This is the family's last admin. Name another first, or close the family.", field: "member")
        }
    }

    // MARK: Pictures

    static let setPicture = Method.command(
        "member.setPicture", "Gives a member a picture: made square, small and free of metadata.",
        access: [.signedIn, .machine], note: "adults: oneself; children: as member.update",
        [
            .required("member", .id),
            .required("picture", pictureShape, pictureSummary),
        ],
        result: .memberResult, route: Route("PUT", "/api/members/{member}/picture"), events: [Member.updated],
        isSlow: true, again: { (act, ids) throws(Rejection) in try act.show(ids[0]) },
        apply: { (act, params) throws(Rejection) in
            let member = try pictured(act, params)
            if act.isFirstWay {
                if let caller = act.caller.memberID {
                    guard try Quota.pictures.take(1, of: Limits.picturesPerDayMax, for: caller, act) else {
                        throw Quota.usedUp(
                            "You set \(Limits.picturesPerDayMax) pictures today, which is the most. Go on tomorrow.",
                            act,
                            field: "picture")
                    }
                }
                return try squaring(try params.string("picture"), act)
            }
            try put(act.work, for: member, act)
            return .done(try act.show(member.id), ids: [member.id])
        }
    ).takingParcel(as: "picture", bytesMax: Limits.pictureBytesMax).changing(blob: pictureNow)

    /// The picture that a member has.
    @Sendable private static func pictureNow(_ act: Act, _ params: Params) throws(Rejection) -> String? {
        try pictured(act, params).picture
    }

    private static let pictureShape = Shape.token(max: (Limits.pictureBytesMax + 2) / 3 * 4)
    private static let pictureSummary = "JPEG, PNG, WebP or GIF in base64, at most 16 MiB before encoding."

    /// The slow part of taking a picture, for a worker.
    private static func squaring(_ text: String, _ act: Act) throws(Rejection) -> Outcome {
        if let parcel = act.parcel, parcel.name == text { return .later(PictureWork.squareParcel(parcel)) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
            throw Rejection(.invalid, "picture must be base64 with padding.", field: "picture")
        }
        return .later(PictureWork.squarePicture(bytes))
    }

    /// Puts what a worker made of a picture in its place.
    static func put(_ work: SlowResult?, for member: Member, _ act: Act) throws(Rejection) {
        if let made = work?.picture {
            try set(picture: try act.putBlob(made.jpeg, of: member.id), of: member, act)
            try act.run("INSERT INTO faces (member, jpeg) VALUES (?, ?)", .id(member.id), .blob(made.face))
            return
        }
        switch work {
        case .refused(let sentence): throw Rejection(.invalid, sentence, field: "picture")
        case .failed(let sentence): throw Rejection(.unavailable, sentence)
        case .crowdedOut:
            throw Rejection(
                .slowDown, "Several of your pictures wait to be looked at already; send this one again in a minute.",
                retryAfter: 30)
        default: throw Rejection(.unavailable, "The picture could not be read; try again.")
        }
    }

    static let removePicture = Method.command(
        "member.removePicture", "Removes a member's picture.", access: [.signedIn, .machine],
        note: "adults: oneself; children: as member.update", [.required("member", .id)], result: .memberResult,
        route: Route("DELETE", "/api/members/{member}/picture"), events: [Member.updated],
        again: { (act, ids) throws(Rejection) in try act.show(ids[0]) },
        apply: { (act, params) throws(Rejection) in
            let member = try pictured(act, params)
            if member.picture != nil { try set(picture: nil, of: member, act) }
            return .done(try act.show(member.id), ids: [member.id])
        }
    ).freeingRoom().changing(blob: pictureNow)

    static let picture = Method.query(
        "member.picture", "A member's picture as JPEG; its name changes with the picture, so it can be kept.",
        access: [.following, .machine], note: "Who sees the member. Over HTTP it is the picture itself.",
        [.required("member", .id), .required("name", .token(max: 128))],
        result: .object([
            .required("mediaType", .token(max: 64)),
            .required("base64", .secret(max: Limits.pictureBytesMax * 4 / 3 + 4)),
        ]),
        route: Route("GET", "/api/members/{member}/picture/{name}"),
        apply: { (act, params) throws(Rejection) in
            let member = try act.member(try params.id("member"))
            let name = try params.string("name")
            guard let picture = member.picture, picture == name else {
                throw Rejection.notFound("picture", name, field: "name")
            }
            return .done(.null, effect: .blob(name: picture, type: "image/jpeg"))
        }
    ).answering(["image/jpeg"])

    private static func pictured(_ act: Act, _ params: Params) throws(Rejection) -> Member {
        let member = try act.member(try params.id("member"))
        try mayChange(member, act)
        return member
    }

    private static func set(picture: String?, of member: Member, _ act: Act) throws(Rejection) {
        try growing(act) { () throws(Rejection) in
            try act.run("UPDATE members SET picture = ? WHERE id = ?", Value(picture), .id(member.id))
        }
        try act.run("DELETE FROM faces WHERE member = ?", .id(member.id))
        if let old = member.picture { try act.dropBlob(old) }
        try tell(Member.updated, member.id, act, changed: ["picture"])
    }
}
