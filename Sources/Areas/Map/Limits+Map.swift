package import KinModel

/// Limits of the area, each with its unit.
extension Limits {
    /// Days a position is kept unless the member chose otherwise.
    package static let historyDays: Int64 = 30
    /// Seconds to which the time of a coarse position is rounded down, and after which one is told again.
    package static let coarseTimeSeconds: Int64 = 900
    /// Seconds for which a member has to be away from a cell before coarse viewers are told of the next one.
    package static let coarseDwellSeconds: Int64 = 300
    /// Rules of one member's sharing.
    package static let sharingRulesMax = 100
    /// Versions of one member's sharing: what its rules came to, one after the other.
    package static let sharingVersionsMax = 2000
    /// Days for which rules for groups and holds from before there were rules for them go on without being confirmed.
    package static let confirmationDays: Int64 = 14
    /// Days for which looks at positions are kept.
    package static let looksDays: Int64 = 90
    /// Questions about one member's history that one viewer is noted with one by one, a day; further ones are counted.
    package static let looksPerDayMax: Int64 = 24
    /// Looks in one answer.
    package static let looksPerAnswerMax = 200
    /// Looks of today for which it is remembered that they were noted.
    package static let looksRememberedMax = 50_000
    /// Guest links of one member.
    package static let guestLinksPerMemberMax: Int64 = 20
    /// Places whose names one guest link may tell.
    package static let guestLinkPlacesMax = 50
    /// Metres to the middle of a town within which a guest link names it.
    package static let guestLinkTownMetres: Int64 = 50_000
    /// Towns on the map of a guest link.
    package static let guestLinkTownsMax = 24
    /// Days for which a guest link can be valid at most.
    package static let guestLinkDaysMax: Int64 = 31
    /// Hours after which a phone that should report counts as silent.
    package static let phoneSilentHours: Int64 = 6
    /// Bytes of the address of the map's tiles outside.
    package static let mapSourceBytesMax = 500
    /// Bytes of the source's attribution, which the map shows.
    package static let mapAttributionBytesMax = 300
    /// Bytes of one tile from outside.
    package static let mapTileBytesMax = 256 << 10
    /// Milliseconds within which such a tile must arrive.
    package static let mapTileMilliseconds = 8_000
    /// Tiles that the whole family asks for outside in a minute.
    package static let mapTilesPerMinute = 200
    /// Seconds after its last place from which on a phone that is heard of counts as there, and only without one.
    package static let placelessSeconds: Int64 = 3600
    /// Per cent of charge at which a silent phone counts as run down.
    package static let batteryEmptyPercent = 5.0
    /// Metres per second from which on somebody is on the way: brisk walking, and more than a phone at rest imagines.
    package static let movingSpeedMin = 1.5
    /// Metres around the beginning of a rest within which every point counts as rest.
    package static let stillMetresMin = 50.0
    /// Seconds at one place after which somebody is still.
    package static let stillSeconds: Int64 = 300
    /// Seconds within which a second question for a member's position counts as the same one.
    package static let askAgainSeconds: Int64 = 300
    /// Commands that wait for one phone.
    package static let phoneCommandsMax = 16
    /// Places that go to one phone as its regions: iOS watches twenty for an app.
    package static let phoneWaypointsMax = 20
    /// Hours a command waits for a phone.
    package static let phoneCommandHours: Int64 = 48
    /// Days a phone's word that it crossed a border is kept, so that it counts once.
    package static let transitionDays: Int64 = 30
    /// Bytes of the face on a phone's own card, in base64.
    package static let cardFaceBytesMax = 256 << 10
    /// Days for which places count after an update to the first version that asks about them, until they are confirmed.
    package static let placesUnconfirmedDays: Int64 = 14
    /// Rules of one member about the members whose arrivals and departures are told, and at which place.
    package static let placeRulesPerMemberMax: Int64 = 100
    /// Metres of a place's circle unless it says otherwise.
    package static let placeRadius = 100.0
    /// Metres beyond a place's circle that a member may be without leaving it; a quarter of the radius if that is more.
    package static let placeMarginMin = 50.0
    /// Metres: a point that is less accurate says nothing of arriving and leaving.
    package static let placeAccuracyMax = 250.0
    /// Seconds at a place that count as an arrival.
    package static let placeDwellSeconds: Int64 = 180
    /// Seconds between the first and the last point that speak for it. Less than ``placeDwellSeconds``, because the first
    /// point is not sent at the moment of arriving, and some are lost to noise.
    package static let placeEvidenceSeconds: Int64 = 120
    /// Seconds beyond a place's circle and margin that count as leaving.
    package static let placeLeaveSeconds: Int64 = 30
    /// Seconds between two points over which one stay can reach: longer, and the phone may have been anywhere.
    package static let placeGapSecondsMax: Int64 = 7200
    /// Seconds after which an arrival or leaving is written down and no longer told.
    package static let placeTellSeconds: Int64 = 600
    /// Metres: a point that is less accurate than this is kept apart.
    package static let pointAccuracyMax = 2000.0
    /// Metres per second: a point that would have needed more from the one before is kept apart (900 km/h).
    package static let pointSpeedMax = 250.0
    /// Points of one member that the history takes in a day: a phone that tells every five seconds makes 17,280, and an
    /// old track of years comes in within weeks.
    package static let pointsPerDayMax: Int64 = 200_000
    /// Points that were kept apart and agree with each other before they are believed.
    package static let pointsBelieved: Int64 = 3
    /// Devices of one member that the history tells apart.
    package static let devicesPerMemberMax = 64
    /// Positions in one report.
    package static let positionsPerReportMax = 1000
    /// Positions in one answer of a history.
    package static let positionsPerAnswerMax = 5000
    /// Positions in one piece of a history as a file: what one client's file holds in memory.
    package static let exportPositionsPerPiece = 500
    /// Characters in one piece of a history as a file.
    package static let exportPieceCharactersMax = 256 << 10
    /// Bytes of the key with which the next piece begins.
    package static let exportNextBytesMax = 256
    /// Seconds without a position after which another segment of a track begins.
    package static let exportGapSeconds: Int64 = 1800
    /// Bytes of all faces, in base64, in one answer to a phone with OwnTracks; cards beyond go without.
    package static let facesBytesMax = 512 << 10
    /// Seconds by which a phone's clock may be ahead.
    package static let futureSecondsMax: Int64 = 120
    /// Days by which a phone's clock may be ahead for its points to be kept apart; beyond, they are not kept at all.
    package static let clockAheadDaysMax: Int64 = 31
    /// Bytes of positions and the own sharing in a snapshot: some 120 positions with as many digits as there are.
    package static let mapSnapshotBytesMax = 40 << 10
    /// Bytes of places in a snapshot: the member's own, and the oldest of the others that it sees.
    package static let placesSnapshotBytesMax = 16 << 10
    /// Bytes in a snapshot of places that one member keeps for oneself: about fifteen of them.
    package static let keptPlacesBytesMax = 4 << 10
    /// Bytes in a snapshot of places that one member shares with others: about thirty of them.
    package static let sharedPlacesBytesMax = 9 << 10
}
