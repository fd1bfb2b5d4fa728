import KinActivity
import KinContacts
public import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinProfiles
import KinSettings

extension Registry {
    /// The areas of a family: one line each.
    public static let family = Registry(areas: [
        Members.area,
        Activity.area,
        Map.area,
        Places.area,
        Meetings.area,
        Contacts.area,
        Profiles.area,
        OwnSettings.area,
    ])
}
