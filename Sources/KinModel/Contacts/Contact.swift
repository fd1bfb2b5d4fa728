/// Somebody outside the family, or a firm, whom the family wants to reach. Everything is optional, but something is there.
public struct Contact: WireRecord {
    /// One way to reach a contact: a phone number, an e-mail address or a postal address.
    public struct Way: WireRecord {
        /// The number or address, one line.
        public var value: String
        /// Its label, such as `work`; `nil` where there is none.
        public var label: String?

        /// A way.
        public init(_ value: String, label: String? = nil) {
            self.value = value
            self.label = label
        }

        /// As it is written, whatever it is.
        public static let fields = parts(max: Limits.contactAddressCharactersMax)

        private static func parts(max: Int) -> Fields<Way> {
            Fields(
                nil, { Way($0, label: $1) }, .required("value", \.value, .line(max: max)),
                .optional("label", \.label, .line(max: Limits.contactLabelCharactersMax), "Such as work."))
        }

        /// A list of them, each so many characters long at most.
        static func list(charactersMax: Int) -> Form<[Way]> {
            .list(form.shaped(parts(max: charactersMax).shape), max: Limits.contactWaysMax)
        }
    }

    /// Which one.
    public let id: Identifier
    /// What sort of contact it is, such as `Doctors`.
    public var category: String?
    /// The firm.
    public var company: String?
    /// What stands before the name, such as `Dr.`
    public var title: String?
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// Phone numbers, the first the usual one.
    public var phones: [Way]
    /// E-mail addresses, the first the usual one.
    public var emails: [Way]
    /// Postal addresses, one line each.
    public var addresses: [Way]
    /// The day of birth.
    public var birthday: Birthday?
    /// Text about it.
    public var note: String?

    /// A contact.
    public init(
        id: Identifier, category: String? = nil, company: String? = nil, title: String? = nil,
        firstName: String? = nil, lastName: String? = nil, phones: [Way] = [], emails: [Way] = [],
        addresses: [Way] = [], birthday: Birthday? = nil, note: String? = nil
    ) {
        self.id = id
        self.category = category
        self.company = company
        self.title = title
        self.firstName = firstName
        self.lastName = lastName
        self.phones = phones
        self.emails = emails
        self.addresses = addresses
        self.birthday = birthday
        self.note = note
    }

    /// As it is written.
    public static let fields = Fields(
        "Contact",
        Contact.init(id:category:company:title:firstName:lastName:phones:emails:addresses:birthday:note:),
        .required("id", \.id, .id),
        .optional("category", \.category, name, "What sort of contact it is, such as Doctors."),
        .optional("company", \.company, name),
        .optional("title", \.title, titleForm, "What stands before the name, such as Dr."),
        .optional("firstName", \.firstName, name),
        .optional("lastName", \.lastName, name),
        .required("phones", \.phones, phoneList, "The first is the usual one.", absent: []),
        .required("emails", \.emails, emailList, "The first is the usual one.", absent: []),
        .required("addresses", \.addresses, addressList, "One line each.", absent: []),
        .optional("birthday", \.birthday, .birthday, "1984-02-29, or --02-29 without its year."),
        .optional("note", \.note, noteForm))

    /// A category, a company, a first or a last name.
    public static let name = Form.line(max: Limits.contactNameCharactersMax)
    /// A title.
    public static let titleForm = Form.line(max: Limits.contactTitleCharactersMax)
    /// A note.
    public static let noteForm = Form.text(max: Limits.contactNoteCharactersMax)
    /// Phone numbers.
    public static let phoneList = Way.list(charactersMax: Limits.contactPhoneCharactersMax)
    /// E-mail addresses.
    public static let emailList = Way.list(charactersMax: Limits.contactEmailCharactersMax)
    /// Postal addresses.
    public static let addressList = Way.list(charactersMax: Limits.contactAddressCharactersMax)

    /// Whether it has no field at all.
    public var isEmpty: Bool {
        [category, company, title, firstName, lastName, note].allSatisfy { $0?.isEmpty ?? true } && phones.isEmpty
            && emails.isEmpty && addresses.isEmpty
    }

    /// The name to show: first and last name, else the company, else the first way to reach it.
    public var shownName: String {
        let person = [firstName, lastName].compactMap(\.self).joined(separator: " ")
        if !person.isEmpty { return person }
        return company ?? title ?? phones.first?.value ?? emails.first?.value ?? addresses.first?.value ?? category
            ?? note ?? ""
    }
}
