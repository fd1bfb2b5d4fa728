import KinCodec
import KinKeeper
import KinModel

extension Pages {
    /// The member whose sharing a page is about, and the visitor's rights to change it.
    struct Watched {
        /// How much the visitor may change.
        enum Hand: Equatable {
            /// Everything: the settings are the visitor's own, or the visitor holds them.
            case whole
            /// Only less sharing: a parent, while another adult holds them.
            case narrowing
            /// Only switching off: a child whose holder is gone, until a parent decides.
            case off
            /// Nothing.
            case none
        }

        /// The child; `nil` where the settings are the visitor's own.
        let child: Member?
        let sharing: JSON
        let members: [Member]
        let names: ShownNames
        let hand: Hand
        /// The visitor.
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

        /// The page's address, to which its forms are sent, too.
        var path: String { child.map { "/sharing/\($0.id)" } ?? "/sharing" }
        var isOn: Bool { sharing["state"]?.string == "on" }
        var mayHold: [Identifier] { (sharing["mayHold"]?.array ?? []).compactMap(\.identifier) }

        /// The child's name, for sentences that need it.
        var subject: HTML { child.map { name($0.id) } ?? "" }
        var named: KeyValuePairs<String, HTML> { ["name": subject] }

        /// A member's name, told apart from others that look the same.
        func name(_ id: Identifier?, or other: String? = nil) -> HTML {
            HTML.written(id.flatMap { names[$0] } ?? other ?? words.text("page.somebody"))
        }

        func name(_ json: JSON) -> HTML { name(json["id"]?.identifier, or: json["displayName"]?.string) }

        func form(_ content: HTML) -> HTML { "<form method=\"post\" action=\"\(path)\">\(content)</form>\n" }
    }
}
