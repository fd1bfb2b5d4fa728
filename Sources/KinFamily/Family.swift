import KinActivity
import KinAlarms
import KinCalendars
import KinChat
import KinContacts
public import KinKeeper
import KinLists
import KinMap
import KinMeals
import KinMeetings
import KinMembers
import KinModel
import KinNotices
import KinPictures
import KinPosts
import KinProfiles
import KinSettings

extension Registry {
    /// The areas of a family.
    public static let family = Registry(areas: AreaName.all(first: .members, .activity).flatMap(\.areas))
}

extension AreaName {
    /// What the keeper knows of it, a line each; places are a room of the map with a view of their own.
    fileprivate var areas: [Area] {
        switch self {
        case .members: [Members.area]
        case .map: [Map.area, Places.area]
        case .meetings: [Meetings.area]
        case .activity: [Activity.area]
        case .contacts: [Contacts.area]
        case .profiles: [Profiles.area]
        case .settings: [OwnSettings.area]
        case .notices: [Notices.area]
        case .lists: [Lists.area]
        case .posts: [Posts.area]
        case .alarms: [Alarms.area]
        case .chat: [Chat.area]
        case .calendars: [Calendars.area]
        case .pictures: [Pictures.area]
        case .meals: [Meals.area]
        }
    }
}
