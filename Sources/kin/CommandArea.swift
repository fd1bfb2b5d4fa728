import KinModel
import KinWords

/// The command line's part of one area: a folder in `Areas`, and a line below. Everything else here (help, completion,
/// inbox, status) reads this list and names no area. The texts about an area are in `KinWords`.
struct CommandArea: Sendable {
    /// The name of its folder.
    let name: String
    /// The group of the help in which its commands stand.
    let group: CommandGroup
    /// Its commands, in the order of the help.
    let commands: [Command]
    /// The beginning of the names of its message files, of which there is one for each language in the folder: `lists`
    /// of `lists.de.messages`.
    let file: String
    /// Placeholders that completion asks the daemon for.
    var lookups: [Lookup] = []
    /// The meaning of its other placeholders; `nil` for those that it does not know.
    var word: @Sendable (_ placeholder: String) -> Usage.Word? = { _ in nil }
    /// The kinds of its inbox entries that can be muted; the daemon decides.
    var inboxKinds: [String] = []
    /// The options that narrow a tail to one thing.
    var filters: [Filter] = []
    /// Asks for the things that inbox entries are about, before the entries are shown.
    var explain: @Sendable (Invocation, [InboxEntry], inout Names) -> Void = { _, _, _ in }
    /// Turns an event into notices of the desktop.
    var notice: @Sendable (Event, Names, inout Notices) -> Void = { _, _, _ in }
    /// The movement of a member on the way that an event reports, for the lines of `kin tail`.
    var movement: @Sendable (Event) -> Movement? = { _ in nil }
    /// Prepares names for the sentences about its things.
    var prepare: @Sendable (Invocation, inout Names) -> Void = { _, _ in }
    /// Asks for names that snapshots and events do not have: at the beginning (without an event), and before each event
    /// is shown.
    var ask: @Sendable (Event?, inout Names, Asking) -> Void = { _, _, _ in }
    /// The warning for a caller who sees less than there is; `nil` for a caller who sees everything.
    var forewarning: @Sendable (Invocation) throws(Problem) -> String? = { (_) throws(Problem) in nil }
    /// The totals that the status shows of it: for the day, and for all days.
    var used: (today: [String], inAll: [String]) = ([], [])

    /// An option that narrows a tail to one thing and everything under it.
    struct Filter: Sendable {
        let option: String
        let placeholder: String
        /// The `about` of the thing's events, from the text that was typed.
        let about: @Sendable (Invocation, String) throws(Problem) -> String
    }

    /// Asks the daemon something beside a stream; `nil` if no answer came.
    typealias Asking = (_ method: String, _ params: JSON) -> JSON?

    /// The texts of its commands in a language.
    func messages(_ language: Language) -> MessageFile { .ofCommands("\(file).\(language.rawValue)") }

    /// The areas, in the order of the help.
    static let all = Areas.commands.all(first: MembersPart.self, MeetingsPart.self, ActivityPart.self)
        .compactMap(\.self)

    /// The warning for a caller who sees less than there is.
    static func forewarning(_ call: Invocation) throws(Problem) -> String? {
        for area in all { if let sentence = try area.forewarning(call) { return sentence } }
        return nil
    }
}

/// An area as the command line shows it; `nil` for an area without commands.
private protocol Commanded: SnapshotPart {
    static var commands: CommandArea? { get }
}

// One line for each area.
extension MembersPart: Commanded { static var commands: CommandArea? { .members } }
extension MapPart: Commanded { static var commands: CommandArea? { .map } }
extension MeetingsPart: Commanded { static var commands: CommandArea? { .meetings } }
extension ActivityPart: Commanded { static var commands: CommandArea? { .activity } }
extension ContactsPart: Commanded { static var commands: CommandArea? { .contacts } }
extension ProfilesPart: Commanded { static var commands: CommandArea? { .profiles } }
extension SettingsPart: Commanded { static var commands: CommandArea? { .settings } }
extension NoticesPart: Commanded { static var commands: CommandArea? { .notices } }
extension ListsPart: Commanded { static var commands: CommandArea? { .lists } }
extension PostsPart: Commanded { static var commands: CommandArea? { .posts } }
extension AlarmsPart: Commanded { static var commands: CommandArea? { .alarms } }
extension ChatPart: Commanded { static var commands: CommandArea? { .chat } }
extension CalendarsPart: Commanded { static var commands: CommandArea? { .calendars } }
extension PicturesPart: Commanded { static var commands: CommandArea? { .pictures } }
extension MealsPart: Commanded { static var commands: CommandArea? { .meals } }

extension AreaList where repeat each Part: Commanded {
    /// The command line's part of each area.
    fileprivate static var commands: AreaLines<CommandArea?> {
        var lines = AreaLines<CommandArea?>()
        repeat lines.add((each Part).self, (each Part).commands)
        return lines
    }
}

/// A placeholder in capitals, for whose values completion asks the daemon.
struct Lookup: Sendable {
    /// The placeholder, such as `MEMBER`.
    let placeholder: String
    /// The word by which the shells' scripts ask for the values, such as `members`.
    let word: String
    let names: @Sendable (Invocation) throws(Problem) -> [String]
}
