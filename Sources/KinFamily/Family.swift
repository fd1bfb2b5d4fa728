public import KinKeeper
import KinModel

// The areas' modules are imported by flags, which `Package.swift` makes from its list of areas.

extension Registry {
    /// The areas of a family.
    public static let family = Registry(
        areas: Areas.kept.all(first: MembersPart.self, ActivityPart.self).flatMap(\.self))
}

/// An area as the keeper knows it.
private protocol Kept: SnapshotPart {
    static var areas: [Area] { get }
}

// A line each; places are a room of the map with a view of their own.
extension MembersPart: Kept { static var areas: [Area] { [Members.area] } }
extension MapPart: Kept { static var areas: [Area] { [Map.area, Places.area] } }
extension MeetingsPart: Kept { static var areas: [Area] { [Meetings.area] } }
extension ActivityPart: Kept { static var areas: [Area] { [Activity.area] } }
extension ContactsPart: Kept { static var areas: [Area] { [Contacts.area] } }
extension ProfilesPart: Kept { static var areas: [Area] { [Profiles.area] } }
extension SettingsPart: Kept { static var areas: [Area] { [OwnSettings.area] } }
extension NoticesPart: Kept { static var areas: [Area] { [Notices.area] } }
extension ListsPart: Kept { static var areas: [Area] { [Lists.area] } }
extension PostsPart: Kept { static var areas: [Area] { [Posts.area] } }
extension AlarmsPart: Kept { static var areas: [Area] { [Alarms.area] } }
extension ChatPart: Kept { static var areas: [Area] { [Chat.area] } }
extension CalendarsPart: Kept { static var areas: [Area] { [Calendars.area] } }
extension PicturesPart: Kept { static var areas: [Area] { [Pictures.area] } }
extension MealsPart: Kept { static var areas: [Area] { [Meals.area] } }

extension AreaList where repeat each Part: Kept {
    /// What the keeper knows of each.
    fileprivate static var kept: AreaLines<[Area]> {
        var lines = AreaLines<[Area]>()
        repeat lines.add((each Part).self, (each Part).areas)
        return lines
    }
}
