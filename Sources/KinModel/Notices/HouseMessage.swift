/// Something that a script of the house told a member: the washing machine is done, the backup failed.
public struct HouseMessage: WireRecord {
    /// Which one.
    public let id: Identifier
    /// When it came.
    public let at: Instant
    /// What the member calls the script.
    public let script: String
    /// What it is about.
    public let title: String?
    /// What it says.
    public let text: String
    /// From 1, which says nothing aloud, to 5.
    public let priority: Int64?
    /// Words of ntfy, most of which are shown as a picture.
    public let tags: [String]?
    /// What opens when it is tapped: a whole address.
    public let click: String?
    /// Buttons below it.
    public let actions: [HouseAction]?

    /// A message.
    public init(
        id: Identifier, at: Instant, script: String, title: String? = nil, text: String, priority: Int64? = nil,
        tags: [String]? = nil, click: String? = nil, actions: [HouseAction]? = nil
    ) {
        self.id = id
        self.at = at
        self.script = script
        self.title = title
        self.text = text
        self.priority = priority
        self.tags = tags
        self.click = click
        self.actions = actions
    }

    /// As it is written.
    public static let fields = Fields(
        "HouseMessage", HouseMessage.init(id:at:script:title:text:priority:tags:click:actions:),
        .required("id", \.id, .id),
        .required("at", \.at, .time, "When it came."),
        .required("script", \.script, .name, "What its member calls the script."),
        .optional("title", \.title, .text(max: Limits.noticeTitleCharactersMax)),
        .required("text", \.text, .text(max: Limits.noticeTextCharactersMax)),
        .optional("priority", \.priority, .integer(Limits.noticePriorities), "As ntfy has it."),
        .optional("tags", \.tags, .list(.token(max: 32), max: Limits.noticeTagsMax), "Words of ntfy."),
        .optional("click", \.click, .token(max: Limits.noticeAddressBytesMax), "What opens when it is tapped."),
        .optional("actions", \.actions, .list(HouseAction.form, max: Limits.noticeAnswersMax), "Buttons below it."))
}

/// A button that a script gave its message. The phone does what it says; the daemon does not.
public struct HouseAction: WireRecord {
    /// What the phone does.
    public enum Deed: String, Sendable, CaseIterable, Hashable {
        /// It opens the address.
        case view
        /// It sends a request there.
        case http
    }

    /// What the phone does.
    public let action: Deed
    /// What the button says.
    public let label: String
    /// Where.
    public let url: String
    /// The verb of the request; absent: POST.
    public let method: String?
    /// Fields of its head.
    public let headers: [HouseHeader]?
    /// What is sent.
    public let body: String?
    /// Whether the notification goes when it is pressed.
    public let clears: Bool

    /// A button.
    public init(
        action: Deed, label: String, url: String, method: String? = nil, headers: [HouseHeader]? = nil,
        body: String? = nil,
        clears: Bool = false
    ) {
        self.action = action
        self.label = label
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.clears = clears
    }

    /// As it is written.
    public static let fields = Fields(
        "HouseAction", HouseAction.init(action:label:url:method:headers:body:clears:),
        .required("action", \.action, .word, "view: the phone opens the address; http: it sends a request there."),
        .required("label", \.label, .text(max: 64), "What the button says."),
        .required("url", \.url, .token(max: Limits.noticeAddressBytesMax)),
        .optional("method", \.method, .token(max: 16), "The verb; else POST."),
        .optional(
            "headers", \.headers, .list(HouseHeader.form, max: Limits.noticeHeadersMax), "Fields of its head."),
        .optional("body", \.body, .text(max: 1024), "What is sent."),
        .required("clear", \.clears, .bool, "The notification goes when it is pressed."))
}

/// A field of the head of a request that a phone sends.
public struct HouseHeader: WireRecord {
    /// Its name.
    public let name: String
    /// What it says.
    public let value: String

    /// A field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// As it is written.
    public static let fields = Fields(
        "HouseHeader", HouseHeader.init(name:value:),
        .required("name", \.name, .token(max: 64), "Its name."),
        .required("value", \.value, .line(max: 500), "What it says."))
}

/// A script of the house, by which a member is told something: it has a secret that writes into this one inbox.
public struct NoticeScript: WireRecord {
    /// Which one.
    public let id: Identifier
    /// What its member calls it.
    public let name: String

    /// A script.
    public init(id: Identifier, name: String) {
        self.id = id
        self.name = name
    }

    /// As it is written.
    public static let fields = Fields(
        "NoticeScript", NoticeScript.init(id:name:),
        .required("id", \.id, .id),
        .required("name", \.name, .name, "What its member calls it."))

    package static let told = EventType(
        "notice.message", "A script of the house told the member something; the member.", Told.self)

    /// The whole message.
    package struct Told: WireRecord {
        package let message: HouseMessage

        package init(message: HouseMessage) { self.message = message }

        package static let fields = Fields(
            nil, Told.init(message:), .required("message", \.message, HouseMessage.form))
    }
}

extension Limits {
    /// Scripts of one member.
    public static let noticeScriptsPerMemberMax = 32
    /// Fields of the head of a request that a button sends.
    public static let noticeHeadersMax = 8
    /// Bytes of an address that a message leads to.
    public static let noticeAddressBytesMax = 1024
}
