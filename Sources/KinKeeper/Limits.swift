public import KinModel

/// Limits of the mechanism, each with its unit.
extension Limits {
    /// Days an event stays in the log.
    public static let logDays: Int64 = 90
    /// Bytes of payload the log keeps, however young.
    public static let logBytes = 256 << 20
    /// Days an `op` is remembered.
    public static let opDays: Int64 = 30
    /// Bytes of commands with an `op` that are remembered of one member's day: some 30,000 of them.
    public static let operationBytesPerDayMax: Int64 = 5 << 20
    /// Members that a text mentions.
    package static let mentionsMax = 50
    /// Named cursors of one member.
    public static let marksPerMemberMax = 32
    /// Days a named cursor is kept unused.
    public static let markDays: Int64 = 90
    /// Items of a long list that are done in one turn of the keeper; the rest waits until others had their turn.
    public static let itemsPerTurn = 16
    /// Things of others that come into a member's sight in one turn of the keeper: as many as a snapshot has of them.
    package static let sharedGainedPerTurn = 400
    /// Things of others that are taken out of a member's sight in one turn, before the change that takes them.
    package static let sharedLostPerTurn = 200
    /// Things that are examined in one turn to find those that come into a member's sight.
    package static let sharedLookedPerTurn = 4000
    /// Things in one turn for which it is forgotten that a member who has left the family saw them.
    package static let sharedForgottenPerTurn = 4000
    /// Seconds after which a member sees things again that were taken for a change that was not made.
    package static let sharedLosingSeconds: Int64 = 60
    /// Bytes of a long file that are kept in one turn, before any of it is taken.
    public static let importPartBytes = 1 << 20
    /// Bytes of sentences in a report on a file, from which on each of its entries has one at most.
    public static let importReportBytes = 2 << 20
    /// Items of a long list that are checked in one turn of the keeper, before any of them is done.
    public static let itemsCheckedPerTurn = 32
    /// Bytes of a parameter's text from which on it goes to a file as it arrives, and in which it is decoded: whole
    /// groups of base64.
    public static let parcelBlockBytes = 64 << 10
    /// Bytes of a file that is given out within a message; a longer one goes over HTTP.
    public static let parcelInMessageBytesMax = 64 << 20
    /// Uploads of one member that are not finished.
    public static let uploadsPerMemberMax: Int64 = 8
    /// Bytes of one member's files together, until an admin says otherwise. An unfinished upload counts
    /// with its whole length, not with what has arrived.
    public static let fileBytesPerMember: Int64 = 8 << 30
    /// Bytes of all members' files together, until an admin says otherwise.
    public static let fileBytesOfFamily: Int64 = 64 << 30
    /// Bytes that an admin leaves for files at least: one picture of any size.
    public static let fileBytesMin: Int64 = 16 << 20
    /// Bytes that an admin allows for files at most.
    public static let fileBytesMax: Int64 = 1 << 50
    /// Machines of the house that an admin allows to be asked.
    package static let outsideHostsMax = 32
    /// Bytes of an address outside that is read again and again, such as a calendar's.
    package static let outsideAddressBytesMax = 2048
    /// Seconds after its beginning at which an upload ends, finished or not: a day.
    public static let uploadSeconds: Int64 = 86_400
    /// Seconds after its beginning at which an upload ends that its client cannot resume.
    public static let uploadOnceSeconds: Int64 = 600
    /// Characters of an upload's parameters, besides its bytes.
    package static let uploadParamsCharactersMax = 4096
    /// Seconds after a deletion by which the write-ahead log is truncated too.
    public static let truncateAfterDeletionSeconds: Int64 = 30
    /// Seconds by which the wall clock may part from the time since the machine started before it is doubted.
    public static let clockApartSeconds: Int64 = 60
    /// Days after the last moment that was trusted at which a clock that nothing has set is doubted at a start.
    public static let clockAheadDays: Int64 = 30
    /// Bytes that any area's part of a snapshot may have: areas bound theirs at this or below. Of what somebody may not
    /// see nothing is refused for want of room in another's snapshot: what does not fit there is left out, and said to
    /// be (``Snapshot/more``).
    public static let snapshotPartBytesMax = 256 << 10
    /// Milliseconds of one pass of a long read, after which the keeper looks and the next one goes on by key: far below the
    /// 20 s that no read transaction may outlive.
    public static let longReadMilliseconds: UInt64 = 500
    /// Milliseconds of one pass of a long read, of a snapshot or of a piece of the log, after which whatever statement is
    /// running is ended.
    public static let longReadMillisecondsMax: UInt64 = 20_000
    /// Times that a long read is begun anew because something went out of its caller's sight meanwhile.
    public static let longReadTriesMax = 4
    /// Bytes read from the log for one client in one turn.
    public static let replayBytesPerTurn = 32 << 10
    /// Wrong secrets of one sort (topics, guest links) from one address that cost nothing.
    public static let guessesFree = 10
    /// Addresses whose wrong secrets of one sort are counted.
    public static let guessersMax = 1024
    /// Passwords being hashed or compared at once.
    public static let passwordsAtOnce = 2
    /// Passwords waiting to be hashed or compared.
    public static let passwordsWaitingMax = 16
    /// Pictures waiting to be looked at: one at a time is.
    public static let picturesWaitingMax = 16
    /// Requests of one member, or of one address before sign-in, that a turn of the keeper does while others wait.
    public static let requestsPerPartyAndTurn = 16
    /// Milliseconds after which a turn of the keeper takes no more requests, so that a new request waits no longer than
    /// that.
    public static let turnMilliseconds: UInt64 = 5
    /// Characters of the text that ``Search`` looks for.
    public static let findCharactersMax = 200
    /// Words of that text; further ones are ignored.
    public static let findWordsMax = 8
    /// Hits of a search that one answer has.
    public static let hitsPerAnswerMax: Int64 = 50
    /// Characters of a text around a hit that are shown.
    public static let snippetCharactersMax = 160
    /// Characters of a title that a hit shows.
    public static let hitTitleCharactersMax = 300
    /// Rows with the words that a search looks at before it says where to go on.
    package static let searchedRowsMax = 20_000
    /// Things that were just said and wait to be put into the index of words together.
    package static let searchWaitingMax = 64
    /// Seconds that they wait for more, if nobody searches.
    package static let searchWaitingSeconds: Int64 = 30
    /// Things of an old family that are put into the index of words in one turn.
    package static let searchFilledPerTurn = 200
    /// Pages of the index of words that are put together in one turn.
    package static let searchPagesPerTurn = 500
    /// Seconds after a deletion at which words that nobody may find any more begin to leave the file.
    package static let searchMergeSeconds: Int64 = 1
}
