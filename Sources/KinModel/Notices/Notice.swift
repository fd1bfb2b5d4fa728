/// A notice to devices. It tells an entry of a member's inbox in the member's language, or that such an entry no longer
/// rings.
public struct Notice: WireRecord {
    /// What a device is to do.
    public enum Act: String, Sendable, CaseIterable, Hashable {
        /// Show it, in the place of what it showed of the same thing.
        case ring
        /// Show it no longer: it was read.
        case clear
        /// Forget it: it is gone, or the member may not know of it any more.
        case delete
    }

    /// Its identifier: twelve letters and digits, given to a member once.
    public let id: String
    /// What is to be done.
    public let act: Act
    /// The entry of the inbox.
    public let entry: Identifier
    /// When.
    public let at: Instant
    /// What it is about.
    public let title: String?
    /// What is said.
    public let text: String?
    /// From 1, which says nothing aloud, to 5.
    public let priority: Int64?
    /// Words of ntfy, most of which are shown as a picture.
    public let tags: [String]?
    /// The address that opens when it is tapped: of the page, from its first slash; for a script's message a whole one.
    public let click: String?

    /// Whether it also rings on devices that ring only with official messages.
    public let isOfficial: Bool?
    /// What it can be answered with, without opening it.
    public let answers: [NoticeAnswer]?

    /// Buttons that a script gave it.
    public let actions: [HouseAction]?

    /// A notice.
    public init(
        id: String, act: Act, entry: Identifier, at: Instant, title: String? = nil, text: String? = nil,
        priority: Int64? = nil, tags: [String]? = nil, click: String? = nil, isOfficial: Bool? = nil,
        answers: [NoticeAnswer]? = nil, actions: [HouseAction]? = nil
    ) {
        self.id = id
        self.act = act
        self.entry = entry
        self.at = at
        self.title = title
        self.text = text
        self.priority = priority
        self.tags = tags
        self.click = click
        self.isOfficial = isOfficial
        self.answers = answers
        self.actions = actions
    }

    /// As a phone shows it without a sound.
    package var silenced: Notice {
        Notice(
            id: id, act: act, entry: entry, at: at, title: title, text: text, priority: min(priority ?? 3, 2),
            tags: tags,
            click: click, isOfficial: isOfficial, answers: answers, actions: actions)
    }

    private static let tagList = Form.list(.token(max: 32), max: Limits.noticeTagsMax)

    /// As it is written.
    public static let fields = Fields(
        "Notice",
        Notice.init(id:act:entry:at:title:text:priority:tags:click:isOfficial:answers:actions:),
        .required("id", \.id, .token(max: 12)),
        .required("act", \.act, .word, "ring: show it; clear: it was read; delete: it is gone."),
        .required("entry", \.entry, .id, "The entry of the inbox."),
        .required("at", \.at, .time),
        .optional("title", \.title, .text(max: Limits.noticeTitleCharactersMax), "What it is about."),
        .optional("text", \.text, .text(max: Limits.noticeTextCharactersMax), "What is said."),
        .optional("priority", \.priority, .integer(Limits.noticePriorities), "As ntfy has it."),
        .optional("tags", \.tags, tagList, "Words of ntfy."),
        .optional(
            "click", \.click, .token(max: Limits.noticeAddressBytesMax),
            "Where it is answered: an address of the page from its first slash, or a whole one."),
        .optional(
            "official", \.isOfficial, .bool, "True: also on devices that ring with official messages and alarms alone."),
        .optional(
            "answers", \.answers, .list(NoticeAnswer.form, max: Limits.noticeAnswersMax),
            "Buttons below it. What they do is known to the daemon and to the device."),
        .optional(
            "actions", \.actions, .list(HouseAction.form, max: Limits.noticeAnswersMax),
            "Buttons that a script of the house gave it."))
}

/// A button below what rings.
public struct NoticeAnswer: WireRecord {
    /// The offer that it belongs to. One button of an offer counts. Absent: it opens the page.
    public let offer: Identifier?
    /// Which one of them.
    public let name: String
    /// What it says.
    public let label: String

    /// A button.
    public init(offer: Identifier?, name: String, label: String) {
        self.offer = offer
        self.name = name
        self.label = label
    }

    /// As it is written.
    public static let fields = Fields(
        "NoticeAnswer", NoticeAnswer.init(offer:name:label:),
        .optional(
            "offer", \.offer, .id, "Which offer it belongs to, of which one button counts; absent: it opens the page."),
        .required("name", \.name, .token(max: 64), "Which one of them."),
        .required("label", \.label, .text(max: 64), "What it says."))
}

/// Events of the devices of a member.
extension NoticeDevice {
    package static let changed = EventType(
        "notice.devices", "The member's devices that ring are others; the member.", All.self, isLatestOnly: true)
    package static let rang = EventType(
        "notice.rang", "The member's devices ring, or are to do so no longer; the member.", Rang.self,
        isLatestOnly: true)

    /// All devices, as they are from then on.
    package struct All: WireRecord {
        package let devices: [NoticeDevice]

        package init(devices: [NoticeDevice]) { self.devices = devices }

        package static let fields = Fields(nil, All.init(devices:), .required("devices", \.devices, NoticeDevice.list))
    }

    /// The notice that they ring with; a test names the one device.
    package struct Rang: WireRecord {
        package let notice: Notice
        package let device: Identifier?
        package let except: [Identifier]?
        package let silent: [Identifier]?

        package init(
            notice: Notice, device: Identifier? = nil, except: [Identifier]? = nil, silent: [Identifier]? = nil
        ) {
            self.notice = notice
            self.device = device
            self.except = except
            self.silent = silent
        }

        /// What a device is told by it; `nil`: nothing.
        package func notice(for device: Identifier?) -> Notice? {
            if let one = self.device, one != device { return nil }
            guard let device else { return notice }
            if except?.contains(device) ?? false { return nil }
            return silent?.contains(device) ?? false ? notice.silenced : notice
        }

        private static let devices = Form.list(.id, max: Limits.noticeDevicesPerMemberMax)

        package static let fields = Fields(
            nil, Rang.init(notice:device:except:silent:),
            .required("notice", \.notice, Notice.form),
            .optional("device", \.device, .id, "The one device that is meant, where it was tested."),
            .optional("except", \.except, devices, "Devices that do not ring with it, by their own rules."),
            .optional(
                "silent", \.silent, devices, "Devices that show it without a sound (priority 2), by their own rules."))
    }

    /// Devices of one member.
    package static let list = Form.list(NoticeDevice.form, max: Limits.noticeDevicesPerMemberMax)
}
