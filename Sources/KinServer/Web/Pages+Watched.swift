import KinCodec
import KinKeeper
import KinModel

extension Pages {
    /// Whose sharing a page is about, and what the one who looks may do with it.
    struct Watched {
        /// How far the hand of the one who looks reaches.
        enum Hand: Equatable {
            /// Everything: they are the own settings, or the one who looks holds them.
            case whole
            /// Less, never more: a parent, while another adult holds them.
            case narrowing
            /// Off, no more: a child whose holder is gone, until a parent decides.
            case off
            /// Looking.
            case none
        }

        /// The child; `nil` where the settings are those of the one who looks.
        let child: Member?
        let sharing: JSON
        let members: [Member]
        let names: ShownNames
        let hand: Hand
        /// Who looks.
        let me: Identifier?
        let words: PageWords
        /// A rule that was refused.
        let again: Again?

        init(_ child: Member?, _ sharing: JSON, _ members: [Member], by person: Person) {
            self.child = child
            let me = person.id
            words = person.words
            again = person.again.flatMap { $0.isLink ? nil : $0 }
            self.sharing = sharing
            self.members = members
            self.me = me
            names = ShownNames(members)
            let holder = sharing["heldBy"]?.identifier
            hand =
                if let child {
                    if let holder {
                        holder == me ? .whole : me.map { child.parents.contains($0) } == true ? .narrowing : .none
                    } else {
                        .none
                    }
                } else {
                    holder != nil ? .none : sharing["parents"] != nil ? .off : .whole
                }
        }

        /// The page's address, which takes its forms too.
        var path: String { child.map { "/sharing/\($0.id)" } ?? "/sharing" }
        var isOn: Bool { sharing["state"]?.string == "on" }
        var mayHold: [Identifier] { (sharing["mayHold"]?.array ?? []).compactMap(\.identifier) }

        /// The child's name, for what says it.
        var subject: HTML { child.map { name($0.id) } ?? "" }
        var named: KeyValuePairs<String, HTML> { ["name": subject] }

        /// A member's name, apart from that of others who look the same.
        func name(_ id: Identifier?, or other: String? = nil) -> HTML {
            HTML.written(id.flatMap { names[$0] } ?? other ?? words.text("page.somebody"))
        }

        func name(_ json: JSON) -> HTML { name(json["id"]?.identifier, or: json["displayName"]?.string) }

        func form(_ content: HTML) -> HTML { "<form method=\"post\" action=\"\(path)\">\(content)</form>\n" }
    }
}
