import KinLoop
import KinModel

/// A link that is shown once, with how to use it and how far its address reaches.
extension Pages {
    /// The text with its buttons. Copying and sending need a script; the text itself may break anywhere.
    static func once(_ words: PageWords, _ text: String) -> HTML {
        """
        <div class="once" data-copied="\(words.text("page.once.copied"))" data-by-hand="\(words.text("page.once.by-hand"))">
        <p><code>\(text)</code></p>
        <div class="actions"><button type="button" class="quiet small" data-do="copy" hidden>\(words("page.once.copy"))</button>
        <button type="button" class="quiet small" data-do="share" hidden>\(words("page.once.share"))</button></div>
        <p class="hint" role="status"></p>
        </div>

        """
    }

    /// A note that a link's address is not reachable from everywhere; nothing where it is.
    static func reachNote(_ words: PageWords, _ site: Site) -> HTML? {
        switch AddressReach(url: site.canonicalURL) {
        case .thisMachine: "<p class=\"note\" data-reach=\"here\">\(words("reach.here"))</p>\n"
        case .ownNetwork: "<p class=\"note\" data-reach=\"home\">\(words("reach.home"))</p>\n"
        case .anywhere: nil
        }
    }

    /// The same note for a phone of the family, which comes home: only where no other device reaches the address.
    /// Only an admin is told how to change that.
    static func hereNote(_ person: Person, _ site: Site) -> HTML? {
        guard AddressReach(url: site.canonicalURL) == .thisMachine else { return nil }
        return person.role == .admin
            ? reachNote(person.words, site)
            : "<p class=\"note\" data-reach=\"here\">\(person.words("page.reach.here"))</p>\n"
    }
}
