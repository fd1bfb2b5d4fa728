import KinKeeper
import KinModel
import KinStore

extension Members {
    /// Opening a link changes nothing, so the page first asks whether founding would succeed.
    static let showSetUp = Method.query(
        "setUp.show",
        "Whether there is a family, or a set-up link can found it: before somebody is asked for anything.",
        access: .everybody, note: "any word for a link, to ask whether there is a family", [.required("link", .code)],
        result: .object([
            .required("state", .oneOf(["good", "old", "founded"]), "old: a later start made another.")
        ]),
        apply: { (act, params) throws(Rejection) in
            guard try act.ask({ (database) throws(StoreFailure) in try People.family(database) }) == nil else {
                return .done(["state": "founded"])
            }
            return .done(["state": try isGood(setUpLink: try params.string("link"), act) ? "good" : "old"])
        })

    /// A new link; the one of the last start ends.
    static func makeSetUpLink(_ act: Act) throws(Rejection) -> String {
        let secret = act.newSecret()
        try act.run("DELETE FROM links WHERE kind = 'set-up'")
        try act.run("INSERT INTO links (hash, kind) VALUES (?, 'set-up')", Secret.digest(secret))
        return secret
    }

    /// Whether it is the link that the daemon printed at its last start.
    static func isGood(setUpLink link: String, _ act: Act) throws(Rejection) -> Bool {
        try act.first(
            "SELECT 1 FROM links WHERE kind = 'set-up' AND hash = ?", Secret.digest(link)
        ) { row in row.bool(0) } ?? false
    }
}
