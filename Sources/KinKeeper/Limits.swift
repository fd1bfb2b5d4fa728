/// Every limit of what the family may hold and ask, with its unit. Those of sockets and transports stand beside the
/// server. Hitting one is an answer (1413, 1422, 1429), never growth.
public enum Limits {
    /// Days an event stays in the log.
    public static let logDays: Int64 = 90
    /// Bytes of payload the log keeps, however young.
    public static let logBytes = 256 << 20
    /// Days an `op` is remembered.
    public static let opDays: Int64 = 30
    /// Bytes of commands with an `op` that are remembered of one member's day: some 30,000 of them.
    public static let operationBytesPerDayMax: Int64 = 5 << 20
    /// Days a position is kept unless the member chose otherwise.
    public static let historyDays: Int64 = 30
    /// Members of a family, guests included. Long names reach ``membersSnapshotBytesMax`` before.
    public static let membersMax = 400
    /// Households of a family.
    public static let householdsMax = 400
    /// Seconds to which the time of a coarse position is rounded down, and after which one is told again.
    public static let coarseTimeSeconds: Int64 = 900
    /// Seconds for which a member has to be away from a cell before coarse viewers are told of the next one.
    public static let coarseDwellSeconds: Int64 = 300
    /// Rules of one member's sharing.
    public static let sharingRulesMax = 100
    /// Versions of one member's sharing: what its rules came to, one after the other.
    public static let sharingVersionsMax = 2000
    /// Days for which rules for groups and holds from before there were rules for them go on without being confirmed.
    public static let confirmationDays: Int64 = 14
    /// Days for which it is kept who looked.
    public static let looksDays: Int64 = 90
    /// Questions about one member's history that one viewer is noted with one by one, a day; further ones are counted.
    public static let looksPerDayMax: Int64 = 24
    /// Looks in one answer.
    public static let looksPerAnswerMax = 200
    /// Looks of today that are remembered as noted.
    public static let looksRememberedMax = 50_000
    /// Guest links of one member.
    public static let guestLinksPerMemberMax: Int64 = 20
    /// Days a guest link can be good at most.
    public static let guestLinkDaysMax: Int64 = 31
    /// Open invites into one household at a time.
    public static let invitesPerHouseholdMax = 50
    /// Members one invite can bring.
    public static let inviteUsesMax: Int64 = 100
    /// Days an invite is good unless it says otherwise.
    public static let inviteDays: Int64 = 7
    /// Days an invite can be good at most.
    public static let inviteDaysMax: Int64 = 366
    /// Days for which a question to move in, and an admission, waits.
    public static let moveDays: Int64 = 30
    /// Seconds after a refusal in which nobody asks that the same member may move into the same household.
    public static let moveAgainSeconds: Int64 = 86_400
    /// Admissions that wait for those who are to move into one household.
    public static let admissionsPerHouseholdMax = 20
    /// Days after which a child that asked to be grown is so if nobody answered, and after which it may ask again if
    /// somebody refused.
    public static let grownDays: Int64 = 30
    /// Seconds a session waits that somebody else's link or password opened, before it sees positions.
    public static let waitSeconds: Int64 = 72 * 3600
    /// Seconds a one-time sign-in link is good.
    public static let signInLinkSeconds: Int64 = 86_400
    /// Parents of one member, and partners of one member.
    public static let relationsPerMemberMax = 8
    /// Devices of one member that are spared from what others did to the account; the one that signed in longest ago
    /// makes room.
    public static let knownDevicesPerMemberMax = 16
    /// Days after its last sign-in for which a device is known.
    public static let knownDeviceDays: Int64 = 365
    /// Accounts, addresses and pairs of both, together, whose failed sign-ins are remembered.
    public static let signInFailuresMax = 12_288
    /// Seconds after which the use of a session or app password is noted anew.
    public static let useNotedSeconds: Int64 = 3600
    /// Sessions of one member; the one unused longest makes room.
    public static let sessionsPerMemberMax = 64
    /// App passwords of one member.
    public static let appPasswordsPerMemberMax = 64
    /// Named cursors of one member.
    public static let marksPerMemberMax = 32
    /// Days a named cursor is kept unused.
    public static let markDays: Int64 = 90
    /// Days a session is kept unused.
    public static let sessionDays: Int64 = 400
    /// Characters of a name people read.
    public static let nameCharactersMax = 64
    /// Characters of an announcement.
    public static let announcementCharactersMax = 4000
    /// Slots of one meeting, suggested ones included.
    public static let meetingSlotsMax = 50
    /// Meetings of one host that are not over.
    public static let meetingsPerHostMax = 32
    /// Bytes that those may take in a snapshot.
    public static let meetingsPerHostBytesMax = 60_000
    /// Bytes of meetings in a snapshot: the ones that begin first, of those its member sees.
    public static let meetingsSnapshotBytesMax = 80_000
    /// Days from now within which a meeting's slots must lie.
    public static let meetingDaysAheadMax: Int64 = 3660
    /// Meetings in one answer of a list.
    public static let meetingsPerAnswerMax: Int64 = 100
    /// Characters of a meeting's title.
    public static let meetingTitleCharactersMax = 120
    /// Characters of a meeting's place.
    public static let meetingPlaceCharactersMax = 200
    /// Characters of a meeting's note.
    public static let meetingNoteCharactersMax = 2000
    /// Characters of a reason to refuse or cancel.
    public static let meetingReasonCharactersMax = 400
    /// Characters of a search.
    public static let searchCharactersMax = 200
    /// Words of a search that count.
    public static let searchWordsMax = 16
    /// Entries of one member's inbox, and announcements in everybody's; the oldest count as read and go.
    public static let inboxEntriesPerMemberMax: Int64 = 1000
    /// Days a read entry of an inbox is kept.
    public static let inboxReadDays: Int64 = 30
    /// Days an unread entry of an inbox is kept.
    public static let inboxUnreadDays: Int64 = 90
    /// Ordinary unread entries of one member above which the older ones are summed up.
    public static let inboxEntriesInFullMax: Int64 = 50
    /// Days after which they may be.
    public static let digestAfterDays: Int64 = 2
    /// Entries in one answer of an inbox.
    public static let inboxEntriesPerAnswerMax = 200
    /// Hours after which a phone that should report counts as silent.
    public static let phoneSilentHours: Int64 = 6
    /// Seconds after its last place from which on a phone that is heard of counts as there, and only without one.
    public static let placelessSeconds: Int64 = 3600
    /// Per cent of charge at which a phone that is silent counts as run down.
    public static let batteryEmptyPercent = 5.0
    /// Metres per second from which on somebody is on the way: brisk walking, and more than a phone at rest imagines.
    public static let movingSpeedMin = 1.5
    /// Metres around the beginning of a rest within which every point counts as rest.
    public static let stillMetresMin = 50.0
    /// Seconds at one place after which somebody is still.
    public static let stillSeconds: Int64 = 300
    /// Seconds within which asking again where somebody is, is the same question.
    public static let askAgainSeconds: Int64 = 300
    /// Commands that wait for one phone.
    public static let phoneCommandsMax = 16
    /// Places that go to one phone as its regions: iOS watches twenty for an app.
    public static let phoneWaypointsMax = 20
    /// Hours a command waits for a phone.
    public static let phoneCommandHours: Int64 = 48
    /// Days a phone's word that it crossed a border is kept, so that it counts once.
    public static let transitionDays: Int64 = 30
    /// Bytes of the face on a phone's own card, in base64.
    public static let cardFaceBytesMax = 256 << 10
    /// Characters of a place's icon: an emoji may take several.
    public static let placeIconCharactersMax = 16
    /// Characters of the text of a place.
    public static let placeNoteCharactersMax = 1000
    /// Days for which places count after an update to the first version that asks about them, until they are confirmed.
    public static let placesUnconfirmedDays: Int64 = 14
    /// Rules of one member about who is to be told of at which place.
    public static let placeRulesPerMemberMax: Int64 = 100
    /// Metres of a place's circle at least: less is not told apart by any phone.
    public static let placeRadiusMin = 20.0
    /// Metres of a place's circle at most.
    public static let placeRadiusMax = 50_000.0
    /// Metres of a place's circle unless it says otherwise.
    public static let placeRadius = 100.0
    /// Metres beyond a place's circle that a member may be without leaving it; a quarter of the radius if that is more.
    public static let placeMarginMin = 50.0
    /// Metres: a point that is less accurate says nothing of arriving and leaving.
    public static let placeAccuracyMax = 250.0
    /// Seconds at a place that count as an arrival.
    public static let placeDwellSeconds: Int64 = 180
    /// Seconds between the first and the last point that speak for it. Less than ``placeDwellSeconds``, because the first
    /// point is not sent at the moment of arriving, and some are lost to noise.
    public static let placeEvidenceSeconds: Int64 = 120
    /// Seconds beyond a place's circle and margin that count as leaving.
    public static let placeLeaveSeconds: Int64 = 30
    /// Seconds between two points over which one stay can reach: longer, and the phone may have been anywhere.
    public static let placeGapSecondsMax: Int64 = 7200
    /// Seconds after which an arrival or leaving is written down and no longer told.
    public static let placeTellSeconds: Int64 = 600
    /// Metres: a point that is less accurate than this is kept apart.
    public static let pointAccuracyMax = 2000.0
    /// Metres per second: a point that would have needed more from the one before is kept apart (900 km/h).
    public static let pointSpeedMax = 250.0
    /// Points of one member that the history takes in a day: a phone that tells every five seconds makes 17,280, and an
    /// old track of years comes in within weeks.
    public static let pointsPerDayMax: Int64 = 200_000
    /// Points that were kept apart and agree with each other before they are believed.
    public static let pointsBelieved: Int64 = 3
    /// Bytes of a password.
    public static let passwordBytesMax = 1024
    /// Devices of one member that the history tells apart.
    public static let devicesPerMemberMax = 64
    /// Positions in one report.
    public static let positionsPerReportMax = 1000
    /// Items of a long list that are done in one turn of the keeper; the rest waits until others had their turn.
    public static let itemsPerTurn = 16
    /// Items of a long list that are checked in one turn of the keeper, before any of them is done.
    public static let itemsCheckedPerTurn = 32
    /// Positions in one answer of a history.
    public static let positionsPerAnswerMax = 5000
    /// Positions in one piece of a history as a file: what one client's file holds in memory.
    public static let exportPositionsPerPiece = 500
    /// Characters of such a piece.
    public static let exportPieceCharactersMax = 256 << 10
    /// Bytes of what says where the next piece goes on.
    public static let exportMarkBytesMax = 256
    /// Seconds without a position after which another segment of a track begins.
    public static let exportGapSeconds: Int64 = 1800
    /// Bytes of all faces, in base64, in one answer to a phone with OwnTracks; cards beyond go without.
    public static let facesBytesMax = 512 << 10
    /// Pictures that one member sets in a day.
    public static let picturesPerDayMax: Int64 = 50
    /// Bytes of an uploaded picture.
    public static let pictureBytesMax = 16 << 20
    /// Bytes that one picture may take while it is decoded, one at a time; what would need more is refused by its header.
    public static let pictureMemoryBytesMax = 128 << 20
    /// Bytes of a parameter's text from which on it goes to a file as it arrives, and in which it is decoded: whole
    /// groups of base64.
    public static let parcelBlockBytes = 64 << 10
    /// Seconds by which a phone's clock may be ahead.
    public static let futureSecondsMax: Int64 = 120
    /// Days by which a phone's clock may be ahead for its points to be kept apart; beyond, they are not kept at all.
    public static let clockAheadDaysMax: Int64 = 31
    /// Seconds after a deletion by which the write-ahead log is truncated too.
    public static let truncateAfterDeletionSeconds: Int64 = 30
    /// Seconds by which the wall clock may part from the time since the machine started before it is doubted.
    public static let clockApartSeconds: Int64 = 60
    /// Days after the last moment that was trusted at which a clock that nothing has set is doubted at a start.
    public static let clockAheadDays: Int64 = 30
    /// Bytes of any member's snapshot. Each area has a share of it. Of what somebody may not see nothing is refused for
    /// want of room in another's snapshot: what does not fit there is left out, and said to be (``Snapshot/more``).
    public static let snapshotBytesMax = 256 << 10
    /// Bytes of a snapshot's own frame: names of its parts, brackets, commas.
    public static let snapshotFrameBytesMax = 1 << 10
    /// Bytes of the family, its households and members in a snapshot.
    public static let membersSnapshotBytesMax = 88 << 10
    /// Bytes of positions and the own sharing in a snapshot: some 120 positions with as many digits as there are.
    public static let mapSnapshotBytesMax = 40 << 10
    /// Bytes of places in a snapshot: the member's own, and the oldest of the others that it sees.
    public static let placesSnapshotBytesMax = 16 << 10
    /// Bytes in a snapshot of places that one member keeps for oneself: about fifteen of them.
    public static let keptPlacesBytesMax = 4 << 10
    /// The same of places that one member shares with others: about thirty of them.
    public static let sharedPlacesBytesMax = 9 << 10
    /// Bytes read from the log for one client in one turn.
    public static let replayBytesPerTurn = 32 << 10
    /// Passwords being hashed or compared at once.
    public static let passwordsAtOnce = 2
    /// Passwords waiting for that.
    public static let passwordsWaitingMax = 16
    /// Pictures waiting to be looked at: one at a time is.
    public static let picturesWaitingMax = 16
    /// Requests of one member, or of one address before sign-in, that a turn of the keeper does while others wait.
    public static let requestsPerPartyAndTurn = 16
    /// Milliseconds after which a turn of the keeper takes no more requests: who comes now waits no longer than that.
    public static let turnMilliseconds: UInt64 = 5
}
