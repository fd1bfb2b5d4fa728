import KinModel
import KinWords

/// The command line's part of one area: a folder in `Areas`, and a line in `commands` of `AreaName`, below. Everything
/// else here (help, completion, inbox, status) reads this list and names no area. The texts about an area are in
/// `KinWords`.
struct CommandArea: Sendable {
    /// As its folder is called.
    let name: String
    /// Under which words of the help its commands stand.
    let group: CommandGroup
    /// In the order of the help.
    let commands: [Command]
    /// The name of its files with the texts of its commands, in the folder, one for each language: `lists` of
    /// `lists.de.messages`.
    let file: String
    /// Placeholders that completion asks the daemon for.
    var lookups: [Lookup] = []
    /// What else a placeholder stands for; `nil` for those that it does not know.
    var word: @Sendable (_ placeholder: String) -> Usage.Word? = { _ in nil }
    /// The kinds of its lines that can be muted; the daemon has the last word.
    var inboxKinds: [String] = []
    /// What narrows a tail to one thing.
    var filters: [Filter] = []
    /// Asks for the things that entries are about, before they are shown.
    var explain: @Sendable (Invocation, [InboxEntry], inout Names) -> Void = { _, _, _ in }
    /// Turns an event into notices of the desktop.
    var notice: @Sendable (Event, Names, inout Notices) -> Void = { _, _, _ in }
    /// What an event says about a member on the way, for the lines of `kin tail`.
    var movement: @Sendable (Event) -> Movement? = { _ in nil }
    /// Prepares names for how the command line tells of its things.
    var prepare: @Sendable (Invocation, inout Names) -> Void = { _, _ in }
    /// Asks for what names need besides snapshots and events: at the beginning (without an event), and before one is told.
    var ask: @Sendable (Event?, inout Names, Asking) -> Void = { _, _, _ in }
    /// The warning for a caller who sees less than there is; `nil` for a caller who sees everything.
    var forewarning: @Sendable (Invocation) throws(Problem) -> String? = { (_) throws(Problem) in nil }
    /// The sums of it that the status shows: of the day, and of all days.
    var used: (today: [String], inAll: [String]) = ([], [])

    /// An option that narrows a tail to one thing and what is under it.
    struct Filter: Sendable {
        let option: String
        let placeholder: String
        /// The `about` of the thing's events, by what was typed.
        let about: @Sendable (Invocation, String) throws(Problem) -> String
    }

    /// A question beside a stream; `nil` where it was not answered.
    typealias Asking = (_ method: String, _ params: JSON) -> JSON?

    /// The texts of its commands in a language.
    func messages(_ language: Language) -> MessageFile { .ofCommands("\(file).\(language.rawValue)") }

    /// The areas, in the order of the help.
    static let all = AreaName.all(first: .members, .meetings, .activity).compactMap(\.commands)

    /// The warning for a caller who sees less than there is.
    static func forewarning(_ call: Invocation) throws(Problem) -> String? {
        for area in all { if let sentence = try area.forewarning(call) { return sentence } }
        return nil
    }
}

extension AreaName {
    /// The command line's part of each area, a line each; `nil` for an area without commands.
    fileprivate var commands: CommandArea? {
        switch self {
        case .members: .members
        case .map: .map
        case .meetings: .meetings
        case .activity: .activity
        case .contacts: .contacts
        case .profiles: .profiles
        case .settings: .settings
        case .notices: .notices
        case .lists: .lists
        case .posts: .posts
        case .alarms: .alarms
        case .chat: .chat
        case .calendars: .calendars
        case .pictures: .pictures
        case .meals: .meals
        }
    }
}

/// Something that a placeholder in capitals stands for, and that completion asks the daemon for.
struct Lookup: Sendable {
    /// `MEMBER`.
    let placeholder: String
    /// What the scripts of the shells ask for: `members`.
    let word: String
    let names: @Sendable (Invocation) throws(Problem) -> [String]
}
