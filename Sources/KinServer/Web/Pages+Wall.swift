import KinCodec
import KinModel

/// Pairing a device as a screen on a wall. What the screen then shows is ``AppDoor``'s.
extension Pages {
    /// At `/wall`, where no device is paired.
    static func unpairedPage(_ words: PageWords) -> Page {
        Page(
            words: words, title: words.text("page.wall.title"),
            content: """
                \(words.paragraph("page.wall.unpaired"))\(Page.link(words.text("page.signin.title"), to: "/signin", isQuiet: true))
                """)
    }

    /// Opening the link pairs nothing; its button does.
    static func pairPage(_ words: PageWords) -> Page {
        let form = Form(words: words, fields: [], button: words.text("page.wall.pair"))
        return Page(
            words: words, title: words.text("page.wall.title"),
            content: "\(words.paragraph("page.wall.about"))\(form.html)\n")
    }

    static func pair(_ link: String, _ visit: Visit) -> Step {
        let words = visit.words
        let params: JSON.Object = ["link": .string(link), "device": .string(visit.deviceName)]
        return askAsNobody("session.redeem", params) { result in
            switch result {
            case .success(let json):
                guard let token = json["token"]?.string else { return .show(Page.redirect(to: "/wall")) }
                return .show(
                    Page.redirect(to: "/wall"), cookie: .set(token, device: json["knownDevice"]?.string))
            case .failure(let rejection) where rejection.kind == .notFound || rejection.field == "link":
                return show(
                    .sorry(
                        words, 410, words.text("page.signin.used.title"), words.paragraph("page.wall.used")))
            case .failure(let rejection): return show(.sorry(words, rejection, back: "/wall"))
            }
        }
    }
}
